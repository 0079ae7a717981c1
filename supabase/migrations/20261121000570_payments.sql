-- Payments: one payment buys one result. The nonce of an authorization is the key of a row that is written before the
-- work begins, so that whoever presents it again finds what became of it.

-- working: the work for it is being done. settling: the work is done and kept, and it is not known yet whether money
-- moved. settled: it moved. failed: it did not, and cannot any more. disputed: a facilitator said that it moved, the
-- result was handed out, and the chain says that it did not.
create table public.payments (
  network text not null,
  -- Addresses and nonces are in lower case.
  asset text not null,
  payer text not null,
  nonce text not null,
  -- What it was first presented with: the operation with its input, what was signed with its signature, and the secret
  -- of the challenge that it answers, which clients may leave out.
  route text not null,
  request_hash text not null,
  payment_hash text not null,
  secret_hash text,
  resource text not null,
  pay_to text not null,
  -- Atomic units.
  amount numeric not null check (amount > 0 and amount = trunc(amount)),
  -- From then on it cannot be settled any more.
  valid_before timestamptz not null,
  state text not null check (state in ('working', 'settling', 'settled', 'failed', 'disputed')),
  -- Who serves it, and until when nobody else does.
  owner text not null,
  lease_until timestamptz not null,
  -- The body of the answer; gone some time after it was settled, and at once where it was not.
  result text,
  -- The PAYMENT-RESPONSE header of the answer.
  receipt text,
  transaction text,
  created_at timestamptz not null,
  settled_at timestamptz,
  -- How often a settlement of its result was begun.
  attempts integer not null default 0,
  -- How often it was refused when it was settled, over all times that it was presented, and when it was the last time.
  refusals integer not null default 0,
  refused_at timestamptz,
  -- When it was last compared with the chain, and since when there is nothing left to compare.
  looked_at timestamptz,
  audited_at timestamptz,
  primary key (network, asset, payer, nonce),
  check ((state in ('settled', 'disputed')) = (settled_at is not null)),
  check (state <> 'settling' or result is not null)
);
create index payments_open on public.payments (network, asset, payer) where state in ('working', 'settling');
create index payments_refused on public.payments (network, asset, payer, refused_at) where refused_at is not null;
create index payments_sold on public.payments (network, asset, payer, settled_at) where settled_at is not null;
create index payments_unchecked on public.payments (network, looked_at nulls first)
  where state = 'settling' or (state in ('settled', 'failed') and audited_at is null);
create index payments_unfinished on public.payments (lease_until) where state = 'working';
create index payments_kept on public.payments (settled_at) where settled_at is not null and result is not null;
create index payments_failed on public.payments (valid_before) where state = 'failed';
create index payments_transaction on public.payments (network, transaction) where transaction is not null;

alter table public.payments enable row level security;
revoke all on public.payments from anon, authenticated;
grant all on public.payments to service_role;

-- What is known of a payment, or no row.
create function public.find_payment(p_network text, p_asset text, p_payer text, p_nonce text)
returns setof public.payments
language sql stable
set search_path = ''
as $$
  select * from public.payments p
  where p.network = p_network and p.asset = p_asset and p.payer = p_payer and p.nonce = p_nonce;
$$;

-- Takes a payment for a request, for p_lease_seconds. The caller has had it verified, or knows it for the one that was.
-- p_payment: { network, asset, payer, nonce, route, requestHash, paymentHash, secretHash, resource, payTo, amount,
-- validBefore, owner }
-- Returns one row. outcome is claimed: the caller works; resumed: the work is done, and the caller settles again, which
-- is the attempt-th time; busy: somebody else serves it; other: it was first presented with another request, or is not
-- the payment that was; settled: it bought the result; limited: its payer had p_most_refusals payments refused at
-- settlement within an hour, and none settled since, and may come again at retry_at.
-- open_payments lists what else its payer has open where the caller works: [{ nonce, amount }], each of which may take
-- from the same balance.
create function public.claim_payment(
  p_payment jsonb, p_now timestamptz, p_lease_seconds integer, p_most_refusals integer
)
returns table (
  outcome text, result text, receipt text, settled_at timestamptz, attempt integer, retry_at timestamptz,
  open_payments jsonb
)
language plpgsql
set search_path = ''
as $$
declare
  v_new public.payments;
  v_old public.payments;
  v_lease_until timestamptz := p_now + make_interval(secs => p_lease_seconds);
  v_refusals bigint;
  v_retry_at timestamptz;
  v_open jsonb;
