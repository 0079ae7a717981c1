-- Payments: lookup and claim of a payment in one call.

-- The function returns more columns and has another parameter, so it must be dropped first.
drop function public.claim_payment(jsonb, timestamptz, integer, integer);

-- Claims a payment for a request. The caller knows that the payer signed the payment: from the signature, from a
-- verification, or because the payment equals the stored one. The caller does no work before the payment was verified.
-- p_payment: { network, asset, payer, nonce, route, requestHash, paymentHash, secretHash, resource, payTo, amount,
-- validBefore, owner }. The lease of the work lasts p_work_seconds, the lease of a settlement p_settle_seconds.
-- Returns one row. `state` is the state of the stored payment before the claim, or `absent`. `same_payment` is true if
-- the stored payment has the same payment hash and secret hash. `pay_to`, `amount` and `created_at` are those of the
-- stored payment. The outcome is:
-- `claimed`: the caller does the work. `open_payments` lists other open payments of the same payer, which may draw on
-- the same balance: [{ nonce, amount }].
-- `resumed`: the work is done, and the caller settles the payment again. `attempt` is the number of this attempt.
-- `busy`: another request serves the payment.
-- `other`: the payment was first used for another request, or it differs from the stored payment.
-- `settled`: the payment has already bought the result.
-- `limited`: the payer had p_max_refusals refused settlements within an hour, and no settled payment since. The payer
-- may try again at retry_at.
create function public.claim_payment(
  p_payment jsonb, p_now timestamptz, p_work_seconds integer, p_settle_seconds integer, p_max_refusals integer
)
returns table (
  outcome text, state text, same_payment boolean, result text, receipt text, settled_at timestamptz, attempt integer,
  retry_at timestamptz, open_payments jsonb, pay_to text, amount text, created_at timestamptz
)
language plpgsql
set search_path = ''
as $$
declare
  v_new public.payments;
  v_old public.payments;
  v_refusals bigint;
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
  v_new.lease_until := p_now + make_interval(secs => p_work_seconds);
  v_new.created_at := p_now;
  v_new.attempts := 0;
  v_new.refusals := 0;

  -- Serializes the claims of one payer, so each claim sees the earlier payments.
  perform pg_advisory_xact_lock(hashtextextended(v_new.network || v_new.payer, 570));
  select * into v_old from public.payments p
  where p.network = v_new.network and p.asset = v_new.asset and p.payer = v_new.payer and p.nonce = v_new.nonce
  for update;

  state := coalesce(v_old.state, 'absent');
  same_payment := (v_old.payment_hash, v_old.secret_hash) is not distinct from (v_new.payment_hash, v_new.secret_hash);
  attempt := 0;
  open_payments := '[]';
  pay_to := v_old.pay_to;
  amount := v_old.amount::text;
  created_at := v_old.created_at;

  if v_old.nonce is not null then
    outcome := case
      when v_old.route <> v_new.route or v_old.request_hash <> v_new.request_hash then 'other'
      when v_old.state in ('settling', 'settled', 'disputed') and not same_payment then 'other'
      when v_old.state in ('settled', 'disputed') then 'settled'
      when v_old.state <> 'failed' and v_old.lease_until > p_now then 'busy'
      when v_old.state = 'settling' then 'resumed'
    end;
    if outcome = 'settled' then
      result := v_old.result;
      receipt := v_old.receipt;
      settled_at := v_old.settled_at;
    elsif outcome = 'resumed' then
      update public.payments p
      set owner = v_new.owner, lease_until = p_now + make_interval(secs => p_settle_seconds), attempts = p.attempts + 1
      where p.network = v_new.network and p.asset = v_new.asset and p.payer = v_new.payer and p.nonce = v_new.nonce;
      result := v_old.result;
      attempt := v_old.attempts + 1;
    end if;
    if outcome is not null then
      return next;
      return;
    end if;
  end if;

  if v_old.nonce is null or v_old.state = 'failed' then
    select coalesce(sum(p.refusals), 0), min(p.refused_at) + interval '1 hour' into v_refusals, retry_at
    from public.payments p
    where p.network = v_new.network and p.asset = v_new.asset and p.payer = v_new.payer
      and p.refused_at > p_now - interval '1 hour'
      and not exists (
        select 1 from public.payments s
        where s.network = v_new.network and s.asset = v_new.asset and s.payer = v_new.payer
          and s.settled_at >= p.refused_at
      );
    if v_refusals >= p_max_refusals then
      outcome := 'limited';
      return next;
      return;
    end if;
    retry_at := null;
  end if;

  select coalesce(jsonb_agg(jsonb_build_object('nonce', p.nonce, 'amount', p.amount::text)), '[]'::jsonb)
  into open_payments
  from public.payments p
  where p.network = v_new.network and p.asset = v_new.asset and p.payer = v_new.payer and p.nonce <> v_new.nonce
    and p.valid_before > p_now
    and (p.state = 'settling' or (p.state = 'working' and p.lease_until > p_now));

  if v_old.nonce is not null then
    -- A failed payment starts again, but its refusals stay counted. Its first time stays too, because reconciliation
    -- searches the chain from that time.
    v_new.created_at := v_old.created_at;
    v_new.refusals := v_old.refusals;
    v_new.refused_at := v_old.refused_at;
    delete from public.payments p
    where p.network = v_new.network and p.asset = v_new.asset and p.payer = v_new.payer and p.nonce = v_new.nonce;
  end if;
  insert into public.payments select v_new.*;
  outcome := 'claimed';
  return next;
end;
$$;

revoke execute on function public.claim_payment(jsonb, timestamptz, integer, integer, integer)
  from public, anon, authenticated;
grant execute on function public.claim_payment(jsonb, timestamptz, integer, integer, integer) to service_role;
