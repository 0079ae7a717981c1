-- Payments for paid operations, and rate limits across processes.

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
  -- Response body. It is deleted some time after the settlement, or at once if the payment fails.
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
  where state = 'settling' or (state in ('settled', 'failed') and audited_at is null);
create index payments_unfinished on public.payments (lease_until) where state = 'working';
create index payments_kept on public.payments (settled_at) where settled_at is not null and result is not null;
create index payments_failed on public.payments (valid_before) where state = 'failed';
-- Hash index, because a B-tree index would limit the length of the text.
create index payments_resource on public.payments using hash (resource);
create index payments_transaction on public.payments (network, transaction) where transaction is not null;

-- Rate limit windows. Each key has one row with the calls counted in its current window. The first call after a window
-- has ended starts the next window in the same row. The table is unlogged, because a crash loses only the current
-- windows.
create unlogged table public.rate_limits (
  key text primary key,
  used integer not null,
  ends_at timestamptz not null
) with (fillfactor = 50);
create index rate_limits_ends on public.rate_limits (ends_at);