begin
  v_new.network := p_payment ->> 'network';
  v_new.asset := p_payment ->> 'asset';
  v_new.payer := p_payment ->> 'payer';
  v_new.nonce := p_payment ->> 'nonce';
  v_new.route := p_payment ->> 'route';
  v_new.request_hash := p_payment ->> 'requestHash';
  v_new.payment_hash := p_payment ->> 'paymentHash';
  v_new.secret_hash := p_payment ->> 'secretHash';
  v_new.resource := p_payment ->> 'resource';
  v_new.pay_to := p_payment ->> 'payTo';
  v_new.amount := (p_payment ->> 'amount')::numeric;
  v_new.valid_before := (p_payment ->> 'validBefore')::timestamptz;
  v_new.state := 'working';
  v_new.owner := p_payment ->> 'owner';
  v_new.lease_until := v_lease_until;
  v_new.created_at := p_now;
  v_new.attempts := 0;
  v_new.refusals := 0;

  -- A payer's payments are taken one after the other, so that each sees those before it.
  perform pg_advisory_xact_lock(hashtextextended(v_new.network || v_new.payer, 570));
  select * into v_old from public.payments p
  where p.network = v_new.network and p.asset = v_new.asset and p.payer = v_new.payer and p.nonce = v_new.nonce
  for update;

  if v_old.nonce is not null then
    if v_old.route <> v_new.route or v_old.request_hash <> v_new.request_hash
      or (v_old.state in ('settling', 'settled', 'disputed') and
        (v_old.payment_hash, v_old.secret_hash) is distinct from (v_new.payment_hash, v_new.secret_hash)) then
      return query select 'other', null::text, null::text, null::timestamptz, 0, null::timestamptz, '[]'::jsonb;
      return;
    elsif v_old.state in ('settled', 'disputed') then
      return query select 'settled', v_old.result, v_old.receipt, v_old.settled_at, 0, null::timestamptz, '[]'::jsonb;
      return;
    elsif v_old.state <> 'failed' and v_old.lease_until > p_now then
      return query select 'busy', null::text, null::text, null::timestamptz, 0, null::timestamptz, '[]'::jsonb;
      return;
    elsif v_old.state = 'settling' then
      update public.payments p set owner = v_new.owner, lease_until = v_lease_until, attempts = p.attempts + 1
      where p.network = v_new.network and p.asset = v_new.asset and p.payer = v_new.payer and p.nonce = v_new.nonce;
      return query select 'resumed', v_old.result, null::text, null::timestamptz, v_old.attempts + 1,
        null::timestamptz, '[]'::jsonb;
      return;
    end if;
  end if;

  if v_old.nonce is null or v_old.state = 'failed' then
    select coalesce(sum(p.refusals), 0), min(p.refused_at) + interval '1 hour' into v_refusals, v_retry_at
    from public.payments p
    where p.network = v_new.network and p.asset = v_new.asset and p.payer = v_new.payer
      and p.refused_at > p_now - interval '1 hour'
      and not exists (
        select 1 from public.payments s
        where s.network = v_new.network and s.asset = v_new.asset and s.payer = v_new.payer
          and s.settled_at >= p.refused_at
      );
    if v_refusals >= p_most_refusals then
      return query select 'limited', null::text, null::text, null::timestamptz, 0, v_retry_at, '[]'::jsonb;
      return;
    end if;
  end if;

  select coalesce(jsonb_agg(jsonb_build_object('nonce', p.nonce, 'amount', p.amount::text)), '[]'::jsonb) into v_open
  from public.payments p
  where p.network = v_new.network and p.asset = v_new.asset and p.payer = v_new.payer and p.nonce <> v_new.nonce
    and p.valid_before > p_now
    and (p.state = 'settling' or (p.state = 'working' and p.lease_until > p_now));

  if v_old.nonce is not null then
    -- What came to nothing is begun anew; what it was refused stays counted.
    v_new.refusals := v_old.refusals;
    v_new.refused_at := v_old.refused_at;
    delete from public.payments p
    where p.network = v_new.network and p.asset = v_new.asset and p.payer = v_new.payer and p.nonce = v_new.nonce;
  end if;
  insert into public.payments select v_new.*;
  return query select 'claimed', null::text, null::text, null::timestamptz, 0, null::timestamptz, v_open;
