-- Payments: one payment buys one result. The nonce of an authorization is the key of a row that is written before the
-- work begins, so that whoever presents it again finds what became of it.

-- working: the work for it is being done. settling: the work is done and kept, and it is not known yet whether money
-- moved. settled: it moved. failed: it did not, and cannot any more.
create table public.payments (
  network text not null,
  -- Addresses and nonces are in lower case.
  asset text not null,
  payer text not null,
  nonce text not null,
  -- What it was first presented with: the operation, its input, and the header itself.
  route text not null,
  request_hash text not null,
  header_hash text not null,
  resource text not null,
  pay_to text not null,
  -- Atomic units.
  amount numeric not null check (amount > 0 and amount = trunc(amount)),
  -- From then on it cannot be settled any more.
  valid_before timestamptz not null,
  state text not null check (state in ('working', 'settling', 'settled', 'failed')),
  -- Who serves it, and until when nobody else does.
  owner text not null,
  lease_until timestamptz not null,
  -- The body of the answer; gone some time after it was settled.
  result text,
  -- The PAYMENT-RESPONSE header of the answer.
  receipt text,
  -- Null where it is known to be settled and not by which transaction.
  transaction text,
  created_at timestamptz not null,
  settled_at timestamptz,
  primary key (network, asset, payer, nonce),
  check ((state = 'settled') = (settled_at is not null)),
  check (state <> 'settling' or result is not null)
);
create index payments_open on public.payments (lease_until) where state in ('working', 'settling');
create index payments_kept on public.payments (settled_at) where state = 'settled' and result is not null;
create index payments_failed on public.payments (valid_before) where state = 'failed';

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

-- Takes a payment for a request, for p_lease_seconds.
-- p_payment: { network, asset, payer, nonce, route, requestHash, headerHash, resource, payTo, amount, validBefore, owner }
-- Returns one row. outcome is claimed: the caller works; resumed: the work is done, and the caller settles again;
-- busy: somebody else serves it; other: it was first presented with another request; settled: it bought the result.
-- header_hash and created_at are those it was first presented with.
create function public.claim_payment(p_payment jsonb, p_now timestamptz, p_lease_seconds integer)
returns table (outcome text, result text, receipt text, header_hash text, created_at timestamptz)
language plpgsql
set search_path = ''
as $$
declare
  v_new public.payments;
  v_old public.payments;
begin
  select j.network, j.asset, j.payer, j.nonce, j.route, j."requestHash", j."headerHash", j.resource, j."payTo",
    j.amount, j."validBefore", 'working', j.owner, p_now + make_interval(secs => p_lease_seconds), null, null, null,
    p_now, null
  into v_new
  from jsonb_to_record(p_payment) as j (
    network text, asset text, payer text, nonce text, route text, "requestHash" text, "headerHash" text, resource text,
    "payTo" text, amount numeric, "validBefore" timestamptz, owner text
  );
  loop
    insert into public.payments select v_new.* on conflict do nothing;
    if found then
      return query select 'claimed', null::text, null::text, v_new.header_hash, v_new.created_at;
      return;
    end if;
    select * into v_old from public.payments p
    where p.network = v_new.network and p.asset = v_new.asset and p.payer = v_new.payer and p.nonce = v_new.nonce
    for update;
    -- It may have been released since.
    exit when found;
  end loop;

  if v_old.route <> v_new.route or v_old.request_hash <> v_new.request_hash then
    return query select 'other', null::text, null::text, v_old.header_hash, v_old.created_at;
  elsif v_old.state = 'settled' then
    return query select 'settled', v_old.result, v_old.receipt, v_old.header_hash, v_old.created_at;
  elsif v_old.state <> 'failed' and v_old.lease_until > p_now then
    return query select 'busy', null::text, null::text, v_old.header_hash, v_old.created_at;
  elsif v_old.state = 'settling' then
    update public.payments p set owner = v_new.owner, lease_until = v_new.lease_until
    where p.network = v_new.network and p.asset = v_new.asset and p.payer = v_new.payer and p.nonce = v_new.nonce;
    return query select 'resumed', v_old.result, null::text, v_old.header_hash, v_old.created_at;
  else
    -- What came to nothing is begun anew.
    delete from public.payments p
    where p.network = v_new.network and p.asset = v_new.asset and p.payer = v_new.payer and p.nonce = v_new.nonce;
    insert into public.payments select v_new.*;
    return query select 'claimed', null::text, null::text, v_new.header_hash, v_new.created_at;
  end if;
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
    set state = 'settling', result = p_result, lease_until = p_now + make_interval(secs => p_lease_seconds)
    where p.network = p_network and p.asset = p_asset and p.payer = p_payer and p.nonce = p_nonce
      and p.owner = p_owner and p.state = 'working'
    returning 1
  )
  select exists (select 1 from kept);
