-- Payments for paid operations, and rate limits across processes.
-- Leases are compared with the clock of the database. Otherwise, two processes with different clocks could settle one
-- payment at the same time. Only tests pass the optional `p_now`, which is the time of the call.

-- Payments: one payment buys one result. The key contains the nonce of the signed authorization, and the row is written
-- before the work begins. So a repeated request finds the state of its payment. The states are:
-- `working`: the work is in progress.
-- `settling`: the result is stored, but it is not known yet whether money moved.
-- `settled`: money moved.
-- `failed`: no money moved, for example because the settlement was refused.
-- `disputed`: a facilitator reported the settlement and the result was delivered, but the chain shows no transfer.
create table public.payments (
  network text not null,
  -- Addresses and nonces are stored in lower case.
  asset text not null,
  payer text not null,
  nonce text not null,
  -- First request that used the payment. `route` and `request_hash` identify the operation and its input.
  -- `payment_hash` is the hash of the signed data with the signature. `secret_hash` is the hash of the secret from the
  -- challenge, or null if the client did not repeat the secret.
  route text not null,
  request_hash text not null,
  payment_hash text not null,
  secret_hash text,
  -- Endpoint in the request, as a canonical URL. If the request contains no valid URL: the text from the request.
  resource text not null,
  pay_to text not null,
  -- Amount in atomic units.
  amount numeric not null check (amount > 0 and amount = trunc(amount)),
  -- End of the payment's validity. The payment cannot be settled from this time on.
  valid_before timestamptz not null,
  state text not null check (state in ('working', 'settling', 'settled', 'failed', 'disputed')),
  -- Id of the request that serves the payment and holds its lease. `lease_until` is the end of the lease.
  owner text not null,
  lease_until timestamptz not null,
  -- Response body. It is deleted some time after the settlement, or when the chain shows that the payment failed.
  result text,
  -- Value of the response header PAYMENT-RESPONSE.
  receipt text,
  transaction text,
  created_at timestamptz not null,
  settled_at timestamptz,
  -- Number of settlement attempts for the current result.
  attempts integer not null default 0,
  -- Total number of refused settlements of this payment. `refused_at` is the time of the last refusal.
  refusals integer not null default 0,
  refused_at timestamptz,
  -- Time of the last comparison with the chain. `audited_at` is set when no further comparison is needed.
  checked_at timestamptz,
  audited_at timestamptz,
  primary key (network, asset, payer, nonce),
  check ((state in ('settled', 'disputed')) = (settled_at is not null)),
  check (state <> 'settling' or result is not null)
);

create index payments_open on public.payments (network, asset, payer) where state in ('working', 'settling');
create index payments_refused on public.payments (network, asset, payer, refused_at) where refused_at is not null;
create index payments_sold on public.payments (network, asset, payer, settled_at) where settled_at is not null;
create index payments_unchecked on public.payments (network, checked_at nulls first)
  where state = 'settling' or (state in ('working', 'settled', 'failed') and audited_at is null);
create index payments_unfinished on public.payments (lease_until) where state = 'working';
create index payments_kept on public.payments (settled_at) where settled_at is not null and result is not null;
create index payments_failed on public.payments (valid_before) where state = 'failed';

-- Hash index, because a B-tree index would limit the length of the text.
create index payments_resource on public.payments using hash (resource);
create index payments_transaction on public.payments (network, transaction) where transaction is not null;

-- Indexes of the operational metrics.
create index payments_created on public.payments (created_at);
create index payments_open_created on public.payments (state, created_at) where state in ('working', 'settling');
create index payments_unchecked_created on public.payments (created_at)
  where state = 'settling' or (state in ('settled', 'failed') and audited_at is null);
create index payments_disputed on public.payments (audited_at) where state = 'disputed';

-- Rate limit windows. Each key has one row with the calls counted in its current window. The first call after a window
-- has ended starts the next window in the same row. The table is unlogged, because a crash loses only the current
-- windows.
create unlogged table public.rate_limits (
  key text primary key,
  used integer not null,
  ends_at timestamptz not null
) with (fillfactor = 50);

create index rate_limits_ends on public.rate_limits (ends_at);

-- Trigger function: applies the watch purchase of a settled payment, at most once. The payment must be for the
-- operation of the purchase. A purchase of the kind `create` activates the watch. A renewal extends the watch, and also
-- reactivates a watch that expired in the meantime. A watch that its owner cancelled in the meantime stays cancelled.
-- A watch that was not active did not log the end of a downtime. So its downtime is kept only if the endpoint is still
-- in the same downtime. The purchase gets the status and the end of the watch, for the response to its buyer.
create function internal.apply_watch_purchase()
returns trigger
language plpgsql
as $$
declare
  v_purchase record;
  v_watch record;
  v_status text := 'active';
  v_expires_at timestamptz;