end;
$$;

-- Keeps the result of the work, before the settlement is begun, and holds the payment for as long as that may take.
-- Returns false where somebody else has taken it over: then it must not be settled by the caller.
create function public.keep_payment_result(
  p_network text, p_asset text, p_payer text, p_nonce text, p_owner text, p_result text, p_now timestamptz,
  p_lease_seconds integer
)
returns boolean
language sql
set search_path = ''
as $$
  with kept as (
    update public.payments p
    set state = 'settling', result = p_result, lease_until = p_now + make_interval(secs => p_lease_seconds), attempts = 1
    where p.network = p_network and p.asset = p_asset and p.payer = p_payer and p.nonce = p_nonce
      and p.owner = p_owner and p.state = 'working'
    returning 1
  )
  select exists (select 1 from kept);
$$;

-- Records that a payment was settled, whoever found that out, and by whom: what was read from the chain needs no audit.
-- Returns the receipt that holds: the first one recorded.
create function public.settle_payment(
  p_network text, p_asset text, p_payer text, p_nonce text, p_transaction text, p_receipt text, p_audited boolean,
  p_now timestamptz
)
returns text
language sql
set search_path = ''
as $$
  with settled as (
    update public.payments p
    set state = 'settled', transaction = p_transaction, receipt = p_receipt, settled_at = p_now, lease_until = p_now,
      audited_at = case when p_audited then p_now end
    where p.network = p_network and p.asset = p_asset and p.payer = p_payer and p.nonce = p_nonce
      and p.state in ('settling', 'failed')
    returning p.receipt
  )
  select receipt from settled
  union all
  select p.receipt from public.payments p
  where p.network = p_network and p.asset = p_asset and p.payer = p_payer and p.nonce = p_nonce
    and p.state in ('settled', 'disputed')
  limit 1;
$$;

-- Lets go of a payment: work that came to nothing is forgotten, so that the payment is as good as new; one that was not
-- settled can be tried again at once. What it was refused before stays, as a payment that failed.
-- Returns whether it was given back: that nobody works for it, and that no settlement of it was begun.
create function public.release_payment(
  p_network text, p_asset text, p_payer text, p_nonce text, p_owner text, p_now timestamptz
)
returns boolean
language sql
set search_path = ''
as $$
  with forgotten as (
    delete from public.payments p
    where p.network = p_network and p.asset = p_asset and p.payer = p_payer and p.nonce = p_nonce
      and p.owner = p_owner and p.state = 'working' and p.refusals = 0
    returning 1
  ),
  failed as (
    update public.payments p set state = 'failed', lease_until = p_now
    where p.network = p_network and p.asset = p_asset and p.payer = p_payer and p.nonce = p_nonce
      and p.owner = p_owner and p.state = 'working' and p.refusals > 0
    returning 1
  ),
  freed as (
    update public.payments p set lease_until = p_now
    where p.network = p_network and p.asset = p_asset and p.payer = p_payer and p.nonce = p_nonce
      and p.owner = p_owner and p.state = 'settling'
    returning 1
  )
  select exists (select 1 from forgotten) or exists (select 1 from failed);
$$;

-- Gives a payment up that was refused when it was settled, and will not be. Returns false where p_owner does not hold it.
create function public.refuse_payment(
  p_network text, p_asset text, p_payer text, p_nonce text, p_owner text, p_now timestamptz
)
returns boolean
language sql
set search_path = ''
as $$
  with refused as (
    update public.payments p
    set state = 'failed', result = null, lease_until = p_now, refusals = p.refusals + 1, refused_at = p_now
    where p.network = p_network and p.asset = p_asset and p.payer = p_payer and p.nonce = p_nonce
      and p.state = 'settling' and p.owner = p_owner
    returning 1
  )
  select exists (select 1 from refused);
$$;
