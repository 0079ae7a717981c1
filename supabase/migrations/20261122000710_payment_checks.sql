-- Payment checks: comparison of payments with the chain after delivery, and deletion of old rows.

-- Claims payments of a network for a comparison with the chain, and sets checked_at. Payments with the oldest check
-- come first. Three kinds are claimed: settling payments that no request has served since p_open_before; payments that
-- a facilitator reported as settled before p_settled_before; and failed payments that expired before p_failed_before,
-- for a last check.
create function public.claim_unchecked_payments(
  p_network text, p_now timestamptz, p_open_before timestamptz, p_settled_before timestamptz,
  p_failed_before timestamptz, p_limit integer
)
returns setof public.payments
language sql
set search_path = ''
as $$
  with chosen as (
    select p.network, p.asset, p.payer, p.nonce from public.payments p
    where p.network = p_network
      and (p.state = 'settling' or (p.state in ('settled', 'failed') and p.audited_at is null))
      and case p.state
        when 'settling' then p.lease_until < p_open_before
        when 'settled' then p.settled_at < p_settled_before
        else p.valid_before < p_failed_before
      end
    order by p.checked_at nulls first, p.created_at
    limit p_limit
    for update skip locked
  )
  update public.payments p set checked_at = p_now from chosen c
  where p.network = c.network and p.asset = c.asset and p.payer = c.payer and p.nonce = c.nonce
  returning p.*;
$$;

-- Marks a settling payment as failed if no request serves it. The caller has read from the chain that the payment was
-- not settled and cannot be settled any more. p_refused is true if the payer caused this, which counts as a refusal.
-- Returns true if the payment was marked.
create function public.fail_payment(
  p_network text, p_asset text, p_payer text, p_nonce text, p_refused boolean, p_now timestamptz
)
returns boolean
language sql
set search_path = ''
as $$
  with failed as (
    update public.payments p
    set state = 'failed', result = null, audited_at = p_now,
      refusals = p.refusals + case when p_refused then 1 else 0 end,
      refused_at = case when p_refused then p_now else p.refused_at end
    where p.network = p_network and p.asset = p_asset and p.payer = p_payer and p.nonce = p_nonce
      and p.state = 'settling' and p.lease_until <= p_now
    returning p.resource
  ),
  -- Ends a provisional adoption of the endpoint now. expire_adoptions still keeps the endpoint if another payment for
  -- it is open or settled.
  ended as (
    update public.endpoints e set provisional_until = p_now
    from failed f where e.resource = f.resource and e.provisional_until is not null
  )
  select exists (select 1 from failed);
$$;

-- Records the result of a comparison with the chain for a settled or failed payment. p_transaction is the transaction
-- that moved the money, or '' if the chain shows no transfer. In that case a settled payment becomes disputed.
create function public.audit_payment(
  p_network text, p_asset text, p_payer text, p_nonce text, p_transaction text, p_now timestamptz
)
returns void
language sql
set search_path = ''
as $$
  update public.payments p
  set audited_at = p_now,
    state = case when p.state = 'settled' and p_transaction = '' then 'disputed' else p.state end,
    transaction = coalesce(nullif(p_transaction, ''), p.transaction)
  where p.network = p_network and p.asset = p_asset and p.payer = p_payer and p.nonce = p_nonce
    and p.state in ('settled', 'failed') and p.audited_at is null;
$$;

-- Deletes up to p_limit results of payments that were settled before p_keep_results_from. Deletes up to p_limit
-- payments that are older than p_keep_failed_from: unfinished payments, and failed payments after their last check.
-- Settled payments are never deleted.
create function public.prune_payments(
  p_keep_results_from timestamptz, p_keep_failed_from timestamptz, p_limit integer
)
returns table (results integer, payments integer)
language sql
set search_path = ''
as $$
  with old_results as (
    update public.payments p set result = null from (
      select r.network, r.asset, r.payer, r.nonce from public.payments r
      where r.settled_at < p_keep_results_from and r.result is not null
      limit p_limit for update skip locked
    ) o
    where p.network = o.network and p.asset = o.asset and p.payer = o.payer and p.nonce = o.nonce
    returning 1
  ),
  deleted as (
    delete from public.payments p using (
      select d.network, d.asset, d.payer, d.nonce from public.payments d
      where (d.state = 'failed' and d.audited_at is not null and d.valid_before < p_keep_failed_from)
        or (d.state = 'working' and d.lease_until < p_keep_failed_from)
      limit p_limit for update skip locked
    ) o
    where p.network = o.network and p.asset = o.asset and p.payer = o.payer and p.nonce = o.nonce
    returning 1
  )
  select (select count(*) from old_results)::integer, (select count(*) from deleted)::integer;
$$;
