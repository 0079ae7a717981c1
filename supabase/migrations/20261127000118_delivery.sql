-- Delivery: what endpoints return for money. Test purchases of this service, and outcomes that buyers report. Nothing of it
-- is part of the score; it raises flags.

-- Wallets with which this service buys. Their payments never count as payments of payers. Addresses are lower case.
create table public.own_wallets (
  address text primary key,
  since timestamptz not null
);

-- Test purchases. A row is written before the payment is signed, and reserves its amount in the budget.
--
-- - reserved: `nonce` is null. Nothing was sent, because the nonce is stored before the payment is sent.
-- - signed: `nonce` is set and `answered_at` is null. The payment may have been sent.
-- - answered: `answered_at` is set and `outcome` is null. The chain does not show yet whether the payment was charged.
-- - decided: `outcome` is set.
create table public.purchases (
  id text collate "C" primary key check (id ~ '^p_[a-z2-7]{26}$'),
  -- Null after the endpoint was deleted. The ledger keeps the purchase.
  endpoint_id text collate "C" references public.endpoints (id) on delete set null,
  resource text not null,
  host text collate "C" not null,
  method text not null check (method in ('GET', 'POST')),
  -- URL that was requested: `resource`, with the query of the declared example.
  requested_url text not null,
  -- SHA-256 of the request body in hex; null without a body.
  request_sha256 text,
  network text not null,
  asset text not null,
  payer text not null,
  pay_to text not null,
  -- Atomic units.
  amount numeric not null check (amount > 0 and amount = trunc(amount)),
  amount_usd numeric not null check (amount_usd > 0),
  reserved_at timestamptz not null,
  -- End of the time in which only the worker that reserved the purchase works on it.
  lease_until timestamptz not null,
  nonce text,
  -- Time from which on the token refuses the payment.
  valid_before timestamptz,
  -- Answer to the paid request. `http_status` is null without a response; `failure` then has the cause as a slug.
  answered_at timestamptz,
  http_status integer,
  content_type text,
  body_bytes integer,
  body_sha256 text,
  total_ms integer,
  failure text,
  -- Differences between the body and the declared output schema, as sentences; null without a schema.
  schema_findings jsonb,
  -- True if the chain shows the transfer; false if it never happens; null while unknown.
  charged boolean,
  transaction text collate "C",
  block_number bigint,
  settled_at timestamptz,
  outcome text check (outcome in (
    'delivered', 'wrong-body', 'paid-not-delivered', 'pay-again', 'free', 'refused-uncharged', 'late', 'unclear'
  )),
  decided_at timestamptz,
  -- Time before which the outcome is not public. A purchase without delivery is published a day after its decision.
  publish_after timestamptz,
  published_at timestamptz,
  check (num_nulls(outcome, decided_at, publish_after) in (0, 3)),
  check (outcome is null or charged is not null or outcome = 'unclear'),
  check (published_at is null or outcome is not null),
  unique (network, payer, nonce)
);

create index purchases_endpoint on public.purchases (endpoint_id, reserved_at desc);
create index purchases_reserved on public.purchases (reserved_at desc);
create index purchases_open on public.purchases (lease_until) where outcome is null;
create index purchases_unpublished on public.purchases (publish_after) where published_at is null;
create index purchases_host on public.purchases (host, reserved_at desc);

-- Outcomes that buyers report, one for each payment. The chain shows each payment.
create table public.buyer_outcomes (
  network text not null,
  -- In lower case, like the nonce.
  payer text not null,
  nonce text not null,
  endpoint_id text collate "C" not null references public.endpoints (id) on delete cascade,
  transaction text collate "C" not null,
  pay_to text not null,
  asset text not null,
  amount numeric not null,
  paid_at timestamptz not null,
  delivered boolean not null,
  http_status integer,
  body_sha256 text,
  -- Time of the response, as the buyer states it.
  observed_at timestamptz not null,
  received_at timestamptz not null,
  signature text not null,
  -- False for payers that this service owns or that the seller funded.
  counts boolean not null,
  primary key (network, payer, nonce)
);

create index buyer_outcomes_endpoint on public.buyer_outcomes (endpoint_id, paid_at);

-- Returns the delivery facts of endpoints that have any in the last 30 days: { purchases, buyers }. `purchases`: the
-- newest eight published purchases, newest first. `buyers`: distinct payers by their latest outcome.
create function public.delivery_facts(p_now timestamptz, p_endpoint_ids text[])
returns table (endpoint_id text, facts jsonb)
language sql stable
as $$
  select e.id, jsonb_build_object('purchases', coalesce(p.purchases, '[]'), 'buyers', b.buyers)
  from unnest(p_endpoint_ids) e (id)
  cross join lateral (
    select jsonb_agg(jsonb_build_object(
      'id', n.id, 'at', n.reserved_at, 'outcome', n.outcome, 'amountUsd', n.amount_usd::text,
      'httpStatus', n.http_status, 'bodyBytes', n.body_bytes, 'totalMs', n.total_ms, 'network', n.network,
      'transaction', n.transaction
    ) order by n.reserved_at desc, n.id) as purchases
    from (
      select * from public.purchases u
      where u.endpoint_id = e.id and u.published_at <= p_now and u.reserved_at > p_now - interval '30 days'
      order by u.reserved_at desc, u.id limit 8
    ) n
  ) p
  cross join lateral (
    select jsonb_build_object(
      'delivered', count(*) filter (where l.delivered), 'failed', count(*) filter (where not l.delivered)
    ) as buyers, count(*) as payers
    from (
      select distinct on (o.payer) o.delivered from public.buyer_outcomes o
      where o.endpoint_id = e.id and o.counts and o.paid_at > p_now - interval '30 days'
      order by o.payer, o.paid_at desc, o.nonce
    ) l
  ) b
  where p.purchases is not null or b.payers > 0;
$$;
