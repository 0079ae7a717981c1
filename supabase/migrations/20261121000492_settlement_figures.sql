-- What was settled with a wallet: its figures of 30 days and of each day, and how long they are kept.

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
