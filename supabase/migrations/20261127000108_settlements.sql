-- Settlements: transfers to and from advertised wallets, read from the blockchains, and the read position on each chain.
-- A wallet group is a set of wallets that are read together. A read step reads one range of blocks. Every change of a group
-- raises its revision, so the read steps that began before the change are discarded.

-- Read positions on each chain. A wallet group is a set of wallets of one network that are read together. Group 0 is
-- read up to the newest blocks of the chain. New wallets are first read in a separate group. When this group has caught
-- up with group 0, its wallets join group 0. So one cursor is enough for nearly all wallets of a network.
create table public.chain_cursors (
  network text not null,
  wallet_group integer not null check (wallet_group >= 0),
  -- Time of the first block to read.
  since timestamptz not null,
  -- First block that was read. `next_block` is the first block that was not read yet. Both are null before the first
  -- read step.
  from_block bigint,
  next_block bigint,
  -- Anchors: some of the blocks that were read, in ascending order, with hashes that reveal a reorg: [{ number, hash,
  -- at }]. If an anchor is the last valid anchor after a reorg, all settlements until its time `at` are known. `at` is
  -- null if the time is unknown.
  anchors jsonb not null default '[]',
  -- Number of blocks in one RPC request.
  span integer,
  -- Time of the last block that was read.
  through_at timestamptz,
  -- Last time when all confirmed blocks had been read.
  caught_up_at timestamptz,
  -- Raised with each change of the wallet group. A read step is discarded if the revision has changed since the step
  -- began.
  revision bigint not null default 0,
  -- Set on group 0: the last UTC day on which the funded wallets were chosen.
  funded_on date,
  primary key (network, wallet_group)
);

-- Wallet group of each wallet that is read (see `assign_wallet_groups`). Skipped wallets have no group and are not
-- measured: they receive or send too many transfers to be read. Any endpoint can advertise such a wallet, for example
-- the wallet of an exchange.
create table public.chain_wallets (
  network text not null,
  pay_to text not null,
  wallet_group integer,
  -- For a wallet in group 0: time from which on all transfers of the wallet are known. For a skipped wallet: time when
  -- the wallet was skipped.
  since timestamptz not null,
  -- Last time when an endpoint advertised the wallet, or an advertised wallet funded it, accurate to one day. The wallet
  -- is removed some time later.
  advertised_at timestamptz not null,
  primary key (network, pay_to),
  foreign key (network, wallet_group) references public.chain_cursors (network, wallet_group)
);

create index chain_wallets_group on public.chain_wallets (network, wallet_group);

-- USDC transfers to and from the wallets that are read. A transfer is stored once for each of these wallets: as a row of
-- kind `sent` for the sender, and as a row of another kind for the receiver.
create table public.settlements (
  network text not null,
  transaction text collate "C" not null,
  log_index integer not null check (log_index >= 0),
  block_number bigint not null,
  block_hash text,
  at timestamptz not null,
  payer text not null,
  pay_to text not null,
  asset text not null,
  -- Amount in atomic units. Numeric, because token amounts can exceed the range of bigint.
  amount numeric not null check (amount > 0 and amount = trunc(amount)),
  -- `x402`: the payer signed the transfer, and a third party sent it. `transfer`: every other transfer to the wallet.
  -- `sent`: every transfer from the wallet, which is then the payer.
  kind text not null check (kind in ('x402', 'transfer', 'sent')),
  facilitator text
);

create unique index settlements_transfer on public.settlements (network, transaction, log_index, (kind = 'sent'));

create index settlements_wallet on public.settlements (network, pay_to, at);

-- Index to remove old rows, and rows that a reorg made invalid.
create index settlements_block on public.settlements (network, block_number);

-- Sums of the x402 settlements for each wallet, day and payer, including self-payments. They give the exact number of
-- distinct payers in 30 days and the exact share of the largest payer. The table stays small: some payers pay one
-- wallet a million times a week, but such a payer adds only seven rows a week.
create table public.wallet_payer_days (
  network text not null,
  pay_to text not null,
  day date not null,
  payer text not null,
  settlements bigint not null,
  volume numeric not null,
  primary key (network, pay_to, day, payer)
) with (fillfactor = 80);

create index wallet_payer_days_day on public.wallet_payer_days (day);

-- Index to find what one payer paid.
create index wallet_payer_days_payer on public.wallet_payer_days (network, payer, day);

-- Sums of all transfers from each wallet that is read, for each day and recipient.
create table public.wallet_sent_days (
  network text not null,
  wallet text not null,
  day date not null,
  recipient text not null,
  volume numeric not null,
  primary key (network, wallet, day, recipient)
) with (fillfactor = 80);

