-- What a step of reading a chain found: stored once, with the place where it ended, and taken back after a re-org.

-- The anchors of a step, each with the time to which everything is known where it stands: the last one's is the end of the
-- step, the others have theirs from the steps that added them.
create function internal.dated_anchors(p_anchors jsonb, p_known jsonb, p_through_at timestamptz)
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

-- Takes back what was read of a network from a block on, in every lane. A lane is then known as far as its last anchor
-- that stands: what is read again is not measured meanwhile.
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
    anchors = s.anchors,
    through_at = case when c.next_block > p_from then (s.anchors -> -1 ->> 'at')::timestamptz else c.through_at end,
    revision = c.revision + 1
  from public.chain_cursors o
  cross join lateral (
    select coalesce(jsonb_agg(a order by (a ->> 'number')::bigint), '[]') as anchors
    from jsonb_array_elements(o.anchors) a where (a ->> 'number')::bigint < p_from
  ) s
  where c.network = p_network and o.network = c.network and o.lane = c.lane;
  return v_removed;
end;
$$;

-- Stores what a step found and where it ended, together or not at all.
-- p_step: { cursor: { fromBlock, nextBlock, anchors, span }, throughAt, caughtUp, removedFrom, tooBusy }; p_rows: settlements.
-- Returns how many rows are new and how many were taken back, and whether the step was void (stale): somebody else has
-- changed the lane since it was read.
create function public.record_settlements(
  p_network text, p_lane integer, p_revision bigint, p_now timestamptz, p_step jsonb, p_rows jsonb
)
returns table (recorded integer, removed integer, stale boolean)
language plpgsql
set search_path = ''
as $$
declare
  v_head public.chain_cursors;
  v_next bigint := (p_step -> 'cursor' ->> 'nextBlock')::bigint;
  v_removed integer := 0;
  v_recorded integer;
begin
  -- All lanes of the network are locked, lane 0 first: one step at a time changes what they share.
  perform 1 from public.chain_cursors c where c.network = p_network order by c.lane for update;
  select c.* into v_head from public.chain_cursors c where c.network = p_network and c.lane = 0;
  if not exists (
    select 1 from public.chain_cursors c
    where c.network = p_network and c.lane = p_lane and c.revision = p_revision
  ) or (p_lane > 0 and v_next > v_head.next_block) then
    return query select 0, 0, true;
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
  select count(*) into v_recorded from fresh f;

  update public.chain_cursors c set
    from_block = (p_step -> 'cursor' ->> 'fromBlock')::bigint,
    next_block = v_next,
    anchors = internal.dated_anchors(
      p_step -> 'cursor' -> 'anchors', c.anchors, (p_step ->> 'throughAt')::timestamptz
    ),
    span = (p_step -> 'cursor' ->> 'span')::integer,
    through_at = coalesce((p_step ->> 'throughAt')::timestamptz, c.through_at),
    caught_up_at = case when (p_step ->> 'caughtUp')::boolean then p_now else c.caught_up_at end,
    revision = c.revision + 1
  where c.network = p_network and c.lane = p_lane;
  perform internal.set_aside(p_network, p_lane, p_now, p_step -> 'tooBusy');
  perform internal.join_lane(p_network, p_lane);
  return query select v_recorded, v_removed, false;
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
      and (c.anchors -> -1) - 'at' = (f.anchors -> -1) - 'at'
  ) then
    update public.chain_wallets w set lane = 0 where w.network = p_network and w.lane = p_lane;
    delete from public.chain_cursors c where c.network = p_network and c.lane = p_lane;
    -- A step of lane 0 that was read without them is void.
    update public.chain_cursors c set revision = c.revision + 1 where c.network = p_network and c.lane = 0;
  end if;
end;
$$;

-- Sets wallets of a lane aside that are too busy to be read; a step that was read with them is void.
create function internal.set_aside(p_network text, p_lane integer, p_now timestamptz, p_wallets jsonb)
returns void
language plpgsql
set search_path = ''
as $$
begin
  if jsonb_array_length(coalesce(p_wallets, '[]')) > 0 then
    insert into public.chain_cursors (network, lane, since) values (p_network, internal.lane_set_aside(), p_now)
    on conflict do nothing;
    update public.chain_wallets w set lane = internal.lane_set_aside(), since = p_now
    where w.network = p_network and w.lane = p_lane and p_wallets ? w.pay_to;
  end if;
end;
$$;
