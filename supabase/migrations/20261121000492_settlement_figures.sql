-- What was settled with a wallet: its figures of 30 days and of each day, and how long they are kept.

-- What x402 settled with sets of wallets in the last 30 days, today among them: with each wallet, and with the wallets of a
-- set together, where a payer is one however many of them it pays. What a wallet of a set pays to another is as little a
-- sale as what it pays to itself; it is kept apart. A wallet is measured when everything since the first of these days was
-- read up to at most a day ago; the figures of others are null.
-- p_sets: [[{ network, payTo, counts }]]; what is paid to a wallet with counts false is not read, but it is one of the set.
-- Returns a row for each set, numbered from 1. Many endpoints are paid at the same wallets, so whoever asks names each set
-- once.
-- wallets: [{ network, payTo, throughBlock, throughAt, figures }], with figures { volume, settlements, payers, topVolume,
-- lastSettledAt, selfVolume, selfSettlements }. total: { volume, settlements, payers, topVolume }, where several wallets
-- were measured. Volumes are text.
create function public.settlement_figures(p_sets jsonb, p_now timestamptz)
returns table (set_number integer, wallets jsonb, total jsonb)
language sql stable
set search_path = ''
-- How many wallets are asked for is not known to the planner, and what it fears of them has the query compiled: that takes
-- seconds, and the query a part of one.
set jit = off
as $$
  with asked as (
    select s.n::integer as n, a.network, internal.wallet_key(a.network, a."payTo") as pay_to, bool_or(a.counts) as counts
    from jsonb_array_elements(p_sets) with ordinality as s (wallets, n)
    cross join lateral jsonb_to_recordset(s.wallets) as a (network text, "payTo" text, counts boolean)
    group by 1, 2, 3
  ),
  known as (
    select a.n, a.network, a.pay_to, c.next_block - 1 as through_block, c.through_at,
      coalesce(
        a.counts and w.lane = 0 and c.through_at >= p_now - interval '1 day'
          and w.since <= (((p_now at time zone 'UTC')::date - 29)::timestamp at time zone 'UTC'),
        false
      ) as measured
    from asked a
    left join public.chain_wallets w on w.network = a.network and w.pay_to = a.pay_to
    left join public.chain_cursors c on c.network = w.network and c.lane = w.lane
  ),
  paid as materialized (
    select k.n, k.network, k.pay_to, d.payer, d.volume, d.settlements,
      (k.n, d.payer) in (select a.n, a.pay_to from asked a) as self
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
      and (k.n, t.payer) not in (select a.n, a.pay_to from asked a)
    order by t.at desc limit 1
  ) l on k.measured
  group by k.n
  order by k.n;
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