create index wallet_sent_days_day on public.wallet_sent_days (day);

-- Index to find what one wallet received.
create index wallet_sent_days_recipient on public.wallet_sent_days (network, recipient, day);

-- Facilitators that sent payments to each wallet, with the time of the last payment that each of them is known to have
-- sent. The id `other` stands for all unknown senders. A row stays after a reorg: the facilitator works for the seller,
-- even if its transaction was replaced.
create table public.wallet_facilitators (
  network text not null,
  pay_to text not null,
  facilitator text not null,
  settled_at timestamptz not null,
  primary key (network, pay_to, facilitator)
) with (fillfactor = 80);

create index wallet_facilitators_settled_at on public.wallet_facilitators (settled_at);

-- Returns the facilitators that sent payments to the wallets of endpoints in the last 30 days. Endpoints without such
-- payments are left out.
create function internal.settled_through(p_endpoint_ids text[], p_now timestamptz)
returns table (endpoint_id text, facilitators text[])
language sql stable
as $$
  select w.endpoint_id, array_agg(distinct f.facilitator order by f.facilitator)
  from public.endpoint_wallets w
  join public.wallet_facilitators f on f.network = w.network and f.pay_to = w.pay_to
  where w.endpoint_id = any (p_endpoint_ids) and f.settled_at > p_now - interval '30 days'
  group by 1;
$$;

-- Returns true if p_pay_to is a valid wallet address of the network and not a burn address. The burn addresses are
-- those of `isBurnAddress` in libs/x402.
create function internal.is_wallet(p_network text, p_pay_to text)
returns boolean
language sql immutable
as $$
  select case
    when p_network like 'eip155:%' then
      p_pay_to ~ '^0x[0-9a-f]{40}$' and p_pay_to !~ '^0x(0{37}[0-2][0-9a-f]{2}|0{36}dead|dead0{8}.*|(dead)+)$'
    when p_network like 'solana:%' then
      p_pay_to ~ '^[1-9A-HJ-NP-Za-km-z]{32,44}$' and p_pay_to not in (repeat('1', 32), '1nc1nerator' || repeat('1', 32))
    else false
  end;
$$;

-- Returns the wallets of an EVM network that advertised wallets funded in the last 30 days. A funded wallet may send the
-- money back to the payers of the advertised wallet. Returns, for each advertised wallet, at most three recipients to
-- which it sent most. Each of them received at least a tenth of the paid volume, without what the recipient itself paid.
-- On Solana nothing is returned: reading a wallet with many transfers would stop the reading of all wallets.
create function internal.find_funded_wallets(p_network text, p_now timestamptz)
returns setof text
language sql stable
as $$
  with sent as (
    select s.wallet, s.recipient, sum(s.volume) as volume
    from public.wallet_sent_days s
    where s.network = p_network and p_network like 'eip155:%' and s.day > (p_now at time zone 'UTC')::date - 30
    group by 1, 2
  ),
  large as materialized (
    select s.wallet, s.recipient, s.volume, t.volume as paid
    from sent s
    join (
      select d.pay_to, sum(d.volume) as volume from public.wallet_payer_days d
      where d.network = p_network and d.day > (p_now at time zone 'UTC')::date - 30
      group by 1
    ) t on t.pay_to = s.wallet and s.volume * 10 >= t.volume
    where exists (select 1 from public.endpoint_wallets e where e.network = p_network and e.pay_to = s.wallet)
  ),
  own as (
    select d.pay_to, d.payer, sum(d.volume) as volume
    from public.wallet_payer_days d
    where d.network = p_network and d.day > (p_now at time zone 'UTC')::date - 30
      and (d.pay_to, d.payer) in (select l.wallet, l.recipient from large l)
    group by 1, 2
  ),
  ranked as (
    select l.recipient, l.paid, l.volume - coalesce(o.volume, 0) as volume,
      row_number() over (
        partition by l.wallet order by l.volume - coalesce(o.volume, 0) desc, l.recipient
      ) as rank
    from large l left join own o on o.pay_to = l.wallet and o.payer = l.recipient
    where internal.is_wallet(p_network, l.recipient)
  )
  select distinct r.recipient from ranked r where r.rank <= 3 and r.volume > 0 and r.volume * 10 >= r.paid;
$$;

