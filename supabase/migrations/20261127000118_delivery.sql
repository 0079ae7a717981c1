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

-- Times of test purchases by endpoint. An endpoint without a row was never considered.
create table public.purchase_schedules (
  endpoint_id text collate "C" primary key references public.endpoints (id) on delete cascade,
  due_at timestamptz not null,
  -- True after a purchase that failed. Such an endpoint is due before all others.
  is_repeat boolean not null default false,
  -- Time of the latest purchase; null if the endpoint was considered and never bought.
  purchased_at timestamptz
);

-- Registers a wallet of this service. Payments of the wallet that were recorded before are deleted, so that they count for
-- no endpoint. Returns true if the wallet was not registered before.
create function public.register_own_wallet(p_address text, p_now timestamptz)
returns boolean
language plpgsql
as $$
begin
  insert into public.own_wallets (address, since) values (p_address, p_now) on conflict do nothing;
  if not found then return false; end if;
  -- Waits for steps that record settlements. Later steps know the wallet.
  perform 1 from public.chain_cursors c order by c.network, c.wallet_group for update;
  delete from public.settlements s where s.payer = p_address and s.kind = 'x402';
  delete from public.wallet_payer_days d where d.payer = p_address;
  return true;
end;
$$;

-- Returns the maximum price of the next purchase in US dollars by the budget { purchase, endpoint, day, total }, without
-- the limit of an endpoint. Purchases count from their reservation on, unless the chain shows no transfer.
create function internal.purchase_budget(p_budget jsonb, p_now timestamptz)
returns numeric
language sql stable
as $$
  select least(
    (p_budget ->> 'purchase')::numeric,
    (p_budget ->> 'day')::numeric
      - coalesce(sum(u.amount_usd) filter (where u.reserved_at >= date_trunc('day', p_now, 'UTC')), 0),
    (p_budget ->> 'total')::numeric - coalesce(sum(u.amount_usd), 0)
  )
  from public.purchases u where u.charged is distinct from false;
$$;

-- Returns up to p_limit endpoints that are due for a test purchase, at most one of each host: listed, payable at the
-- latest probe, not advised against except for failed purchases, within the budget, offered on one of p_networks, and
-- without an announced maintenance window at p_now.
-- Repeats come first, then endpoints that were never bought, then endpoints with much traffic. Returns
-- [{ endpointId, resource, url, host, method, exampleRequest, serviceName, description, payOn, isDisputed }]. `isDisputed`
-- is true if failed purchases are the reason to avoid the endpoint.
create function public.purchase_candidates(p_networks text[], p_budget jsonb, p_now timestamptz, p_limit integer)
returns jsonb
language plpgsql stable
-- The planner expects one eligible endpoint, and would then compare each endpoint with each endpoint that has traffic.
set enable_nestloop = off
as $$
declare
  v_max_usd numeric := internal.purchase_budget(p_budget, p_now);
begin
  if v_max_usd <= 0 then return '[]'; end if;
  return (
    with traffic as materialized (
      select w.endpoint_id, max(t.settlements) as settlements
      from (
        select d.network, d.pay_to, sum(d.settlements) as settlements from public.wallet_payer_days d
        where d.day > (p_now at time zone 'UTC')::date - 30 group by 1, 2
      ) t
      join public.endpoint_wallets w on w.network = t.network and w.pay_to = t.pay_to and w.challenged
      group by 1
    ),
    ranked as (
      select s.endpoint_id, s.host, s.recommendation = 'avoid' as is_disputed, d.is_repeat is true as is_repeat,
        d.purchased_at, coalesce(t.settlements, 0) as settlements,
        row_number() over (
          partition by s.host
          order by d.is_repeat is true desc, d.purchased_at is not null, coalesce(t.settlements, 0) desc, d.purchased_at,
            s.endpoint_id
        ) as number
      from public.snapshots s
      left join public.purchase_schedules d on d.endpoint_id = s.endpoint_id
      left join traffic t on t.endpoint_id = s.endpoint_id
      where s.public and s.listing_status = 'listed' and not s.templated and s.is_compliant and s.failing_since is null
        and (s.network = any (p_networks) or exists (
          select from jsonb_array_elements(s.pay_on) o where o ->> 'network' = any (p_networks)
        ))
        and s.amount_usd::numeric > 0 and s.amount_usd::numeric <= v_max_usd
        and (d.due_at is null or d.due_at <= p_now)
        and (s.recommendation <> 'avoid' or (s.error_flags = 1 and s.delivery ->> 'state' = 'failed'))
        and not exists (select from public.opt_outs o where o.host = s.host)
        and not exists (
          select from public.maintenance_windows m
          where m.host = s.host and (m.endpoint_id is null or m.endpoint_id = s.endpoint_id)
            and m.starts_at <= p_now and m.ends_at > p_now
        )
    ),
    chosen as (
      select r.* from ranked r
      where r.number = 1
        and not exists (select from public.purchases u where u.host = r.host and u.outcome is null)
      order by r.is_repeat desc, r.purchased_at is not null, r.settlements desc, r.purchased_at, r.endpoint_id
      limit p_limit
    )
    select coalesce(jsonb_agg(jsonb_build_object(
      'endpointId', c.endpoint_id, 'resource', e.resource, 'url', e.probe_url, 'host', c.host, 'method', s.method,
      'exampleRequest', s.example_request, 'serviceName', s.service_name, 'description', s.description,
      'payOn', s.pay_on, 'isDisputed', c.is_disputed
    ) order by c.is_repeat desc, c.purchased_at is not null, c.settlements desc, c.purchased_at, c.endpoint_id), '[]')
    from chosen c
    join public.endpoints e on e.id = c.endpoint_id
    join public.snapshots s on s.endpoint_id = c.endpoint_id
    where e.probe_url is not null
  );
