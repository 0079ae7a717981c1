-- Recording of settlements: each read step stores its settlements once, together with its end position. After a reorg,
-- the settlements in invalid blocks are removed.

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
set search_path = ''
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
  )
  select count(*), min(g.day) into v_removed, v_first_day from deleted g;
  delete from public.wallet_payer_days d
  where d.network = p_network and d.day >= v_first_day and d.settlements = 0;

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
-- nextBlock, anchors, span }, throughAt, caughtUp, removedFrom, tooBusy }; p_rows: settlements. Returns the numbers of
-- new and of removed settlements. `stale` is true if the group has changed since the step began, or if group 0 has been
-- set back behind the end of the step; then nothing is stored.
create function public.record_settlements(
  p_network text, p_group integer, p_revision bigint, p_now timestamptz, p_step jsonb, p_rows jsonb
)
returns table (recorded integer, removed integer, stale boolean)
language plpgsql
set search_path = ''
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

  with given as (
    select r.* from jsonb_to_recordset(p_rows) as r (
      transaction text, "logIndex" integer, "blockNumber" bigint, "blockHash" text, at timestamptz, payer text,
      "payTo" text, asset text, amount numeric, kind text, facilitator text
    )
  ),
  inserted as (
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
    from inserted f where f.kind = 'x402' group by f.pay_to, f.day, f.payer
    on conflict (network, pay_to, day, payer) do update set
      settlements = d.settlements + excluded.settlements, volume = d.volume + excluded.volume
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
  perform internal.skip_wallets(p_network, p_group, p_now, p_step -> 'tooBusy');
  perform internal.merge_wallet_group(p_network, p_group);
  return query select v_recorded, v_removed, false;
end;
$$;

-- Moves the wallets of a group to group 0 when both groups have been read up to the same block.
create function internal.merge_wallet_group(p_network text, p_group integer)
returns void
language plpgsql
set search_path = ''
as $$
begin
  if p_group > 0 and exists (
    select 1 from public.chain_cursors c join public.chain_cursors f on f.network = c.network and f.wallet_group = 0
    where c.network = p_network and c.wallet_group = p_group and c.next_block = f.next_block
      and (c.anchors -> -1) - 'at' = (f.anchors -> -1) - 'at'
  ) then
    update public.chain_wallets w set wallet_group = 0 where w.network = p_network and w.wallet_group = p_group;
    delete from public.chain_cursors c where c.network = p_network and c.wallet_group = p_group;
    -- The raised revision discards steps of group 0 that began without these wallets.
    update public.chain_cursors c set revision = c.revision + 1 where c.network = p_network and c.wallet_group = 0;
  end if;
end;
$$;

-- Moves wallets with too many transfers to the group of skipped wallets. The caller has raised the revision of their
-- old group, which discards steps that began with these wallets.
create function internal.skip_wallets(p_network text, p_group integer, p_now timestamptz, p_wallets jsonb)
returns void
language plpgsql
set search_path = ''
as $$
begin
  if jsonb_array_length(coalesce(p_wallets, '[]')) > 0 then
    insert into public.chain_cursors (network, wallet_group, since) values (p_network, internal.skipped_group(), p_now)
    on conflict do nothing;
    update public.chain_wallets w set wallet_group = internal.skipped_group(), since = p_now
    where w.network = p_network and w.wallet_group = p_group and p_wallets ? w.pay_to;
  end if;
end;
$$;