-- Adds new wallets of a network to a wallet group: advertised wallets and, once a UTC day, the wallets that they
-- funded. Removes wallets that were not among these wallets for p_keep_days. Removes skipped wallets after
-- p_keep_days, so they can be added and read again. New wallets are read from 30 days before today. Wallets that are
-- added before a group is first read share that group. At most eight groups can catch up with group 0 at a time;
-- further new wallets are added by a later call. Returns the numbers of added and of removed wallets.
create function public.assign_wallet_groups(p_network text, p_now timestamptz, p_keep_days integer)
returns table (added integer, removed integer)
language plpgsql
as $$
declare
  v_today date := (p_now at time zone 'UTC')::date;
  v_since timestamptz := (v_today - 30)::timestamp at time zone 'UTC';
  v_chooses boolean;
  v_wallets text[];
  v_group integer;
  v_added integer := 0;
  v_removed integer;
begin
  -- Serializes calls for the same network.
  perform pg_advisory_xact_lock(hashtext('public.chain_cursors ' || p_network));
  v_chooses := exists (
    select 1 from public.chain_cursors c
    where c.network = p_network and c.wallet_group = 0 and c.caught_up_at is not null
      and c.funded_on is distinct from v_today
  );
  v_wallets := array(
    select e.pay_to from public.endpoint_wallets e
    where e.network = p_network and internal.is_wallet(e.network, e.pay_to)
    union
    select f.pay_to from internal.find_funded_wallets(p_network, p_now) f (pay_to) where v_chooses
  );
  update public.chain_wallets w set advertised_at = p_now
  where w.network = p_network and w.advertised_at <= p_now - interval '1 day' and w.pay_to = any (v_wallets);
  delete from public.chain_wallets w
  where w.network = p_network
    and case when w.wallet_group is null then w.since else w.advertised_at end
      < p_now - make_interval(days => p_keep_days);
  get diagnostics v_removed = row_count;
  delete from public.chain_cursors c
  where c.network = p_network and c.wallet_group > 0
    and not exists (
      select 1 from public.chain_wallets w where w.network = c.network and w.wallet_group = c.wallet_group
    );

  -- The first wallets of a network form group 0. Later wallets join a group that has not been read yet, or get the
  -- first free group from 1 to 8.
  select case
    when not exists (select 1 from public.chain_cursors c where c.network = p_network) then 0
    else coalesce(
      (select min(c.wallet_group) from public.chain_cursors c where c.network = p_network and c.next_block is null),
      (select min(i) from generate_series(1, 8) i where not exists (
        select 1 from public.chain_cursors c where c.network = p_network and c.wallet_group = i
      ))
    )
  end into v_group;
  if v_group is not null then
    with new_wallets as (
      select r.pay_to from unnest(v_wallets) r (pay_to)
      where not exists (select 1 from public.chain_wallets w where w.network = p_network and w.pay_to = r.pay_to)
    ),
    wallet_group as (
      insert into public.chain_cursors (network, wallet_group, since)
      select p_network, v_group, v_since where exists (select 1 from new_wallets)
      on conflict do nothing
    )
    insert into public.chain_wallets (network, pay_to, wallet_group, since, advertised_at)
    select p_network, n.pay_to, v_group,
      -- A group that was created earlier and has not been read yet keeps its start time.
      coalesce(
        (select c.since from public.chain_cursors c where c.network = p_network and c.wallet_group = v_group), v_since
      ),
      p_now
    from new_wallets n;
    get diagnostics v_added = row_count;
    -- The raised revision discards read steps that began without the new wallets.
    update public.chain_cursors c set revision = c.revision + 1
    where c.network = p_network and c.wallet_group = v_group and v_added > 0;
    update public.chain_cursors c set funded_on = v_today
    where c.network = p_network and c.wallet_group = 0 and v_chooses;
  end if;
  return query select v_added, v_removed;
end;
$$;

-- Returns the wallet groups of a network that can be read now, with their wallets. The groups above 0 can be read after
-- group 0 has first caught up with the chain. `until_block` is the last block that group 0 has read; the groups above 0
-- are read up to this block.
create function public.list_wallet_groups(p_network text)
returns table (
  wallet_group integer, revision bigint, since timestamptz, from_block bigint, next_block bigint, anchors jsonb,
  span integer, until_block bigint, wallets text[]
)
language sql stable
as $$
  select c.wallet_group, c.revision, c.since, c.from_block, c.next_block, c.anchors, c.span,
    case when c.wallet_group > 0 then f.next_block - 1 end,
    array(
      select w.pay_to from public.chain_wallets w
      where w.network = c.network and w.wallet_group = c.wallet_group order by 1
    )
  from public.chain_cursors c
  join public.chain_cursors f on f.network = c.network and f.wallet_group = 0
  where c.network = p_network and (c.wallet_group = 0 or f.caught_up_at is not null)
  order by c.wallet_group;
$$;

