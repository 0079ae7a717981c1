-- Settlements: which wallets are read from which block on, what was found there, and the figures of a wallet.

-- True for what can be a wallet of the network and is not a place where money is burnt.
create function internal.is_wallet(p_network text, p_pay_to text)
returns boolean
language sql immutable
as $$
  select case
    when p_network like 'eip155:%' then
      p_pay_to ~ '^0x[0-9a-f]{40}$' and p_pay_to !~ '^0x(0{39}[01]|0*dead|dead0{8}.*|(dead)+)$'
    when p_network like 'solana:%' then
      p_pay_to ~ '^[1-9A-HJ-NP-Za-km-z]{32,44}$' and p_pay_to !~ '^1+$' and p_pay_to not like '1nc1nerator%'
    else false
  end;
$$;

-- Adds the wallets that are advertised on a network and are not read yet, and lets go of those that nobody has
-- advertised for p_keep_days. New ones are read from 30 days before the beginning of the day, all that come before a
-- lane has begun in the same lane; with eight lanes at work the others wait for the next call.
-- Returns how many were added and let go.
create function public.open_chain_lanes(p_network text, p_now timestamptz, p_keep_days integer)
returns table (added integer, let_go integer)
language plpgsql
set search_path = ''
as $$
declare
  v_since timestamptz := (((p_now at time zone 'UTC')::date - 30)::timestamp at time zone 'UTC');
  v_lane integer;
  v_added integer := 0;
  v_let_go integer;
begin
  -- Two workers open lanes of one network one after the other.
  perform pg_advisory_xact_lock(hashtext('public.chain_cursors ' || p_network));
  update public.chain_wallets w set advertised_at = p_now
  where w.network = p_network and w.advertised_at <= p_now - interval '1 day'
    and exists (select 1 from public.endpoint_wallets e where e.network = w.network and e.pay_to = w.pay_to);
  delete from public.chain_wallets w
  where w.network = p_network and w.advertised_at < p_now - make_interval(days => p_keep_days);
  get diagnostics v_let_go = row_count;
  delete from public.chain_cursors c
  where c.network = p_network and c.lane > 0
    and not exists (select 1 from public.chain_wallets w where w.network = c.network and w.lane = c.lane);

  -- The first lane follows the head; later ones catch up with it.
  select case
    when not exists (select 1 from public.chain_cursors c where c.network = p_network) then 0
    else coalesce(
      (select min(c.lane) from public.chain_cursors c where c.network = p_network and c.next_block is null),
      (select min(i) from generate_series(1, 8) i where not exists (
        select 1 from public.chain_cursors c where c.network = p_network and c.lane = i
      ))
    )
  end into v_lane;
  if v_lane is not null then
    with news as (
      select distinct e.pay_to from public.endpoint_wallets e
      where e.network = p_network and internal.is_wallet(e.network, e.pay_to)
        and not exists (select 1 from public.chain_wallets w where w.network = e.network and w.pay_to = e.pay_to)
    ),
    lane as (
      insert into public.chain_cursors (network, lane, since)
      select p_network, v_lane, v_since where exists (select 1 from news)
      on conflict do nothing
    )
    insert into public.chain_wallets (network, pay_to, lane, since, advertised_at)
    select p_network, n.pay_to, v_lane,
      -- One that was opened earlier and has not begun begins where it was to begin.
      coalesce((select c.since from public.chain_cursors c where c.network = p_network and c.lane = v_lane), v_since),
      p_now
    from news n;
    get diagnostics v_added = row_count;
    -- A step that was read without them is void.
    update public.chain_cursors c set revision = c.revision + 1
    where c.network = p_network and c.lane = v_lane and v_added > 0;
  end if;
  return query select v_added, v_let_go;
end;
$$;

-- The lanes of a network that can be read now, with their wallets, a row each. The others wait until lane 0 has caught
-- up once, and are read up to where it is.
create function public.wallets_to_read(p_network text)
returns table (
  lane integer, revision bigint, since timestamptz, from_block bigint, next_block bigint, anchors jsonb, span integer,
  until_block bigint, wallets text[]
)
language sql stable
set search_path = ''
as $$
  select c.lane, c.revision, c.since, c.from_block, c.next_block, c.anchors, c.span,
    case when c.lane > 0 then f.next_block - 1 end,
    array(select w.pay_to from public.chain_wallets w where w.network = c.network and w.lane = c.lane order by 1)
  from public.chain_cursors c
  join public.chain_cursors f on f.network = c.network and f.lane = 0
  where c.network = p_network and (c.lane = 0 or f.caught_up_at is not null)
  order by c.lane;
$$;

-- Takes back what was read of a network from a block on, in every lane.
create function internal.take_back_settlements(p_network text, p_from bigint)
returns integer
language plpgsql
set search_path = ''
as $$
declare
  v_removed integer;
  v_first_day date;
