-- Settlement figures: sums of the last 30 days and of single days, and deletion of old settlements.

-- Returns figures of the x402 settlements of sets of wallets in the last 30 days, including today. Each wallet has its
-- own figures, and each set has a total. In the total, a payer that pays several wallets counts once. A payment between
-- two wallets of a set is a self-payment and is reported separately.
-- A wallet is measured if all blocks of the 30 days were read; only blocks of the last 24 hours may be missing. The
-- figures of other wallets are null.
-- p_sets: [[{ network, payTo, isCounted }]]. A wallet with isCounted false belongs to the set, but settlements to this
-- wallet are not read. Many endpoints share their wallets, so callers send each set only once.
-- Returns one row for each set, numbered from 1. `wallets`: [{ network, payTo, throughBlock, throughAt, figures }],
-- with figures { volume, settlements, payers, topVolume, lastSettledAt, selfVolume, selfSettlements }. `total`: {
-- volume, settlements, payers, topVolume }; null if fewer than two wallets were measured, or if these received no
-- payment except self-payments. Volumes are text.
create function public.settlement_figures(p_sets jsonb, p_now timestamptz)
returns table (set_number integer, wallets jsonb, total jsonb)
language sql stable
set search_path = ''
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
    select k.n, k.network, k.pay_to, d.payer, d.volume, d.settlements,
      (k.n, d.payer) in (select a.n, a.pay_to from requested a) as self
    from known k cross join lateral (
      select p.payer, sum(p.volume) as volume, sum(p.settlements) as settlements
      from public.wallet_payer_days p
      where p.network = k.network and p.pay_to = k.pay_to and p.day > (p_now at time zone 'UTC')::date - 30
        and p.day <= (p_now at time zone 'UTC')::date
      group by p.payer
    ) d
    where k.measured
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
    select b.n, sum(b.volume) as volume, sum(b.settlements) as settlements, count(*) as payers, max(b.volume) as top
    from (
      select p.n, p.payer, sum(p.volume) as volume, sum(p.settlements) as settlements
      from paid p
      where not p.self and p.n in (select k.n from known k where k.measured group by k.n having count(*) > 1)
      group by 1, 2
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
        'volume', t.volume::text, 'settlements', t.settlements, 'payers', t.payers, 'topVolume', t.top::text
      ) from totals t where t.n = k.n
    )
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

-- Returns the x402 settlements of a wallet from p_from to p_to: one row for each day with settlements. The totals
-- include self-payments, which are also reported separately.
create function public.wallet_days(p_network text, p_pay_to text, p_from date, p_to date)
returns table (day date, volume text, settlements bigint, payers bigint, self_volume text, self_settlements bigint)
language sql stable
set search_path = ''
as $$
  select d.day, sum(d.volume)::text, sum(d.settlements)::bigint, count(*),
    coalesce(sum(d.volume) filter (where d.payer = d.pay_to), 0)::text,
    coalesce(sum(d.settlements) filter (where d.payer = d.pay_to), 0)::bigint
  from public.wallet_payer_days d
  where d.network = p_network and d.pay_to = internal.normalize_wallet(p_network, p_pay_to)
    and d.day between p_from and p_to
  group by d.day order by d.day;
$$;

-- Deletes up to p_limit settlements and up to p_limit daily sums that are older than p_keep_from. The caller repeats
-- the call until nothing is left. Block numbers of a network are in time order, so the query finds the oldest
-- settlements by block number.
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
  deleted as (
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
  select (select count(*) from deleted)::integer, (select count(*) from old_sums)::integer;
$$;