-- Adds times to the anchors of a read step (blocks that are kept to detect reorgs). A known anchor keeps its time. The
-- last anchor gets the end time of the step.
create function internal.add_anchor_times(p_anchors jsonb, p_known jsonb, p_through_at timestamptz)
returns jsonb
language sql immutable
as $$
  select coalesce(
    jsonb_agg(
      a || jsonb_build_object('at', coalesce(
        nullif(k -> 'at', 'null'), case when ordinality = jsonb_array_length(p_anchors) then to_jsonb(p_through_at) end
      )) order by ordinality
    ), '[]'
  )
  from jsonb_array_elements(p_anchors) with ordinality g (a, ordinality)
  left join jsonb_array_elements(p_known) k on k -> 'number' = a -> 'number' and k -> 'hash' = a -> 'hash';
$$;

-- Removes the settlements from block p_from on after a reorg, in every wallet group of a network. Sets each group back,
-- so these blocks are read again. Until then, the data of the group ends at the time of its last valid anchor. If that
-- anchor has no time, the wallets of the group count as not measured. Returns the number of removed settlements.
create function internal.revert_settlements(p_network text, p_from bigint)
returns integer
language plpgsql
as $$
declare
  v_removed integer;
  v_first_day date;
begin
  with deleted as (
    delete from public.settlements s where s.network = p_network and s.block_number >= p_from
    returning s.pay_to, (s.at at time zone 'UTC')::date as day, s.payer, s.amount, s.kind
  ),
  sums as (
    select g.pay_to, g.day, g.payer, count(*) as settlements, sum(g.amount) as volume
    from deleted g where g.kind = 'x402' group by 1, 2, 3
  ),
  reduced as (
    update public.wallet_payer_days d
    set settlements = d.settlements - u.settlements, volume = d.volume - u.volume
    from sums u
    where d.network = p_network and d.pay_to = u.pay_to and d.day = u.day and d.payer = u.payer
  ),
  reduced_sent as (
    update public.wallet_sent_days d set volume = d.volume - u.volume
    from (
      select g.payer, g.day, g.pay_to, sum(g.amount) as volume from deleted g where g.kind = 'sent' group by 1, 2, 3
    ) u
    where d.network = p_network and d.wallet = u.payer and d.day = u.day and d.recipient = u.pay_to
  )
  select count(*), min(g.day) into v_removed, v_first_day from deleted g;
  delete from public.wallet_payer_days d
  where d.network = p_network and d.day >= v_first_day and d.settlements = 0;
  delete from public.wallet_sent_days d
  where d.network = p_network and d.day >= v_first_day and d.volume = 0;

  update public.chain_cursors c set
    next_block = case when c.next_block > p_from then greatest(p_from, c.from_block) else c.next_block end,
    anchors = s.anchors,
    through_at = case when c.next_block > p_from then (s.anchors -> -1 ->> 'at')::timestamptz else c.through_at end,
    revision = c.revision + 1
  from public.chain_cursors o
  cross join lateral (
    select coalesce(jsonb_agg(a order by (a ->> 'number')::bigint), '[]') as anchors
    from jsonb_array_elements(o.anchors) a where (a ->> 'number')::bigint < p_from
  ) s
  where c.network = p_network and o.network = c.network and o.wallet_group = c.wallet_group;
  return v_removed;
end;
$$;

-- Stores the settlements and the end position of a read step in one transaction. p_step: { cursor: { fromBlock,
-- nextBlock, anchors, span }, throughAt, caughtUp, removedFrom, tooBusy }; p_rows: rows of `settlements`. Returns the
-- numbers of new and of removed settlements. `stale` is true if the group has changed since the step began, or if group
-- 0 has been set back behind the end of the step; then nothing is stored.
create function public.record_settlements(
  p_network text, p_group integer, p_revision bigint, p_now timestamptz, p_step jsonb, p_rows jsonb
)
returns table (recorded integer, removed integer, stale boolean)
language plpgsql
as $$
declare
  v_head public.chain_cursors;
  v_next_block bigint := (p_step -> 'cursor' ->> 'nextBlock')::bigint;
  v_removed integer := 0;
  v_recorded integer;