begin
  with gone as (
    delete from public.settlements s where s.network = p_network and s.block_number >= p_from
    returning s.pay_to, (s.at at time zone 'UTC')::date as day, s.payer, s.amount, s.kind
  ),
  sums as (
    select g.pay_to, g.day, g.payer, count(*) as settlements, sum(g.amount) as volume
    from gone g where g.kind = 'x402' group by 1, 2, 3
  ),
  less as (
    update public.wallet_payer_days d
    set settlements = d.settlements - u.settlements, volume = d.volume - u.volume
    from sums u
    where d.network = p_network and d.pay_to = u.pay_to and d.day = u.day and d.payer = u.payer
  )
  select count(*), min(g.day) into v_removed, v_first_day from gone g;
  delete from public.wallet_payer_days d
  where d.network = p_network and d.day >= v_first_day and d.settlements = 0;

  update public.chain_cursors c set
    next_block = case when c.next_block > p_from then greatest(p_from, c.from_block) else c.next_block end,
    anchors = coalesce(
      (select jsonb_agg(a order by (a ->> 'number')::bigint) from jsonb_array_elements(c.anchors) a
       where (a ->> 'number')::bigint < p_from), '[]'),
    revision = c.revision + 1
  where c.network = p_network;
  return v_removed;
end;
$$;

-- Stores what a step found and where it ended, together or not at all.
-- p_step: { cursor: { fromBlock, nextBlock, anchors, span }, throughAt, caughtUp, removedFrom }; p_rows: settlements.
-- Returns how many rows are new and how many were taken back, the wallets whose figures changed, and whether the step was
-- void (stale): somebody else has changed the lane since it was read.
create function public.record_settlements(
  p_network text, p_lane integer, p_revision bigint, p_now timestamptz, p_step jsonb, p_rows jsonb
)
returns table (recorded integer, removed integer, wallets text[], stale boolean)
language plpgsql
set search_path = ''
as $$
declare
  v_head public.chain_cursors;
  v_next bigint := (p_step -> 'cursor' ->> 'nextBlock')::bigint;
  v_removed integer := 0;
  v_recorded integer;
  v_wallets text[];
begin
  -- All lanes of the network are locked, lane 0 first: one step at a time changes what they share.
  perform 1 from public.chain_cursors c where c.network = p_network order by c.lane for update;
  select c.* into v_head from public.chain_cursors c where c.network = p_network and c.lane = 0;
  if not exists (
    select 1 from public.chain_cursors c
    where c.network = p_network and c.lane = p_lane and c.revision = p_revision
  ) or (p_lane > 0 and v_next > v_head.next_block) then
    return query select 0, 0, '{}'::text[], true;
    return;
  end if;

  if p_step ->> 'removedFrom' is not null then
    v_removed := internal.take_back_settlements(p_network, (p_step ->> 'removedFrom')::bigint);
  end if;

  with given as (
    select r.* from jsonb_to_recordset(p_rows) as r (
      transaction text, "logIndex" integer, "blockNumber" bigint, "blockHash" text, at timestamptz, payer text,
      "payTo" text, asset text, amount numeric, kind text, facilitator text
    )
  ),
  fresh as (
    insert into public.settlements (
      network, transaction, log_index, block_number, block_hash, at, payer, pay_to, asset, amount, kind, facilitator
    )
    select p_network, g.transaction, g."logIndex", g."blockNumber", g."blockHash", g.at, g.payer, g."payTo", g.asset,
      g.amount, g.kind, g.facilitator
    from given g
    on conflict do nothing
    returning pay_to, (at at time zone 'UTC')::date as day, payer, amount, kind
  ),
  counted as (
    insert into public.wallet_payer_days as d (network, pay_to, day, payer, settlements, volume)
    select p_network, f.pay_to, f.day, f.payer, count(*), sum(f.amount)
    from fresh f where f.kind = 'x402' group by f.pay_to, f.day, f.payer
    on conflict (network, pay_to, day, payer) do update set
      settlements = d.settlements + excluded.settlements, volume = d.volume + excluded.volume
  )
  select count(*), coalesce(array_agg(distinct f.pay_to) filter (where f.kind = 'x402'), '{}')
  into v_recorded, v_wallets from fresh f;

  update public.chain_cursors c set
    from_block = (p_step -> 'cursor' ->> 'fromBlock')::bigint,
    next_block = v_next,
    anchors = p_step -> 'cursor' -> 'anchors',
    span = (p_step -> 'cursor' ->> 'span')::integer,
    through_at = coalesce((p_step ->> 'throughAt')::timestamptz, c.through_at),
    caught_up_at = case when (p_step ->> 'caughtUp')::boolean then p_now else c.caught_up_at end,
    revision = c.revision + 1
  where c.network = p_network and c.lane = p_lane;
  perform internal.join_lane(p_network, p_lane);
  return query select v_recorded, v_removed, v_wallets, false;
end;
$$;

