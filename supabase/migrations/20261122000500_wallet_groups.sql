-- Wallet groups: sets of wallets that are read together on a chain.

-- Returns true if p_pay_to is a valid wallet address of the network and not a burn address.
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

-- Returns the number of the group of skipped wallets. These wallets receive too many transfers to be read, for example
-- exchange wallets, which any endpoint can advertise. The group is never read, so its wallets are not measured. For a
-- skipped wallet, `since` is the time when it was skipped.
create function internal.skipped_group()
returns integer
language sql immutable
as $$ select 1000; $$;

-- Adds newly advertised wallets of a network to a wallet group, and removes wallets that no endpoint has advertised for
-- p_keep_days. Removes skipped wallets after p_keep_days, so they can be added and read again.
-- New wallets are read from 30 days before today. Wallets that are added before a group is first read share that group.
-- At most eight groups can catch up with group 0 at a time; further new wallets wait for a later call.
-- Returns the numbers of added and of removed wallets.
create function public.assign_wallet_groups(p_network text, p_now timestamptz, p_keep_days integer)
returns table (added integer, removed integer)
language plpgsql
set search_path = ''
as $$
declare
  v_since timestamptz := (((p_now at time zone 'UTC')::date - 30)::timestamp at time zone 'UTC');
  v_group integer;
  v_added integer := 0;
  v_removed integer;
begin
  -- Serializes calls for the same network.
  perform pg_advisory_xact_lock(hashtext('public.chain_cursors ' || p_network));
  update public.chain_wallets w set advertised_at = p_now
  where w.network = p_network and w.advertised_at <= p_now - interval '1 day'
    and exists (select 1 from public.endpoint_wallets e where e.network = w.network and e.pay_to = w.pay_to);
  delete from public.chain_wallets w
  where w.network = p_network
    and case when w.wallet_group = internal.skipped_group() then w.since else w.advertised_at end
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
      (select min(c.wallet_group) from public.chain_cursors c where c.network = p_network and c.next_block is null
         and c.wallet_group <> internal.skipped_group()),
      (select min(i) from generate_series(1, 8) i where not exists (
        select 1 from public.chain_cursors c where c.network = p_network and c.wallet_group = i
      ))
    )
  end into v_group;
  if v_group is not null then
    with new_wallets as (
      select distinct e.pay_to from public.endpoint_wallets e
      where e.network = p_network and internal.is_wallet(e.network, e.pay_to)
        and not exists (select 1 from public.chain_wallets w where w.network = e.network and w.pay_to = e.pay_to)
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
set search_path = ''
as $$
  select c.wallet_group, c.revision, c.since, c.from_block, c.next_block, c.anchors, c.span,
    case when c.wallet_group > 0 then f.next_block - 1 end,
    array(
      select w.pay_to from public.chain_wallets w
      where w.network = c.network and w.wallet_group = c.wallet_group order by 1
    )
  from public.chain_cursors c
  join public.chain_cursors f on f.network = c.network and f.wallet_group = 0
  where c.network = p_network and c.wallet_group <> internal.skipped_group()
    and (c.wallet_group = 0 or f.caught_up_at is not null)
  order by c.wallet_group;
$$;
