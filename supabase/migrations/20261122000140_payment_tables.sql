-- Payments for paid operations, and rate limits across processes.

-- Payments: one payment buys one result. The nonce of an authorization is part of the key, and the row is written
-- before the work begins, so a repeated request finds the state of the payment. States: `working`: the work is in
-- progress. `settling`: the result is stored, and it is not known yet whether money moved. `settled`: it moved.
-- `failed`: it did not and cannot move. `disputed`: a facilitator reported the settlement and the result was
-- delivered, but the chain shows no transfer.
create table public.payments (
  network text not null,
  -- Addresses and nonces are lower case.
  asset text not null,
  payer text not null,
  nonce text not null,
  -- What the payment was first presented with: the operation with its input, the signed data with its signature, and
  -- the secret of the challenge, which clients may leave out.
  route text not null,
  request_hash text not null,
  payment_hash text not null,
  secret_hash text,
  -- Canonical URL of the endpoint in the request; the text of the request if it is not a valid URL.
  resource text not null,
  pay_to text not null,
  -- Atomic units.
  amount numeric not null check (amount > 0 and amount = trunc(amount)),
  -- From this time on it cannot be settled.
  valid_before timestamptz not null,
  state text not null check (state in ('working', 'settling', 'settled', 'failed', 'disputed')),
  -- Request that serves the payment, and the end of its lease.
  owner text not null,
  lease_until timestamptz not null,
  -- Body of the response. Removed some time after the settlement, and at once if the payment fails.
  result text,
  -- PAYMENT-RESPONSE header of the response.
  receipt text,
  transaction text,
  created_at timestamptz not null,
  settled_at timestamptz,
  -- Number of settlement attempts for the current result.
  attempts integer not null default 0,
  -- Number of refused settlements of this payment in total, and the time of the last one.
  refusals integer not null default 0,
  refused_at timestamptz,
  -- Last comparison with the chain, and the time after which nothing is left to compare.
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
  where state = 'settling' or (state in ('settled', 'failed') and audited_at is null);
create index payments_unfinished on public.payments (lease_until) where state = 'working';
create index payments_kept on public.payments (settled_at) where settled_at is not null and result is not null;
create index payments_failed on public.payments (valid_before) where state = 'failed';
-- A hash index has no limit for the length of the text.
create index payments_resource on public.payments using hash (resource);
create index payments_transaction on public.payments (network, transaction) where transaction is not null;

-- Calls counted in the current window of each key. A window starts with the first call after the last one ended, so
-- each key has one row. The table is unlogged: a crash loses only the current windows.
create unlogged table public.rate_limits (
  key text primary key,
  used integer not null,
  ends_at timestamptz not null
) with (fillfactor = 50);
create index rate_limits_ends on public.rate_limits (ends_at);