end;
$$;

-- Sets the time from which on endpoints are considered again that were not bought.
create function public.postpone_purchases(p_endpoint_ids text[], p_until timestamptz)
returns void
language sql
as $$
  insert into public.purchase_schedules as d (endpoint_id, due_at)
  select e.id, p_until from public.endpoints e where e.id = any (p_endpoint_ids)
  on conflict (endpoint_id) do update set due_at = excluded.due_at;
$$;

-- Reserves the amount of a purchase in the budget. p_budget: { purchase, endpoint, day, total }, maxima in US dollars for
-- one purchase, for 7 days, for a UTC day, and for all time. The maximum `endpoint` also holds for the recipient on its
-- network. One transaction checks all limits under one lock, so concurrent workers cannot exceed them. Returns `reserved`,
-- or the limit that does not allow the purchase: `budget` for all endpoints, `endpoint` for the endpoint, its recipient
-- or its due time, `host` for another open purchase of the host.
create function public.reserve_purchase(
  p_purchase jsonb, p_budget jsonb, p_now timestamptz, p_lease_until timestamptz
)
returns text
language plpgsql
as $$
declare
  v_new public.purchases := jsonb_populate_record(
    null::public.purchases, p_purchase || jsonb_build_object('reserved_at', p_now, 'lease_until', p_lease_until)
  );
begin
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('purchases', 0));
  if exists (select from public.purchases u where u.host = v_new.host and u.outcome is null) then return 'host'; end if;
  if v_new.amount_usd > internal.purchase_budget(p_budget, p_now) then return 'budget'; end if;
  if exists (
    select from public.purchase_schedules d where d.endpoint_id = v_new.endpoint_id and d.due_at > p_now
  ) or v_new.amount_usd + (
    select coalesce(sum(u.amount_usd), 0) from public.purchases u
    where (u.endpoint_id = v_new.endpoint_id or (u.network = v_new.network and u.pay_to = v_new.pay_to))
      and u.reserved_at > p_now - interval '7 days'
      and u.charged is distinct from false
  ) > (p_budget ->> 'endpoint')::numeric then return 'endpoint'; end if;
  insert into public.purchases select v_new.*;
  insert into public.purchase_schedules (endpoint_id, due_at, purchased_at)
  values (v_new.endpoint_id, p_now + interval '7 days', p_now)
  on conflict (endpoint_id) do update set due_at = excluded.due_at, purchased_at = excluded.purchased_at;
  return 'reserved';
end;
$$;

-- Records the nonce of a signed payment. Returns false if the lease has ended: another worker then owns the purchase, so
-- the payment must not be sent.
create function public.record_signed_purchase(
  p_id text, p_nonce text, p_valid_before timestamptz, p_now timestamptz
)
returns boolean
language sql
as $$
  with signed as (
    update public.purchases u set nonce = p_nonce, valid_before = p_valid_before
    where u.id = p_id and u.nonce is null and u.outcome is null and u.lease_until > p_now returning 1
  )
  select exists (select from signed);
$$;