$$;

-- Records that a payment was settled, whoever found that out. p_transaction: empty where it is not known.
-- Returns the receipt that holds: the first one recorded.
create function public.settle_payment(
  p_network text, p_asset text, p_payer text, p_nonce text, p_transaction text, p_receipt text, p_now timestamptz
)
returns text
language sql
set search_path = ''
as $$
  with settled as (
    update public.payments p
    set state = 'settled', transaction = nullif(p_transaction, ''), receipt = p_receipt, settled_at = p_now, lease_until = p_now
    where p.network = p_network and p.asset = p_asset and p.payer = p_payer and p.nonce = p_nonce
      and p.state in ('settling', 'failed')
    returning p.receipt
  )
  select receipt from settled
  union all
  select p.receipt from public.payments p
  where p.network = p_network and p.asset = p_asset and p.payer = p_payer and p.nonce = p_nonce and p.state = 'settled'
  limit 1;
$$;

-- Lets go of a payment: work that came to nothing is forgotten, so that the payment is as good as new; one that was not
-- settled can be tried again at once.
create function public.release_payment(
  p_network text, p_asset text, p_payer text, p_nonce text, p_owner text, p_now timestamptz
)
returns void
language sql
set search_path = ''
as $$
  delete from public.payments p
  where p.network = p_network and p.asset = p_asset and p.payer = p_payer and p.nonce = p_nonce
    and p.owner = p_owner and p.state = 'working';
  update public.payments p set lease_until = p_now
  where p.network = p_network and p.asset = p_asset and p.payer = p_payer and p.nonce = p_nonce
    and p.owner = p_owner and p.state = 'settling';
$$;

-- Payments of a network whose settlement has been open since before p_before, the longest open first.
create function public.open_payments(p_network text, p_before timestamptz, p_limit integer)
returns setof public.payments
language sql stable
set search_path = ''
as $$
  select * from public.payments p
  where p.network = p_network and p.state = 'settling' and p.lease_until < p_before
  order by p.lease_until limit p_limit;
$$;

-- Gives a payment up that can no longer be settled, where nobody serves it. Returns whether it was given up.
create function public.fail_payment(p_network text, p_asset text, p_payer text, p_nonce text, p_now timestamptz)
returns boolean
language sql
set search_path = ''
as $$
  with given_up as (
    update public.payments p set state = 'failed', result = null
    where p.network = p_network and p.asset = p_asset and p.payer = p_payer and p.nonce = p_nonce
      and p.state = 'settling' and p.lease_until <= p_now and p.valid_before < p_now
    returning 1
  )
  select exists (select 1 from given_up);
$$;

-- Forgets up to p_limit results of payments that were settled before p_keep_results_from, and as many payments that came
-- to nothing: those whose work was never finished, and those that failed, before p_keep_failed_from. What was settled is
-- kept for ever.
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
      where r.state = 'settled' and r.result is not null and r.settled_at < p_keep_results_from
      limit p_limit for update skip locked
    ) o
    where p.network = o.network and p.asset = o.asset and p.payer = o.payer and p.nonce = o.nonce
    returning 1
  ),
  dead as (
    delete from public.payments p using (
      select d.network, d.asset, d.payer, d.nonce from public.payments d
      where (d.state = 'failed' and d.valid_before < p_keep_failed_from)
        or (d.state = 'working' and d.lease_until < p_keep_failed_from)
      limit p_limit for update skip locked
    ) o
    where p.network = o.network and p.asset = o.asset and p.payer = o.payer and p.nonce = o.nonce
    returning 1
  )
  select (select count(*) from old_results)::integer, (select count(*) from dead)::integer;
$$;