begin
  select * into v_purchase from public.watch_purchases b
  where b.network = new.network and b.asset = new.asset and b.payer = new.payer and b.nonce = new.nonce
    and b.applied_at is null
    and new.route = case b.kind when 'create' then 'POST /v1/watch-endpoint-30d' else 'POST /v1/watch/{id}/renew' end;
  if not found then return null; end if;

  select * into strict v_watch from public.watches w where w.id = v_purchase.watch_id for no key update;
  v_expires_at := v_watch.expires_at;
  if v_watch.status = 'cancelled' then
    v_status := 'cancelled';
  elsif v_purchase.kind = 'create' then
    update public.watches w set status = 'active', activated_at = new.settled_at where w.id = v_watch.id;
    perform internal.append_watch_log(array[row(
      v_watch.id, 'lifecycle', 'created', new.settled_at, jsonb_build_object('expiresAt', v_watch.expires_at)
    )::internal.watch_entry]);
  else
    v_expires_at := greatest(v_purchase.requested_at, v_watch.expires_at) + interval '30 days';
    update public.watches w set status = 'active', expires_at = v_expires_at,
      down_since = case when w.status = 'active' or w.down_since = (
        select s.down_since from public.endpoint_states s where s.endpoint_id = w.endpoint_id
      ) then w.down_since end
    where w.id = v_watch.id;
    perform internal.append_watch_log(array[row(
      v_watch.id, 'lifecycle', 'renewed', new.settled_at, jsonb_build_object(
        'before', jsonb_build_object('expiresAt', v_watch.expires_at),
        'after', jsonb_build_object('expiresAt', v_expires_at)
      )
    )::internal.watch_entry]);
  end if;
  update public.watch_purchases b
  set applied_at = new.settled_at, watch_status = v_status, watch_expires_at = v_expires_at
  where b.network = new.network and b.asset = new.asset and b.payer = new.payer and b.nonce = new.nonce;
  perform internal.update_watched_schedules(array[v_watch.endpoint_id], new.settled_at);
  return null;
end;
$$;

create trigger payments_apply_watch_purchase after update of state on public.payments
  for each row when (new.state = 'settled' and old.state <> 'settled')
  execute function internal.apply_watch_purchase();

-- Returns true while a lease runs. A lease lasts less than a minute. A later end was written before the clock of the
-- database was set back.
create function internal.is_leased(p_lease_until timestamptz, p_now timestamptz)
returns boolean
language sql immutable
as $$
  select p_lease_until > p_now and p_lease_until <= p_now + interval '1 minute';
$$;

-- Returns the payment with the given key, and `is_leased`; null if there is no payment.
create function public.find_payment(p_network text, p_asset text, p_payer text, p_nonce text)
returns jsonb
language sql stable
as $$
  select to_jsonb(p) || jsonb_build_object(
    'amount', p.amount::text, 'is_leased', internal.is_leased(p.lease_until, clock_timestamp())
  )
  from public.payments p
  where p.network = p_network and p.asset = p_asset and p.payer = p_payer and p.nonce = p_nonce;
$$;

-- Returns true if a payment renews a watch that its owner cancelled.
create function internal.is_renewal_outdated(p_payment public.payments)
returns boolean
language plpgsql stable
as $$
begin
  return p_payment.route = 'POST /v1/watch/{id}/renew' and exists (
    select 1 from public.watch_purchases b join public.watches w on w.id = b.watch_id
    where b.network = p_payment.network and b.asset = p_payment.asset and b.payer = p_payment.payer
      and b.nonce = p_payment.nonce and w.status = 'cancelled'
  );
end;
$$;