-- Records the answer to a paid request: { httpStatus, contentType, bodyBytes, bodySha256, totalMs, failure,
-- schemaFindings }. An answer is recorded once.
create function public.record_purchase_answer(p_id text, p_answer jsonb, p_now timestamptz)
returns void
language sql
as $$
  update public.purchases u set
    answered_at = p_now,
    http_status = (p_answer ->> 'httpStatus')::integer,
    content_type = p_answer ->> 'contentType',
    body_bytes = (p_answer ->> 'bodyBytes')::integer,
    body_sha256 = p_answer ->> 'bodySha256',
    total_ms = (p_answer ->> 'totalMs')::integer,
    failure = p_answer ->> 'failure',
    schema_findings = nullif(p_answer -> 'schemaFindings', 'null')
  where u.id = p_id and u.nonce is not null and u.answered_at is null and u.outcome is null;
$$;

-- Logs a purchase without delivery in the notices of the claim of its host, in the transaction that decides the purchase.
-- So the provider is told a day before the outcome is published. Watches without a claim have no such event.
create function internal.append_purchase_notices(p_id text)
returns void
language plpgsql
as $$
declare
  v_watch_ids text[] := array(
    select w.id from public.purchases u join public.watches w on w.endpoint_id = u.endpoint_id
    where u.id = p_id and w.claim_id is not null and w.status = 'active' order by w.id for no key update of w
  );
begin
  perform internal.append_watch_log(array(
    select row(
      w.id, 'lifecycle', 'purchase_not_delivered', u.decided_at, jsonb_build_object('purchase', jsonb_build_object(
        'purchasedAt', u.reserved_at, 'outcome', u.outcome, 'publishAt', u.publish_after, 'transaction', u.transaction
      ))
    )::internal.watch_entry
    from public.purchases u cross join unnest(v_watch_ids) as w (id) where u.id = p_id order by w.id
  ));
end;
$$;

-- Decides an open purchase: { outcome, charged, transaction, block, settledAt }. An outcome that speaks against the
-- provider is published a day later, and the endpoint is then bought again. Returns false if the purchase was decided
-- before.
create function public.decide_purchase(p_id text, p_decision jsonb, p_now timestamptz)
returns boolean
language plpgsql
as $$
declare
  v_outcome text := p_decision ->> 'outcome';
  v_is_trouble boolean := v_outcome in ('paid-not-delivered', 'pay-again', 'wrong-body', 'late');
  v_endpoint_id text;
begin
  update public.purchases u set
    outcome = v_outcome,
    charged = (p_decision ->> 'charged')::boolean,
    transaction = p_decision ->> 'transaction',
    block_number = (p_decision ->> 'block')::bigint,
    settled_at = (p_decision ->> 'settledAt')::timestamptz,
    decided_at = p_now,
    publish_after = p_now + case when v_is_trouble then interval '1 day' else interval '0' end
  where u.id = p_id and u.outcome is null
  returning u.endpoint_id into v_endpoint_id;
  if not found then return false; end if;
  if v_is_trouble then perform internal.append_purchase_notices(p_id); end if;
  -- A repeat that shows nothing is repeated, too.
  update public.purchase_schedules d set
    is_repeat = v_is_trouble or (d.is_repeat and v_outcome in ('refused-uncharged', 'unclear')),
    due_at = case
      when v_is_trouble or (d.is_repeat and v_outcome in ('refused-uncharged', 'unclear')) then p_now + interval '1 day'
      else d.due_at
    end
  where d.endpoint_id = v_endpoint_id;
  return true;
end;
$$;

-- Leases up to p_limit open purchases whose lease has ended, oldest first, until p_lease_until: the worker that reserved
-- them has stopped, or the chain did not show whether they were charged.
create function public.claim_open_purchases(p_now timestamptz, p_lease_until timestamptz, p_limit integer)
returns setof public.purchases
language sql
as $$
  update public.purchases u set lease_until = p_lease_until
  where u.id = any (array(
    select o.id from public.purchases o where o.outcome is null and o.lease_until <= p_now
    order by o.lease_until limit p_limit for update skip locked
  ))
  returning u.*;
$$;

-- Queues endpoints for scoring after a change of their facts.
create function internal.queue_changed_facts(p_endpoint_ids text[], p_now timestamptz)
returns void
language plpgsql
as $$
begin
  -- Locks the states in the order of all writers.
  perform 1 from public.endpoint_states s where s.endpoint_id = any (p_endpoint_ids) order by s.endpoint_id for update;
  update public.endpoint_states s set revision = s.revision + 1 where s.endpoint_id = any (p_endpoint_ids);
  insert into public.scoring_queue as q (endpoint_id, due_at)
  select i.id, p_now from unnest(p_endpoint_ids) as i (id) order by 1
  on conflict (endpoint_id) do update set due_at = excluded.due_at where q.due_at > excluded.due_at;
