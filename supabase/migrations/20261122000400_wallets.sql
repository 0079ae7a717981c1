-- Wallets that endpoints advertise.

-- Returns a wallet address in comparable form: in lower case on EVM networks, otherwise unchanged.
create function internal.normalize_wallet(p_network text, p_pay_to text)
returns text
language sql immutable
as $$
  select case when p_network like 'eip155:%' then lower(p_pay_to) else p_pay_to end;
$$;

-- Replaces the stored wallets of endpoints with the wallets that they advertise now. The wallets of a delisted endpoint
-- stay with `challenged` false: payments to them are still read, but the wallets are not reported as shared between
-- endpoints. p_rows has the format of save_snapshots.
create function internal.store_endpoint_wallets(p_rows jsonb)
returns void
language sql
set search_path = ''
as $$
  with given as (
    select s.endpoint_id, s.host, s.public, s.pay_on,
      s.listing_status = 'listed' and coalesce((r -> 'detail' -> 'inputs' -> 'everChallenged')::boolean, false)
        as challenged
    from jsonb_array_elements(p_rows) r
    cross join lateral jsonb_to_record(r -> 'snapshot')
      as s (endpoint_id text, host text, public boolean, listing_status text, pay_on jsonb)
  ),
  advertised as (
    select distinct o.network, internal.normalize_wallet(o.network, o."payTo") as pay_to, g.host, g.endpoint_id,
      g.challenged
    from given g cross join lateral jsonb_to_recordset(g.pay_on) as o (network text, "payTo" text)
    -- Longer texts are not wallet addresses and would not fit into the index.
    where g.public and length(o."payTo") between 1 and 200 and length(o.network) <= 100
  ),
  removed as (
    delete from public.endpoint_wallets w using given g
    where w.endpoint_id = g.endpoint_id and not exists (
      select 1 from advertised n where (n.network, n.pay_to, n.host, n.endpoint_id)
        = (w.network, w.pay_to, w.host, w.endpoint_id)
    )
  )
  insert into public.endpoint_wallets as w (network, pay_to, host, endpoint_id, challenged)
  select n.network, n.pay_to, n.host, n.endpoint_id, n.challenged from advertised n
  order by n.network, n.pay_to, n.host, n.endpoint_id
  on conflict (network, pay_to, host, endpoint_id) do update set challenged = excluded.challenged
  where w.challenged <> excluded.challenged;
$$;

-- Returns endpoints of other hosts that advertise a wallet of this endpoint. For each wallet, hosts are sorted by name,
-- and at most p_limit endpoints are read on each side of this endpoint's host.
create function internal.find_wallet_sharers(p_endpoint_id text, p_limit integer)
returns setof text
language sql stable
set search_path = ''
as $$
  select distinct o.endpoint_id
  from public.endpoint_wallets w cross join lateral (
    (
      select b.endpoint_id from public.endpoint_wallets b
      where b.network = w.network and b.pay_to = w.pay_to and b.host < w.host and b.challenged
      order by b.host desc limit p_limit
    )
    union all
    (
      select a.endpoint_id from public.endpoint_wallets a
      where a.network = w.network and a.pay_to = w.pay_to and a.host > w.host and a.challenged
      order by a.host limit p_limit
    )
  ) o
  where w.endpoint_id = p_endpoint_id;
$$;