-- Lets the wallets of a lane go on in lane 0 when both have read up to the very same block.
create function internal.join_lane(p_network text, p_lane integer)
returns void
language plpgsql
set search_path = ''
as $$
begin
  if p_lane > 0 and exists (
    select 1 from public.chain_cursors c join public.chain_cursors f on f.network = c.network and f.lane = 0
    where c.network = p_network and c.lane = p_lane and c.next_block = f.next_block
      and (c.anchors -> -1) is not distinct from (f.anchors -> -1)
  ) then
    update public.chain_wallets w set lane = 0 where w.network = p_network and w.lane = p_lane;
    delete from public.chain_cursors c where c.network = p_network and c.lane = p_lane;
    -- A step of lane 0 that was read without them is void.
    update public.chain_cursors c set revision = c.revision + 1 where c.network = p_network and c.lane = 0;
  end if;
end;
$$;

-- What x402 settled with wallets in the last 30 days, today among them, self-payments apart. A wallet is measured when
-- everything since the first of these days was read up to at most a day ago; the figures of others are null.
-- p_wallets: [{ network, payTo }].
create function public.settlement_figures(p_wallets jsonb, p_now timestamptz)
returns table (
  network text, pay_to text, measured boolean, volume text, settlements bigint, payers bigint, top_payer_volume text,
  self_volume text, self_settlements bigint, last_settled_at timestamptz, through_block bigint, through_at timestamptz
)
language sql stable
set search_path = ''
as $$
  with asked as (
    select distinct a.network, internal.wallet_key(a.network, a."payTo") as pay_to
    from jsonb_to_recordset(p_wallets) as a (network text, "payTo" text)
  ),
  known as (
    select a.network, a.pay_to, c.next_block - 1 as through_block, c.through_at,
      coalesce(
        w.lane = 0 and c.through_at >= p_now - interval '1 day'
          and w.since <= (((p_now at time zone 'UTC')::date - 29)::timestamp at time zone 'UTC'),
        false
      ) as measured
    from asked a
    left join public.chain_wallets w on w.network = a.network and w.pay_to = a.pay_to
    left join public.chain_cursors c on c.network = w.network and c.lane = w.lane
  )
  select k.network, k.pay_to, k.measured, s.volume::text, s.settlements, s.payers, s.top::text, s.self_volume::text,
    s.self_settlements, l.at, k.through_block, k.through_at
  from known k
  left join lateral (
    select coalesce(sum(p.volume) filter (where not p.self), 0) as volume,
      coalesce(sum(p.settlements) filter (where not p.self), 0)::bigint as settlements,
      count(*) filter (where not p.self) as payers,
      coalesce(max(p.volume) filter (where not p.self), 0) as top,
      coalesce(sum(p.volume) filter (where p.self), 0) as self_volume,
      coalesce(sum(p.settlements) filter (where p.self), 0)::bigint as self_settlements
    from (
      select d.payer = d.pay_to as self, sum(d.volume) as volume, sum(d.settlements) as settlements
      from public.wallet_payer_days d
      where d.network = k.network and d.pay_to = k.pay_to and d.day > (p_now at time zone 'UTC')::date - 30
        and d.day <= (p_now at time zone 'UTC')::date
      group by d.payer, d.payer = d.pay_to
    ) p
  ) s on k.measured
  left join lateral (
    select t.at from public.settlements t
    where t.network = k.network and t.pay_to = k.pay_to and t.at <= p_now and t.kind = 'x402' and t.payer <> t.pay_to
    order by t.at desc limit 1
  ) l on k.measured;
$$;

-- What x402 settled with a wallet on each day from p_from to p_to on which it did; self-payments are in it, and apart.
create function public.wallet_days(p_network text, p_pay_to text, p_from date, p_to date)
returns table (day date, volume text, settlements bigint, payers bigint, self_volume text, self_settlements bigint)
language sql stable
set search_path = ''
as $$
  select d.day, sum(d.volume)::text, sum(d.settlements)::bigint, count(*),
    coalesce(sum(d.volume) filter (where d.payer = d.pay_to), 0)::text,
    coalesce(sum(d.settlements) filter (where d.payer = d.pay_to), 0)::bigint
  from public.wallet_payer_days d
  where d.network = p_network and d.pay_to = internal.wallet_key(p_network, p_pay_to) and d.day between p_from and p_to
  group by d.day order by d.day;
$$;

-- Deletes up to p_limit settlements and as many sums of days before p_keep_from; whoever calls goes on until there are
-- none. Blocks are in the order of time, so the oldest of each network come first.
create function public.prune_settlements(p_keep_from date, p_limit integer)
returns table (settlements integer, sums integer)
language sql
set search_path = ''
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
  gone as (
    delete from public.settlements s using old o
    where s.network = o.network and s.transaction = o.transaction and s.log_index = o.log_index
    returning 1
  ),
  old_sums as (
    delete from public.wallet_payer_days d using (
      select w.network, w.pay_to, w.day, w.payer from public.wallet_payer_days w
      where w.day < p_keep_from limit p_limit for update skip locked
    ) o
    where d.network = o.network and d.pay_to = o.pay_to and d.day = o.day and d.payer = o.payer
    returning 1
  )
  select (select count(*) from gone)::integer, (select count(*) from old_sums)::integer;
$$;