end;
$$;

-- Publishes up to p_limit decided purchases that are due, and queues their endpoints for scoring. Returns the number of
-- published purchases.
create function public.publish_purchases(p_now timestamptz, p_limit integer)
returns integer
language plpgsql
as $$
declare
  v_ids text[] := array(
    select u.id from public.purchases u where u.published_at is null and u.publish_after <= p_now
    order by u.publish_after limit p_limit
  );
  v_published integer;
begin
  perform internal.queue_changed_facts(array(
    select distinct u.endpoint_id from public.purchases u where u.id = any (v_ids) and u.endpoint_id is not null
  ), p_now);
  update public.purchases u set published_at = p_now where u.id = any (v_ids) and u.published_at is null;
  get diagnostics v_published = row_count;
  return v_published;
end;
$$;

-- Buyers' outcomes: what buyers report, one outcome for each payment in USDC (EIP-3009). The chain shows each payment.
create table public.buyer_outcomes (
  network text not null,
  -- In lower case, like the nonce.
  payer text not null,
  nonce text not null,
  endpoint_id text collate "C" not null references public.endpoints (id) on delete cascade,
  transaction text collate "C" not null,
  -- Address that sent the transaction.
  sender text not null,
  pay_to text not null,
  -- Atomic units.
  amount numeric not null,
  paid_at timestamptz not null,
  delivered boolean not null,
  http_status integer,
  body_sha256 text,
  -- Time of the response, as the buyer states it.
  observed_at timestamptz not null,
  received_at timestamptz not null,
  signature text not null,
  -- Reason for which the outcome does not count; null if it counts. See `internal.decide_outcomes`.
  uncounted_reason text,
  primary key (network, payer, nonce)
);

create index buyer_outcomes_endpoint on public.buyer_outcomes (endpoint_id, paid_at);
create index buyer_outcomes_paid_at on public.buyer_outcomes (paid_at);

-- Times at which it is decided again whether the outcomes of an endpoint count. Refunds come later than outcomes, and are
-- read from the chain later still.
create table public.outcome_checks (
  endpoint_id text collate "C" primary key references public.endpoints (id) on delete cascade,
  due_at timestamptz not null
);

create index outcome_checks_due on public.outcome_checks (due_at);

-- Returns the payment options that the challenges of an endpoint named, with the times between which probes saw them.
-- `amount` is null if it is no number. Only the latest 100 changes are read, because an endpoint can change its terms with
-- each probe. Each change has the complete terms before it.
create function internal.list_advertised_options(p_endpoint_id text)
returns table (network text, pay_to text, amount numeric, begins timestamptz, ends timestamptz)
language sql stable
as $$
  with versions as (
    select s.terms -> 'options' as options, (
      select max(h.at) from public.changes h where h.endpoint_id = s.endpoint_id
        and h.kind in ('payto_change', 'asset_network_change', 'price_change')
    ) as begins, 'infinity'::timestamptz as ends
    from public.endpoint_states s where s.endpoint_id = p_endpoint_id
    union all
    (
      select h.before -> 'options', lead(h.at) over (order by h.at desc), h.at from public.changes h
      where h.endpoint_id = p_endpoint_id
        and h.kind in ('payto_change', 'asset_network_change', 'price_change')
      order by h.at desc limit 100
    )
  )
  select o.network, internal.normalize_wallet(o.network, o."payTo"),
    case when o.amount ~ '^[0-9]{1,78}$' then o.amount::numeric end, coalesce(v.begins, '-infinity'), v.ends
  from versions v cross join lateral jsonb_to_recordset(v.options) as o (network text, "payTo" text, amount text);
$$;

-- Decides which outcomes of an endpoint in the last 30 days count: those of p_payer, or of all payers if it is null.
-- Returns true if a decision has changed. Reasons not to count:
--
-- - `request-rejected`: the status of the failure can have its cause in the request of the payer.
-- - `own-wallet`: this service owns the wallet of the payer.
-- - `seller-wallet`: the wallet of the payer is a wallet of the endpoint.
-- - `payment-returned`: in the last 30 days the endpoint sent the payer at least what the payer paid. What a wallet sent
--   that the endpoint funded counts, too: a wallet that received more than half of its USDC from the endpoint, so an
--   exchange is no such wallet. The order of the transfers is irrelevant. A smaller refund changes nothing, because a
--   seller could void each complaint with it.
--
-- A wallet that the endpoint began to advertise after the payment is no wallet of the endpoint, because a seller could
-- otherwise void a complaint by advertising the wallet of the payer.
create function internal.decide_outcomes(p_endpoint_id text, p_now timestamptz, p_payer text)
returns boolean
language plpgsql
-- The planner expects few payers, and would then compare each outcome with each transfer. The lateral queries still use
-- the indexes. JIT compilation would take two seconds.
set enable_nestloop = off
set jit = off
as $$
declare
  v_first_day date := (p_now at time zone 'UTC')::date - 30;