begin
  -- Locks all groups of the network, group 0 first. So only one step at a time changes the rows that the groups share.
  perform 1 from public.chain_cursors c where c.network = p_network order by c.wallet_group for update;
  select c.* into v_head from public.chain_cursors c where c.network = p_network and c.wallet_group = 0;
  if not exists (
    select 1 from public.chain_cursors c
    where c.network = p_network and c.wallet_group = p_group and c.revision = p_revision
  ) or (p_group > 0 and v_next_block > v_head.next_block) then
    return query select 0, 0, true;
    return;
  end if;

  if p_step ->> 'removedFrom' is not null then
    v_removed := internal.revert_settlements(p_network, (p_step ->> 'removedFrom')::bigint);
  end if;

  with inserted as (
    insert into public.settlements
    select * from jsonb_populate_recordset(null::public.settlements, p_rows) r
    -- Test purchases of this service do not count as payments of payers.
    where r.kind <> 'x402' or not exists (select from public.own_wallets o where o.address = r.payer)
    on conflict do nothing
    returning pay_to, at, (at at time zone 'UTC')::date as day, payer, amount, kind, facilitator
  ),
  named as (
    insert into public.wallet_facilitators as w (network, pay_to, facilitator, settled_at)
    select p_network, f.pay_to, f.facilitator, max(f.at)
    from inserted f where f.facilitator is not null group by 1, 2, 3
    order by 1, 2, 3
    on conflict (network, pay_to, facilitator) do update set settled_at = excluded.settled_at
    where w.settled_at < excluded.settled_at
  ),
  counted as (
    insert into public.wallet_payer_days as d (network, pay_to, day, payer, settlements, volume)
    select p_network, f.pay_to, f.day, f.payer, count(*), sum(f.amount)
    from inserted f where f.kind = 'x402' group by f.pay_to, f.day, f.payer
    on conflict (network, pay_to, day, payer) do update set
      settlements = d.settlements + excluded.settlements, volume = d.volume + excluded.volume
  ),
  counted_sent as (
    insert into public.wallet_sent_days as d (network, wallet, day, recipient, volume)
    select p_network, f.payer, f.day, f.pay_to, sum(f.amount)
    from inserted f where f.kind = 'sent' group by f.payer, f.day, f.pay_to
    on conflict (network, wallet, day, recipient) do update set volume = d.volume + excluded.volume
  )
  select count(*) into v_recorded from inserted f;

  update public.chain_cursors c set
    from_block = (p_step -> 'cursor' ->> 'fromBlock')::bigint,
    next_block = v_next_block,
    anchors = internal.add_anchor_times(
      p_step -> 'cursor' -> 'anchors', c.anchors, (p_step ->> 'throughAt')::timestamptz
    ),
    span = (p_step -> 'cursor' ->> 'span')::integer,
    through_at = coalesce((p_step ->> 'throughAt')::timestamptz, c.through_at),
    caught_up_at = case when (p_step ->> 'caughtUp')::boolean then p_now else c.caught_up_at end,
    revision = c.revision + 1
  where c.network = p_network and c.wallet_group = p_group;

  -- The raised revision of the group discards read steps that began with the skipped wallets.
  update public.chain_wallets w set wallet_group = null, since = p_now
  where w.network = p_network and w.wallet_group = p_group and p_step -> 'tooBusy' ? w.pay_to;

  -- When the group and group 0 have been read up to the same block, the wallets of the group join group 0. The raised
  -- revision discards read steps of group 0 that began without these wallets.
  if p_group > 0 and exists (
    select 1 from public.chain_cursors c join public.chain_cursors f on f.network = c.network and f.wallet_group = 0
    where c.network = p_network and c.wallet_group = p_group and c.next_block = f.next_block
      and (c.anchors -> -1) - 'at' = (f.anchors -> -1) - 'at'
  ) then
    update public.chain_wallets w set wallet_group = 0 where w.network = p_network and w.wallet_group = p_group;
    delete from public.chain_cursors c where c.network = p_network and c.wallet_group = p_group;
    update public.chain_cursors c set revision = c.revision + 1 where c.network = p_network and c.wallet_group = 0;
  end if;
  return query select v_recorded, v_removed, false;
end;
$$;