-- Claims a payment for a request. The caller knows that the payer signed the payment: from the signature, from a
-- verification, or because the payment equals the stored payment. The caller does no work before the payment was
-- verified. p_payment: columns of the payment, from `network` to `valid_before`, `owner` and `transaction`. The lease
-- lasts p_lease_seconds. `transaction` is the transfer of the payment on the chain, or null: with a transfer, a failed
-- payment with a result is resumed, and no limit applies.
-- Returns one row. `state` is the state of the stored payment before the claim, or `absent`. `same_payment` is true if
-- the stored payment has the same payment hash and secret hash. `pay_to`, `amount` and `created_at` are values of the
-- stored payment. The outcome is:
-- `claimed`: the caller does the work. `open_payments` lists other open payments of the same payer, which may draw on
-- the same balance: [{ nonce, amount }].
-- `resumed`: the work is done, and the caller settles the payment again. `attempt` is the number of this attempt.
-- `outdated`: like `resumed`, but the watch that the payment renews was cancelled. The caller does not settle the
-- payment, and only reads from the chain if an earlier settlement moved the money.
-- `busy`: another request serves the payment.
-- `other`: the payment was first used for another request, or it differs from the stored payment.
-- `settled`: the payment has already bought the result.
-- `limited`: the payer had p_max_refusals refused settlements within an hour, and no settled payment since. The payer
-- may try again at retry_at.
create function public.claim_payment(
  p_payment jsonb, p_lease_seconds integer, p_max_refusals integer,
  p_now timestamptz default clock_timestamp()
)
returns table (
  outcome text, state text, same_payment boolean, result text, receipt text, settled_at timestamptz, attempt integer,
  retry_at timestamptz, open_payments jsonb, pay_to text, amount text, created_at timestamptz
)
language plpgsql
as $$
declare
  v_new public.payments := jsonb_populate_record(null::public.payments, p_payment || jsonb_build_object(
    'state', 'working', 'lease_until', p_now + make_interval(secs => p_lease_seconds), 'created_at', p_now,
    'attempts', 0, 'refusals', 0
  ));
  v_old public.payments;
  v_refusals bigint;
begin
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
      -- A paid payment without a result is not bound to its request: its work can end in a problem.
      when (v_old.route <> v_new.route or v_old.request_hash <> v_new.request_hash) and (
        v_old.state <> 'working' or v_old.transaction is null or v_old.result is not null
        or internal.is_leased(v_old.lease_until, p_now)
      ) then 'other'
      when (v_old.state in ('settling', 'settled', 'disputed') or v_old.result is not null) and not same_payment
        then 'other'
      when v_old.state in ('settled', 'disputed') then 'settled'
      when v_old.state <> 'failed' and internal.is_leased(v_old.lease_until, p_now) then 'busy'
      when v_old.state = 'settling' or (v_new.transaction is not null and v_old.result is not null) then 'resumed'
    end;
    if outcome = 'settled' then
      result := v_old.result;
      receipt := v_old.receipt;
      settled_at := v_old.settled_at;
    elsif outcome = 'resumed' then
      update public.payments p
      set state = 'settling', owner = v_new.owner, lease_until = p_now + make_interval(secs => p_lease_seconds),
        attempts = p.attempts + 1
      where p.network = v_new.network and p.asset = v_new.asset and p.payer = v_new.payer and p.nonce = v_new.nonce;
      result := v_old.result;
      attempt := v_old.attempts + 1;
      if internal.is_renewal_outdated(v_old) then outcome := 'outdated'; end if;
    end if;
    if outcome is not null then
      return next;
      return;
    end if;
  end if;

  if v_new.transaction is null and (v_old.nonce is null or v_old.state = 'failed') then
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
    and (p.state = 'settling' or (p.state = 'working' and internal.is_leased(p.lease_until, p_now)));

  if v_old.nonce is not null then
    -- A failed payment starts again, but its refusals stay counted. Its creation time stays too, because reconciliation
    -- searches the chain from that time. Its result stays, because the chain may show that the refused payment was
    -- settled.
    v_new.created_at := v_old.created_at;
    v_new.refusals := v_old.refusals;
    v_new.refused_at := v_old.refused_at;
    v_new.result := v_old.result;
    -- A transfer that the chain showed stays in the row, and is reported once.
    if v_old.transaction is not null then
      v_new.transaction := v_old.transaction;
      v_new.audited_at := v_old.audited_at;
    end if;
    delete from public.payments p
    where p.network = v_new.network and p.asset = v_new.asset and p.payer = v_new.payer and p.nonce = v_new.nonce;
  end if;
  insert into public.payments select v_new.*;
  outcome := 'claimed';
  return next;
end;
$$;

-- Extends the lease of a payment that p_owner holds. A lease that was released is not extended. The extension of a
-- lease that has ended counts if no other request has taken over the work.
create function public.extend_payment_lease(
  p_network text, p_asset text, p_payer text, p_nonce text, p_owner text, p_lease_seconds integer,
  p_now timestamptz default clock_timestamp()
)
returns void
language sql
as $$
  update public.payments p set lease_until = p_now + make_interval(secs => p_lease_seconds)
  where p.network = p_network and p.asset = p_asset and p.payer = p_payer and p.nonce = p_nonce
    and p.owner = p_owner and (p.state = 'working' or (p.state = 'settling' and p.lease_until > p_now));