begin
  with reported as materialized (
    select * from public.buyer_outcomes o
    where o.endpoint_id = p_endpoint_id and o.paid_at > p_now - interval '30 days'
      and (p_payer is null or o.payer = p_payer)
  ),
  wallets as materialized (
    select a.network, a.wallet, min(a.since) as since
    from (
      select t.network, t.pay_to as wallet, t.begins as since from internal.list_advertised_options(p_endpoint_id) t
      union all select r.network, r.pay_to, r.paid_at from reported r
    ) a
    group by 1, 2
  ),
  -- The payments that were read include the reported payments, unless the chain was not read up to them yet.
  payers as materialized (
    select r.network, r.payer, greatest(sum(r.amount), (
      select sum(d.volume) from public.wallet_payer_days d
      where d.network = r.network and d.payer = r.payer and d.day >= v_first_day
        and (d.network, d.pay_to) in (select w.network, w.wallet from wallets w)
    )) as volume
    from reported r group by 1, 2
  ),
  sent as materialized (
    select p.network, p.payer, s.wallet, s.volume
    from payers p cross join lateral (
      select d.wallet, sum(d.volume) as volume from public.wallet_sent_days d
      where d.network = p.network and d.recipient = p.payer and d.day >= v_first_day group by 1
    ) s
  ),
  -- Volume that each wallet of the endpoint sent to other wallets that are read and that sent a payer something.
  funding as materialized (
    select c.network, c.pay_to as wallet, w.since, w.wallet as source, d.volume
    from (
      select s.network, s.wallet from sent s except select w.network, w.wallet from wallets w
    ) s
    join public.chain_wallets c on c.network = s.network and c.pay_to = s.wallet
    cross join lateral (
      select d.wallet, sum(d.volume) as volume from public.wallet_sent_days d
      where d.network = s.network and d.recipient = s.wallet and d.day >= v_first_day group by 1
    ) d
    join wallets w on w.network = s.network and w.wallet = d.wallet
  ),
  funded as (
    select f.network, f.wallet, min(f.since) as since
    from (
      select g.network, g.wallet, g.since,
        sum(g.volume) over (partition by g.network, g.wallet order by g.since, g.source) as volume
      from funding g
    ) f
    join (
      select u.network, u.wallet, (
        select sum(t.amount) from public.settlements t
        where t.network = u.network and t.pay_to = u.wallet and t.kind <> 'sent' and t.at > p_now - interval '31 days'
      ) as received
      from (select distinct g.network, g.wallet from funding g) u
    ) u on u.network = f.network and u.wallet = f.wallet
    where f.volume * 2 > u.received
    group by 1, 2
  ),
  returned as (
    select r.network, r.payer, r.nonce, sum(s.volume) as volume
    from reported r
    join sent s on s.network = r.network and s.payer = r.payer
    join (select * from wallets union all select * from funded) w
      on w.network = s.network and w.wallet = s.wallet and w.since <= r.paid_at
    group by 1, 2, 3
  ),
  decided as (
    select r.network, r.payer, r.nonce, case
      when not r.delivered and r.http_status between 400 and 499 and r.http_status <> 402 then 'request-rejected'
      when exists (select from public.own_wallets o where o.address = r.payer) then 'own-wallet'
      when w.since <= r.paid_at then 'seller-wallet'
      when t.volume >= p.volume then 'payment-returned'
    end as reason
    from reported r
    join payers p on p.network = r.network and p.payer = r.payer
    left join wallets w on w.network = r.network and w.wallet = r.payer
    left join returned t on t.network = r.network and t.payer = r.payer and t.nonce = r.nonce
  )
  update public.buyer_outcomes o set uncounted_reason = d.reason
  from decided d
  where o.network = d.network and o.payer = d.payer and o.nonce = d.nonce
    and o.uncounted_reason is distinct from d.reason;
  return found;
end;
$$;