-- Returns figures of the x402 settlements of sets of wallets in the last 30 days, including today. A payment between two
-- wallets of a set is a self-payment and is reported separately. Each wallet has its own figures: what was paid to it,
-- whether or not it was sent back. Each set has a total, in which a payer that pays several wallets counts once.
-- From the total, what was sent to a payer is taken off its payments, down to zero: what the measured wallets of the set
-- sent to the payer, and what wallets sent to the payer that the set funded. For each network, these are at most three
-- wallets to which the set sent most, and at least a tenth of its payments. A wallet counts as funded if it was
-- completely read, and more than half of the USDC that it received in the 30 days came from the set. So the customers of
-- an exchange are no recipients of returned money. A funded wallet returns at most what the set sent to it, without what
-- the wallet itself sent to the set.
-- A wallet is measured if all blocks of the 30 days were read; only blocks of the last 24 hours may be missing. The
-- figures of other wallets are null.
-- p_sets: [[{ network, payTo, isCounted }]]. A wallet with isCounted false belongs to the set, but settlements to this
-- wallet are not read. Many endpoints share their wallets, so callers send each set only once.
-- Returns one row for each set, numbered from 1. `wallets`: [{ network, payTo, throughBlock, throughAt, figures }],
-- with figures { volume, settlements, payers, topVolume, lastSettledAt, selfVolume, selfSettlements }. `total`:
-- { volume, returned, settlements, payers, repeatPayers, topVolume, returnedBy }; null if the measured wallets received no
-- payment except self-payments. `returnedBy`: [{ network, wallet, isFunded, volume }], the three wallets that sent most
-- back to payers. Volumes are text. In `total`, `volume` is what stayed, `returned` what was sent back to payers,
-- `payers` are payers of which something stayed, and `repeatPayers` those of them that paid on at least two UTC days.
-- `settlements` includes returned payments. `payers`, only if p_lists_payers is true: the addresses of the payers that
-- `total` counts.
create function public.settlement_figures(p_sets jsonb, p_now timestamptz, p_lists_payers boolean default false)
returns table (set_number integer, wallets jsonb, total jsonb, payers text[])
language sql stable
-- JIT compilation would take seconds, but the query takes a fraction of a second. The planner does not know the number
-- of wallets and would start JIT compilation because it overestimates the cost.
set jit = off
as $$
  with requested as (
    select s.n::integer as n, a.network, internal.normalize_wallet(a.network, a."payTo") as pay_to,
      bool_or(a."isCounted") as is_counted
    from jsonb_array_elements(p_sets) with ordinality as s (wallets, n)
    cross join lateral jsonb_to_recordset(s.wallets) as a (network text, "payTo" text, "isCounted" boolean)
    group by 1, 2, 3
  ),
  known as (
    select a.n, a.network, a.pay_to, c.next_block - 1 as through_block, c.through_at,
      coalesce(
        a.is_counted and w.wallet_group = 0 and c.through_at >= p_now - interval '1 day'
          and w.since <= (((p_now at time zone 'UTC')::date - 29)::timestamp at time zone 'UTC'),
        false
      ) as measured
    from requested a
    left join public.chain_wallets w on w.network = a.network and w.pay_to = a.pay_to
    left join public.chain_cursors c on c.network = w.network and c.wallet_group = w.wallet_group
  ),
  paid as materialized (
    select k.n, k.network, k.pay_to, d.payer, d.volume, d.settlements, d.first_day, d.last_day,
      (k.n, d.payer) in (select a.n, a.pay_to from requested a) as self
    from known k cross join lateral (
      select p.payer, sum(p.volume) as volume, sum(p.settlements) as settlements, min(p.day) as first_day,
        max(p.day) as last_day
      from public.wallet_payer_days p
      where p.network = k.network and p.pay_to = k.pay_to and p.day > (p_now at time zone 'UTC')::date - 30
        and p.day <= (p_now at time zone 'UTC')::date
      group by p.payer
    ) d
    where k.measured
  ),
  sent as materialized (
    select k.n, k.network, k.pay_to as wallet, d.recipient, sum(d.volume) as volume
    from known k join public.wallet_sent_days d on d.network = k.network and d.wallet = k.pay_to
    where k.measured and d.day > (p_now at time zone 'UTC')::date - 30 and d.day <= (p_now at time zone 'UTC')::date
      and (k.n, d.recipient) not in (select a.n, a.pay_to from requested a)
    group by 1, 2, 3, 4
  ),
  funded as (
    select l.n, l.network, l.recipient as wallet, l.volume - l.sent_back as volume
    from (
      select c.*, row_number() over (
          partition by c.n, c.network order by c.volume - c.sent_back desc, c.recipient
        ) as rank
      from (
        select s.n, s.network, s.recipient, s.volume, coalesce((
            select sum(d.volume) from public.wallet_sent_days d
            where d.network = s.network and d.wallet = s.recipient
              and d.day > (p_now at time zone 'UTC')::date - 30 and d.day <= (p_now at time zone 'UTC')::date
              and d.recipient in (select a.pay_to from requested a where a.n = s.n)
          ), 0) as sent_back
        from (select s.n, s.network, s.recipient, sum(s.volume) as volume from sent s group by 1, 2, 3) s
        join public.chain_wallets w on w.network = s.network and w.pay_to = s.recipient and w.wallet_group = 0
        where w.since <= (((p_now at time zone 'UTC')::date - 29)::timestamp at time zone 'UTC')
          and s.volume * 10 >= (
            select sum(p.volume) from paid p where p.n = s.n and p.network = s.network and not p.self
          )
      ) c
      where c.volume > c.sent_back
    ) l
    where l.rank <= 3 and l.volume * 2 > (
      select sum(t.amount) from public.settlements t
      where t.network = l.network and t.pay_to = l.recipient and t.kind <> 'sent' and t.at <= p_now
        and t.at >= (((p_now at time zone 'UTC')::date - 29)::timestamp at time zone 'UTC')
    )
  ),
  forwarded as (
    select r.n, r.network, r.wallet, r.recipient,
      least(r.volume, greatest(r.funded - (r.running - r.volume), 0)) as volume
    from (
      select f.n, f.network, f.wallet, d.recipient, f.volume as funded, sum(d.volume) as volume,
        sum(sum(d.volume)) over (partition by f.n, f.network, f.wallet order by d.recipient) as running
      from funded f join public.wallet_sent_days d on d.network = f.network and d.wallet = f.wallet
      where d.day > (p_now at time zone 'UTC')::date - 30 and d.day <= (p_now at time zone 'UTC')::date
        and (f.n, d.recipient) in (select p.n, p.payer from paid p where not p.self)
      group by f.n, f.network, f.wallet, f.volume, d.recipient
    ) r
  ),
  -- What each wallet sent back to each payer. What several wallets sent to one payer counts in the order of the wallets,
  -- up to what the payer paid.
  returns as materialized (
    select r.n, r.network, r.wallet, r.is_funded, r.recipient,
      least(r.volume, greatest(r.paid - (r.running - r.volume), 0)) as volume
    from (
      select b.*, p.paid, sum(b.volume) over (
          partition by b.n, b.recipient order by b.is_funded, b.network, b.wallet
        ) as running
      from (
        select s.n, s.network, s.wallet, false as is_funded, s.recipient, s.volume from sent s
        union all select f.n, f.network, f.wallet, true, f.recipient, f.volume from forwarded f
      ) b
      join (select p.n, p.payer, sum(p.volume) as paid from paid p where not p.self group by 1, 2) p
        on p.n = b.n and p.payer = b.recipient
    ) r
  ),
  returned_by as (
    select r.n, jsonb_agg(jsonb_build_object(
      'network', r.network, 'wallet', r.wallet, 'isFunded', r.is_funded, 'volume', r.volume::text
    ) order by r.rank) as wallets
    from (
      select s.n, s.network, s.wallet, s.is_funded, sum(s.volume) as volume,
        row_number() over (partition by s.n order by sum(s.volume) desc, s.network, s.wallet) as rank
      from returns s group by 1, 2, 3, 4 having sum(s.volume) > 0
    ) r
    where r.rank <= 3
    group by 1
  ),
  figures as (
    select p.n, p.network, p.pay_to,
      coalesce(sum(p.volume) filter (where not p.self), 0) as volume,
      coalesce(sum(p.settlements) filter (where not p.self), 0) as settlements,
      count(*) filter (where not p.self) as payers,
      coalesce(max(p.volume) filter (where not p.self), 0) as top,
      coalesce(sum(p.volume) filter (where p.self), 0) as self_volume,
      coalesce(sum(p.settlements) filter (where p.self), 0) as self_settlements
    from paid p group by 1, 2, 3
  ),
  totals as (
    select b.n, sum(b.volume) as volume, sum(b.paid - b.volume) as returned, sum(b.settlements) as settlements,
      count(*) filter (where b.volume > 0) as payers,
      count(*) filter (where b.volume > 0 and b.first_day < b.last_day) as repeat_payers, max(b.volume) as top,
      array_agg(b.payer) filter (where p_lists_payers and b.volume > 0) as addresses
    from (
      select p.n, p.payer, sum(p.volume) as paid, sum(p.volume) - coalesce(max(r.volume), 0) as volume,
        sum(p.settlements) as settlements, min(p.first_day) as first_day, max(p.last_day) as last_day
      from paid p left join (
        select s.n, s.recipient, sum(s.volume) as volume from returns s group by 1, 2
      ) r on r.n = p.n and r.recipient = p.payer
      where not p.self
      group by p.n, p.payer
    ) b
    group by 1
  )
  select k.n,
    jsonb_agg(jsonb_build_object(
      'network', k.network, 'payTo', k.pay_to, 'throughBlock', k.through_block, 'throughAt', k.through_at,
      'figures', case when k.measured then jsonb_build_object(
        'volume', coalesce(f.volume, 0)::text, 'settlements', coalesce(f.settlements, 0),
        'payers', coalesce(f.payers, 0), 'topVolume', coalesce(f.top, 0)::text, 'lastSettledAt', l.at,
        'selfVolume', coalesce(f.self_volume, 0)::text, 'selfSettlements', coalesce(f.self_settlements, 0)
      ) end
    ) order by k.network, k.pay_to),
    (
      select jsonb_build_object(
        'volume', t.volume::text, 'returned', t.returned::text, 'settlements', t.settlements, 'payers', t.payers,
        'repeatPayers', t.repeat_payers, 'topVolume', t.top::text,
        'returnedBy', coalesce((select b.wallets from returned_by b where b.n = k.n), '[]')
      ) from totals t where t.n = k.n
    ),
    (select t.addresses from totals t where t.n = k.n)
  from known k
  left join figures f on f.n = k.n and f.network = k.network and f.pay_to = k.pay_to
  left join lateral (
    select t.at from public.settlements t
    where t.network = k.network and t.pay_to = k.pay_to and t.at <= p_now and t.kind = 'x402'
      and (k.n, t.payer) not in (select a.n, a.pay_to from requested a)
    order by t.at desc limit 1
  ) l on k.measured
  group by k.n
  order by k.n;