$$;

-- Stores the result of the work of p_owner, before the settlement. Returns one of these texts:
-- `stored`: the payment may be settled.
-- `outdated`: the watch that the payment renews was cancelled after the work. The caller does the work again.
-- `superseded`: another request holds the payment.
create function public.store_payment_result(
  p_network text, p_asset text, p_payer text, p_nonce text, p_owner text, p_result text, p_lease_seconds integer,
  p_now timestamptz default clock_timestamp()
)
returns text
language plpgsql
as $$
begin
  update public.payments p
  set state = 'settling', result = p_result, lease_until = p_now + make_interval(secs => p_lease_seconds),
    attempts = 1
  where p.network = p_network and p.asset = p_asset and p.payer = p_payer and p.nonce = p_nonce
    and p.owner = p_owner and p.state = 'working'
    and not internal.is_renewal_outdated(p);
  if found then return 'stored'; end if;
  perform 1 from public.payments p
  where p.network = p_network and p.asset = p_asset and p.payer = p_payer and p.nonce = p_nonce
    and p.owner = p_owner and p.state = 'working';
  return case when found then 'outdated' else 'superseded' end;
end;
$$;

-- Releases a payment that p_owner holds. If its work is unfinished, the payment is deleted and can be used for another
-- request. After refused settlements, the payment is kept and marked as failed instead. A payment that the chain shows
-- as paid stays `working` until its result is delivered. If its result is stored, another request can settle the
-- payment immediately. Returns true if the payment was deleted or marked as failed.
create function public.release_payment(
  p_network text, p_asset text, p_payer text, p_nonce text, p_owner text,
  p_now timestamptz default clock_timestamp()
)
returns boolean
language sql
as $$
  with deleted as (
    delete from public.payments p
    where p.network = p_network and p.asset = p_asset and p.payer = p_payer and p.nonce = p_nonce
      and p.owner = p_owner and p.state = 'working' and p.refusals = 0 and p.transaction is null
    returning 1
  ),
  released as (
    update public.payments p
    set lease_until = p_now,
      state = case when p.state = 'working' and p.transaction is null then 'failed' else p.state end
    where p.network = p_network and p.asset = p_asset and p.payer = p_payer and p.nonce = p_nonce
      and p.owner = p_owner and (p.state = 'settling' or p.refusals > 0 or p.transaction is not null)
      and p.state in ('working', 'settling')
    returning p.state
  )
  select exists (select 1 from deleted) or exists (select 1 from released r where r.state = 'failed');
$$;