-- Returns the distinct payers of the last 30 days at an endpoint by the outcome of their latest payment:
-- { delivered, failed }. An address on several networks is one payer.
create function internal.count_buyers(p_endpoint_id text, p_now timestamptz)
returns table (buyers jsonb)
language sql stable
as $$
  select jsonb_build_object(
    'delivered', count(*) filter (where l.delivered), 'failed', count(*) filter (where not l.delivered)
  )
  from (
    select distinct on (o.payer) o.delivered from public.buyer_outcomes o
    where o.endpoint_id = p_endpoint_id and o.paid_at > p_now - interval '30 days' and o.uncounted_reason is null
    order by o.payer, o.paid_at desc, o.nonce
  ) l;
$$;

-- Returns the delivery facts of endpoints that have any in the last 30 days: { purchases, buyers }. `purchases`: the
-- newest eight published purchases that were charged, newest first; with fewer of them, also others, so that refusals of a
-- seller do not displace its failures. `bodyBytes` is null for an incomplete body, which is not empty. `buyers`: distinct
-- payers by their latest outcome.
create function public.delivery_facts(p_now timestamptz, p_endpoint_ids text[])
returns table (endpoint_id text, facts jsonb)
language sql stable
as $$
  select e.id, jsonb_build_object('purchases', coalesce(p.purchases, '[]'), 'buyers', b.buyers)
  from unnest(p_endpoint_ids) e (id)
  cross join lateral (
    select jsonb_agg(jsonb_build_object(
      'id', n.id, 'at', n.reserved_at, 'outcome', n.outcome, 'amountUsd', n.amount_usd::text,
      'httpStatus', n.http_status, 'bodyBytes', case when n.failure is null then n.body_bytes end,
      'schemaFindings', jsonb_array_length(n.schema_findings), 'totalMs', n.total_ms,
      'transaction', n.transaction
    ) order by n.reserved_at desc, n.id) as purchases
    from (
      select * from public.purchases u
      where u.endpoint_id = e.id and u.published_at <= p_now and u.reserved_at > p_now - interval '30 days'
      order by u.outcome in ('free', 'refused-uncharged', 'unclear'), u.reserved_at desc, u.id limit 8
    ) n
  ) p
  cross join lateral internal.count_buyers(e.id, p_now) b
  where p.purchases is not null or b.buyers <> '{"delivered": 0, "failed": 0}';
$$;

-- Returns the endpoint of an outcome: { removed, slug, payments }; null for an unknown endpoint. `payments`: payments of
-- stored outcomes with p_nonce, or else in p_transaction: [{ nonce, transaction, sender, payTo, amount, paidAt }].
create function public.outcome_subject(
  p_endpoint_id text, p_network text, p_payer text, p_nonce text, p_transaction text
)
returns jsonb
language sql stable
as $$
  select jsonb_build_object('removed', e.removed_at is not null, 'slug', e.slug, 'payments', (
    select coalesce(jsonb_agg(jsonb_build_object(
      'nonce', o.nonce, 'transaction', o.transaction, 'sender', o.sender, 'payTo', o.pay_to, 'amount', o.amount::text,
      'paidAt', o.paid_at
    )), '[]')
    from public.buyer_outcomes o
    where o.network = p_network and o.payer = p_payer and (o.nonce = p_nonce or o.transaction = p_transaction)
  ))
  from public.endpoints e where e.id = p_endpoint_id;
$$;

-- Returns the reason for which a payment does not belong to an endpoint; null if it belongs to it. Reasons:
--
-- - `not-settled-by-seller`: the payer itself sent the transaction, so nothing shows that the seller was asked.
-- - `pay-to-not-advertised`, `amount-not-advertised`: the challenges of the endpoint did not name the wallet, or no price
--   of at most the paid amount, at any time from a day before to a day after the payment. A probe sees a change of the
--   terms later than payers do, and payers keep challenges. The price prevents that the payment of a cheap endpoint counts
--   at an expensive endpoint with the same wallet. The terms of a URL template differ from item to item, so each observed
--   wallet counts there, with at least its lowest observed price.
create function internal.find_payment_mismatch(p_outcome public.buyer_outcomes)
returns text
language sql stable
as $$
  select case
    when p_outcome.sender = p_outcome.payer then 'not-settled-by-seller'
    when count(*) = 0 then 'pay-to-not-advertised'
    when not coalesce(bool_or(o.amount <= p_outcome.amount), false) then 'amount-not-advertised'
  end
  from public.endpoints e cross join lateral internal.list_advertised_options(e.id) o
  where e.id = p_outcome.endpoint_id and o.network = p_outcome.network and o.pay_to = p_outcome.pay_to
    and (e.templated or (
      o.begins <= p_outcome.paid_at + interval '1 day' and o.ends >= p_outcome.paid_at - interval '1 day'
    ));