$$;

-- Returns the x402 settlements of the last 30 days to the wallets that listed endpoints advertise: `settledVolumeUsd30d`
-- (text with six decimals), `receivers30d` and `payers30d`. All three are null if no wallet was measured. Volume and
-- payers are those of `settlement_figures`, so what was sent back to a payer is taken off. A receiver is an address to
-- which payments were made that are part of the volume. A set of wallets contains the wallets of one endpoint. A wallet
-- that several sets contain is counted in the largest of these sets. A payer or receiver with one address on several
-- networks counts once. All assets that are read have six decimals.
create function internal.compute_settled(p_now timestamptz)
returns jsonb
language sql stable
as $$
  with sets as materialized (
    select d.wallets, row_number() over (order by cardinality(d.wallets) desc, d.wallets) as n
    from (
      select distinct array_agg(w.network || ' ' || w.pay_to order by w.network collate "C", w.pay_to collate "C")
        as wallets
      from public.endpoint_wallets w where w.challenged group by w.endpoint_id
    ) d
  ),
  members as (
    select s.n, w.wallet, s.n = min(s.n) over (partition by w.wallet) as is_counted
    from sets s cross join lateral unnest(s.wallets) w (wallet)
  ),
  -- The cost of a call grows with the square of the number of its wallets.
  calls as (
    select jsonb_agg(c.wallets) as sets from (
      select m.n, row_number() over (order by m.n) / 100 as call_number, jsonb_agg(jsonb_build_object(
        'network', split_part(m.wallet, ' ', 1), 'payTo', split_part(m.wallet, ' ', 2), 'isCounted', m.is_counted
      )) as wallets
      from members m group by m.n having bool_or(m.is_counted)
    ) c
    group by c.call_number
  ),
  settled as materialized (
    select f.wallets, (f.total ->> 'volume')::numeric as volume, f.payers
    from calls c cross join lateral public.settlement_figures(c.sets, p_now, true) f
  ),
  receivers as (
    select count(distinct w."payTo") filter (where s.volume > 0 and (w.figures ->> 'settlements')::bigint > 0) as n,
      count(w.figures) as measured
    from settled s cross join lateral jsonb_to_recordset(s.wallets) as w ("payTo" text, figures jsonb)
  )
  select jsonb_build_object(
    'settledVolumeUsd30d', case when r.measured > 0 then (
      select round(coalesce(sum(s.volume), 0) / 1000000, 6)::text from settled s
    ) end,
    'receivers30d', case when r.measured > 0 then r.n end,
    'payers30d', case when r.measured > 0 then (
      select count(distinct p.address) from settled s cross join lateral unnest(s.payers) p (address)
    ) end
  )
  from receivers r;
$$;

-- Deletes up to p_limit settlements that are older than p_keep_from. Returns their number. Block numbers of a network are
-- in time order, so the query finds the oldest settlements by block number.
create function public.prune_settlements(p_keep_from date, p_limit integer)
returns integer
language sql
as $$
  with old as (
    select o.network, o.transaction, o.log_index
    from (select distinct c.network from public.chain_cursors c) n
    cross join lateral (
      select s.network, s.transaction, s.log_index, s.at from public.settlements s
      where s.network = n.network order by s.block_number limit p_limit
    ) o
    where o.at < p_keep_from::timestamp at time zone 'UTC'
    limit p_limit
  ),
  deleted as (
    delete from public.settlements s using old o
    where s.network = o.network and s.transaction = o.transaction and s.log_index = o.log_index
    returning 1
  )
  select count(*)::integer from deleted;
$$;
