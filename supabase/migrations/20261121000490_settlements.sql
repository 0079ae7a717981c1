-- Which wallets are read on a chain, in which lane, and from which block on.

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

-- The lane of the wallets that are too busy to be read, such as those of exchanges, which anybody can advertise. Nobody
-- reads it, so they are not measured; `since` says when a wallet was set aside. After p_keep_days it is tried anew.
create function internal.lane_set_aside()
returns integer
language sql immutable
as $$ select 1000; $$;

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
  where w.network = p_network
    and case when w.lane = internal.lane_set_aside() then w.since else w.advertised_at end
      < p_now - make_interval(days => p_keep_days);
  get diagnostics v_let_go = row_count;
  delete from public.chain_cursors c
  where c.network = p_network and c.lane > 0
    and not exists (select 1 from public.chain_wallets w where w.network = c.network and w.lane = c.lane);

  -- The first lane follows the head; later ones catch up with it.
  select case
    when not exists (select 1 from public.chain_cursors c where c.network = p_network) then 0
    else coalesce(
      (select min(c.lane) from public.chain_cursors c where c.network = p_network and c.next_block is null
         and c.lane <> internal.lane_set_aside()),
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
  where c.network = p_network and c.lane <> internal.lane_set_aside()
    and (c.lane = 0 or f.caught_up_at is not null)
  order by c.lane;
$$;