-- Marks a payment as failed. With p_owner: a facilitator permanently refused the settlement of this request. With
-- p_owner null: no request serves the payment, and the chain shows that the payment was not settled and can never be
-- settled. Only then the result is deleted: a refused payment may have been settled, and its result is then delivered.
-- p_refused is true if the payer caused the failure, which counts as a refusal. Returns true if the payment was marked.
create function public.fail_payment(
  p_network text, p_asset text, p_payer text, p_nonce text, p_refused boolean, p_owner text default null,
  p_now timestamptz default clock_timestamp()
)
returns boolean
language sql
as $$
  with failed as (
    update public.payments p
    set state = 'failed', result = case when p_owner is not null then p.result end,
      lease_until = least(p.lease_until, p_now),
      audited_at = case when p_owner is null then p_now end,
      refusals = p.refusals + p_refused::integer,
      refused_at = case when p_refused then p_now else p.refused_at end
    where p.network = p_network and p.asset = p_asset and p.payer = p_payer and p.nonce = p_nonce
      and p.state = 'settling' and case when p_owner is null then p.lease_until <= p_now else p.owner = p_owner end
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

-- Records a settlement. Returns the receipt that was recorded first.
create function public.settle_payment(
  p_network text, p_asset text, p_payer text, p_nonce text, p_transaction text, p_receipt text, p_audited boolean,
  p_now timestamptz default clock_timestamp()
)
returns text
language plpgsql
as $$
declare
  v_receipt text;
begin
  update public.payments p
  set state = 'settled', transaction = p_transaction, receipt = p_receipt, settled_at = p_now, lease_until = p_now,
    audited_at = case when p_audited then p_now end
  where p.network = p_network and p.asset = p_asset and p.payer = p_payer and p.nonce = p_nonce
    and p.state in ('settling', 'failed')
  returning p.receipt into v_receipt;
  if not found then
    select p.receipt into v_receipt from public.payments p
    where p.network = p_network and p.asset = p_asset and p.payer = p_payer and p.nonce = p_nonce
      and p.state in ('settled', 'disputed');
  end if;
  return v_receipt;
end;
$$;

-- Claims payments of a network for a comparison with the chain, and sets checked_at. Payments with the oldest check
-- come first. Three kinds are claimed: working and settling payments that no request has served since p_open_before;
-- payments that a facilitator reported as settled before p_settled_before; and failed payments that expired before
-- p_failed_before, for a final check.
create function public.claim_unchecked_payments(
  p_network text, p_now timestamptz, p_open_before timestamptz, p_settled_before timestamptz,
  p_failed_before timestamptz, p_limit integer
)
returns setof public.payments
language sql
as $$
  with chosen as (
    select p.network, p.asset, p.payer, p.nonce from public.payments p
    where p.network = p_network
      and (p.state = 'settling' or (p.state in ('working', 'settled', 'failed') and p.audited_at is null))
      and case
        when p.state in ('working', 'settling') then p.lease_until < p_open_before
        when p.state = 'settled' then p.settled_at < p_settled_before
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

-- Records the result of a comparison with the chain for a settled or failed payment, or for an unfinished payment that
-- no request serves. p_transaction is the transaction that moved the money, or '' if the chain shows no transfer. In
-- that case a settled payment becomes disputed, and the result and the transaction of any other payment are deleted.
create function public.audit_payment(
  p_network text, p_asset text, p_payer text, p_nonce text, p_transaction text,
  p_now timestamptz default clock_timestamp()
)
returns void
language sql
as $$
  update public.payments p
  set audited_at = p_now,
    state = case when p.state = 'settled' and p_transaction = '' then 'disputed' else p.state end,
    result = case when p.state = 'settled' or p_transaction <> '' then p.result end,
    transaction = coalesce(nullif(p_transaction, ''), case when p.state = 'settled' then p.transaction end)
  where p.network = p_network and p.asset = p_asset and p.payer = p_payer and p.nonce = p_nonce
    and (p.state in ('settled', 'failed') or (p.state = 'working' and p.lease_until <= p_now))
    and p.audited_at is null;
$$;

-- Deletes up to p_limit results of payments that were settled before p_keep_results_from. Deletes up to p_limit
-- payments that are older than p_keep_failed_from: unfinished and failed payments after their last check. Payments that
-- the chain shows as paid are never deleted.
create function public.prune_payments(
  p_keep_results_from timestamptz, p_keep_failed_from timestamptz, p_limit integer
)
returns table (results integer, payments integer)
language sql
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
        or (
          d.state = 'working' and d.audited_at is not null and d.transaction is null
          and d.lease_until < p_keep_failed_from
        )
      limit p_limit for update skip locked
    ) o
    where p.network = o.network and p.asset = o.asset and p.payer = o.payer and p.nonce = o.nonce
    returning 1
  )
  select (select count(*) from old_results)::integer, (select count(*) from deleted)::integer;
$$;

-- Adds p_cost to the use of a key in its current window, if the resulting use is at most p_limit. A refused call
-- changes nothing. A negative cost gives calls back, at most those of the current window.
create function public.consume_rate_limit(
  p_key text, p_cost integer, p_limit integer, p_window_seconds integer, p_now timestamptz
)
returns table (allowed boolean, remaining integer, ends_at timestamptz)
language plpgsql
as $$
declare
  v_row public.rate_limits;
  -- A window that ends later was written before the clock was set back. The clocks of processes differ by less than an
  -- hour.
  v_max_ends_at timestamptz := p_now + make_interval(hours => 1, secs => p_window_seconds);
begin
  if p_cost <= p_limit then
    insert into public.rate_limits as l (key, used, ends_at)
    values (p_key, greatest(p_cost, 0), p_now + make_interval(secs => p_window_seconds))
    on conflict (key) do update set
      used = greatest(case when l.ends_at <= p_now or l.ends_at > v_max_ends_at then 0 else l.used end + p_cost, 0),
      ends_at = case when l.ends_at <= p_now or l.ends_at > v_max_ends_at then excluded.ends_at else l.ends_at end
    where l.ends_at <= p_now or l.ends_at > v_max_ends_at or l.used + p_cost <= p_limit
    returning l.* into v_row;
    if found then
      return query select true, p_limit - v_row.used, v_row.ends_at;
      return;
    end if;
  end if;
  select * into v_row from public.rate_limits l where l.key = p_key;
  return query select false, greatest(p_limit - coalesce(v_row.used, 0), 0),
    coalesce(v_row.ends_at, p_now + make_interval(secs => p_window_seconds));
end;
$$;