$$;

-- Stores the outcome of a payment, unless the payment was none for the endpoint, an outcome of it with a later
-- `observed_at` is stored, or it was reported for another endpoint. Returns { reason, outcome, buyers }: `reason` says why
-- the outcome does not count, `outcome` is the stored outcome, and the sent outcome if none is stored. Null if the
-- endpoint was deleted.
create function public.record_buyer_outcome(p_outcome jsonb, p_now timestamptz)
returns jsonb
language plpgsql
as $$
declare
  v_sent public.buyer_outcomes := jsonb_populate_record(null::public.buyer_outcomes, p_outcome);
  v_stored public.buyer_outcomes;
  v_reason text;
begin
  perform from public.endpoints e where e.id = v_sent.endpoint_id for key share;
  if not found then return null; end if;
  v_sent.received_at := p_now;
  v_reason := internal.find_payment_mismatch(v_sent);
  if v_reason is null then
    insert into public.buyer_outcomes as o select v_sent.*
    on conflict (network, payer, nonce) do update set
      delivered = excluded.delivered, http_status = excluded.http_status, body_sha256 = excluded.body_sha256,
      observed_at = excluded.observed_at, received_at = excluded.received_at, signature = excluded.signature
    where o.endpoint_id = excluded.endpoint_id and o.observed_at < excluded.observed_at;
    if found then
      insert into public.outcome_checks (endpoint_id, due_at) values (v_sent.endpoint_id, p_now + interval '1 hour')
      on conflict do nothing;
      perform internal.queue_changed_facts(array[v_sent.endpoint_id], p_now);
    end if;
    perform internal.decide_outcomes(v_sent.endpoint_id, p_now, v_sent.payer);
    select * into v_stored from public.buyer_outcomes o
    where o.network = v_sent.network and o.payer = v_sent.payer and o.nonce = v_sent.nonce;
    v_reason := case
      when v_stored.endpoint_id <> v_sent.endpoint_id then 'other-endpoint'
      when v_stored.observed_at > v_sent.observed_at then 'newer-outcome'
      else v_stored.uncounted_reason
    end;
  end if;
  if v_stored.endpoint_id = v_sent.endpoint_id then v_sent := v_stored; end if;
  return jsonb_build_object(
    'reason', v_reason,
    'outcome', jsonb_build_object(
      'delivered', v_sent.delivered, 'httpStatus', v_sent.http_status, 'bodySha256', v_sent.body_sha256,
      'observedAt', v_sent.observed_at
    ),
    'buyers', (select b.buyers from internal.count_buyers(v_sent.endpoint_id, p_now) b)
  );
end;
$$;

-- Decides again which outcomes count at up to p_limit endpoints that are due, each once an hour, and queues endpoints
-- for scoring whose outcomes have changed. Returns the number of endpoints.
create function public.recheck_buyer_outcomes(p_now timestamptz, p_limit integer)
returns integer
language plpgsql
as $$
declare
  v_ids text[] := array(
    select c.endpoint_id from public.outcome_checks c where c.due_at <= p_now order by c.due_at limit p_limit
  );
begin
  perform from public.endpoints e where e.id = any (v_ids) order by e.id for key share;
  perform internal.queue_changed_facts(
    array(select i.id from unnest(v_ids) as i (id) where internal.decide_outcomes(i.id, p_now, null)), p_now
  );
  delete from public.outcome_checks c
  where c.endpoint_id = any (v_ids) and not exists (
    select from public.buyer_outcomes o where o.endpoint_id = c.endpoint_id and o.paid_at > p_now - interval '30 days'
  );
  update public.outcome_checks c set due_at = p_now + interval '1 hour' where c.endpoint_id = any (v_ids);
  return cardinality(v_ids);
end;
$$;

-- Returns the slug of the public page of an endpoint; null without one.
create function internal.public_slug(p_endpoint_id text)
returns text
language sql stable
as $$
  select e.slug from public.endpoints e join public.snapshots s on s.endpoint_id = e.id
  where e.id = p_endpoint_id and e.removed_at is null and s.public;
$$;

-- Returns the wallets of payment options: network, space, normalized payTo.
create function internal.list_replaced_wallets(p_options jsonb)
returns text[]
language sql immutable
as $$
  select array(
    select o.network || ' ' || internal.normalize_wallet(o.network, o."payTo")
    from jsonb_to_recordset(p_options) as o (network text, "payTo" text)
  );
$$;

