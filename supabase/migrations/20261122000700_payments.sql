-- Payments: claim, result, settlement and release of a payment.

-- Returns the payment with the given key, or no row.
create function public.find_payment(p_network text, p_asset text, p_payer text, p_nonce text)
returns setof public.payments
language sql stable
set search_path = ''
as $$
  select * from public.payments p
  where p.network = p_network and p.asset = p_asset and p.payer = p_payer and p.nonce = p_nonce;
$$;

-- Claims a payment for a request, for p_lease_seconds. The caller must have verified the payment, or have found that it
-- equals the stored payment, which was verified. p_payment: { network, asset, payer, nonce, route, requestHash,
-- paymentHash, secretHash, resource, payTo, amount, validBefore, owner }.
-- Returns one row with the outcome:
-- `claimed`: the caller does the work. `open_payments` lists other open payments of the same payer, which may draw on
-- the same balance: [{ nonce, amount }].
-- `resumed`: the work is done, and the caller settles the payment again. `attempt` is the number of this attempt.
-- `busy`: another request serves the payment.
-- `other`: the payment was first used for another request, or it differs from the stored payment.
-- `settled`: the payment has already bought the result.
-- `limited`: the payer had p_max_refusals refused settlements within an hour, and no settled payment since. The payer
-- may try again at retry_at.
create function public.claim_payment(
  p_payment jsonb, p_now timestamptz, p_lease_seconds integer, p_max_refusals integer
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

  -- Serializes the claims of one payer, so each claim sees the earlier payments.
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
    if v_refusals >= p_max_refusals then
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
    -- A failed payment starts again, but its refusals stay counted.
    v_new.refusals := v_old.refusals;
    v_new.refused_at := v_old.refused_at;
    delete from public.payments p
    where p.network = v_new.network and p.asset = v_new.asset and p.payer = v_new.payer and p.nonce = v_new.nonce;
  end if;
  insert into public.payments select v_new.*;
  return query select 'claimed', null::text, null::text, null::timestamptz, 0, null::timestamptz, v_open;
end;
$$;

-- Stores the result of the work before the settlement begins, and extends the lease. Returns false if another request
-- has taken over the payment; then the caller must not settle the payment.
create function public.store_payment_result(
  p_network text, p_asset text, p_payer text, p_nonce text, p_owner text, p_result text, p_now timestamptz,
  p_lease_seconds integer
)
returns boolean
language sql
set search_path = ''
as $$
  with stored as (
    update public.payments p
    set state = 'settling', result = p_result, lease_until = p_now + make_interval(secs => p_lease_seconds),
      attempts = 1
    where p.network = p_network and p.asset = p_asset and p.payer = p_payer and p.nonce = p_nonce
      and p.owner = p_owner and p.state = 'working'
    returning 1
  )
  select exists (select 1 from stored);
$$;

-- Records a settlement. p_audited is true if the settlement was read from the chain, so it need not be compared with
-- the chain later. Returns the valid receipt, which is the first one recorded.
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

-- Releases a payment that p_owner holds. If its work is unfinished, the payment is deleted and can be used for another
-- request. After refused settlements it is kept as failed instead. If its result is stored, another request can settle
-- the payment at once. Returns true if the payment was deleted or marked as failed.
create function public.release_payment(
  p_network text, p_asset text, p_payer text, p_nonce text, p_owner text, p_now timestamptz
)
returns boolean
language sql
set search_path = ''
as $$
  with deleted as (
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
  released as (
    update public.payments p set lease_until = p_now
    where p.network = p_network and p.asset = p_asset and p.payer = p_payer and p.nonce = p_nonce
      and p.owner = p_owner and p.state = 'settling'
    returning 1
  )
  select exists (select 1 from deleted) or exists (select 1 from failed);
$$;

-- Marks a payment as failed after its settlement was refused for good. Returns false if p_owner does not hold the
-- payment.
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
    returning p.resource
  ),
  -- Ends a provisional adoption of the endpoint now. expire_adoptions still keeps the endpoint if another payment for
  -- it is open or settled.
  ended as (
    update public.endpoints e set provisional_until = p_now
    from refused r where e.resource = r.resource and e.provisional_until is not null
  )
  select exists (select 1 from refused);
$$;