-- Wallets that endpoints replaced. Without the index, each search would read all changes of a month.
create index changes_wallets on public.changes using gin (internal.list_replaced_wallets(before -> 'options'))
  with (fastupdate = off)
  where kind in ('payto_change', 'asset_network_change') and variation is distinct from 'continues';

-- Returns public endpoints that advertised a wallet at p_at, or up to a day before or after it: at most p_limit
-- { resource, slug }, those with the price p_amount first. Wallets that an endpoint no longer advertises are found if they
-- were replaced at most 30 days after p_at, and not if they change all the time. p_pay_to is lower case.
create function public.payment_advertisers(
  p_network text, p_pay_to text, p_amount text, p_at timestamptz, p_limit integer
)
returns jsonb
language sql stable
as $$
  with candidates as (
    (
      select w.endpoint_id from public.endpoint_wallets w
      where w.network = p_network and w.pay_to = p_pay_to
      order by w.host, w.endpoint_id limit 100
    )
    union
    (
      select c.endpoint_id from public.changes c
      where c.at between p_at - interval '1 day' and p_at + interval '30 days'
        and c.kind in ('payto_change', 'asset_network_change') and c.variation is distinct from 'continues'
        and internal.list_replaced_wallets(c.before -> 'options') @> array[p_network || ' ' || p_pay_to]
      group by 1 order by min(c.at), 1 limit 100
    )
  ),
  advertisers as (
    select e.id, e.resource, internal.public_slug(e.id) as slug,
      coalesce(bool_or(o.amount = p_amount::numeric), false) as is_exact
    from candidates n
    join public.endpoints e on e.id = n.endpoint_id
    cross join lateral internal.list_advertised_options(e.id) o
    where o.network = p_network and o.pay_to = p_pay_to
      and o.begins <= p_at + interval '1 day' and o.ends >= p_at - interval '1 day'
      and not exists (select from public.opt_outs t where t.host = e.host)
    group by e.id
  )
  select coalesce(
    jsonb_agg(jsonb_build_object('resource', f.resource, 'slug', f.slug) order by f.is_exact desc, f.id), '[]'
  )
  from (
    select * from advertisers a where a.slug is not null order by a.is_exact desc, a.id limit p_limit
  ) f;
$$;

-- Returns a published test purchase with the slug of the page of its endpoint; null for any other id.
create function public.published_purchase(p_id text)
returns jsonb
language sql stable security definer
as $$
  select to_jsonb(u) || jsonb_build_object(
    'slug', internal.public_slug(u.endpoint_id), 'amount', u.amount::text, 'amount_usd', u.amount_usd::text
  )
  from public.purchases u where u.id = p_id and u.published_at is not null;
$$;

-- Returns the public ledger of test purchases: own wallets, sums of today (UTC) and of all time, published purchases by
-- outcome, and the newest p_limit published purchases, at most 500. `withheld`: decided and not published.
create function public.delivery_ledger(p_now timestamptz, p_limit integer)
returns jsonb
language sql stable security definer
as $$
  select jsonb_build_object(
    'wallets', (select coalesce(jsonb_agg(w.address order by w.since, w.address), '[]') from public.own_wallets w),
    'spent', (
      select jsonb_build_object(
        'todayUsd', coalesce(sum(u.amount_usd) filter (
          where u.charged is distinct from false and u.reserved_at >= date_trunc('day', p_now, 'UTC')
        ), 0)::text,
        'totalUsd', coalesce(sum(u.amount_usd) filter (where u.charged is distinct from false), 0)::text,
        'purchases', count(*), 'charged', count(*) filter (where u.charged),
        'undecided', count(*) filter (where u.outcome is null),
        'withheld', count(*) filter (where u.outcome is not null and u.published_at is null)
      ) from public.purchases u
    ),
    'outcomes', (
      select coalesce(jsonb_object_agg(o.outcome, o.purchases), '{}') from (
        select u.outcome, count(*) as purchases from public.purchases u where u.published_at is not null group by 1
      ) o
    ),
    'purchases', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', n.id, 'at', n.reserved_at, 'amountUsd', n.amount_usd::text, 'network', n.network,
        'resource', n.resource, 'slug', internal.public_slug(n.endpoint_id), 'outcome', n.outcome,
        'httpStatus', n.http_status, 'totalMs', n.total_ms, 'transaction', n.transaction
      ) order by n.reserved_at desc, n.id), '[]')
      from (
        select * from public.purchases u where u.published_at is not null
        order by u.reserved_at desc, u.id limit least(p_limit, 500)
      ) n
    )
  );
$$;
