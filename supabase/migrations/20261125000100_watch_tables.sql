-- Watches: paid subscriptions to an endpoint, the log of each watch, and the deliveries of its entries.
-- Every transaction takes its row locks in this order: endpoint_states, payments, watches (by id),
-- watch_destinations, schedules, host_queues. A transaction locks a destination only while it holds the lock of the
-- watch. The only exception is a claim of deliveries, which skips locked destinations and waits for no lock.

-- Watches. A watch is `pending` until its payment is settled, then `active`. It ends as `cancelled` or `expired`.
create table public.watches (
  id text collate "C" primary key check (id ~ '^w_[a-z2-7]{26}$'),
  endpoint_id text collate "C" not null references public.endpoints (id) on delete cascade,
  status text not null default 'pending' check (status in ('pending', 'active', 'cancelled', 'expired')),
  -- Hash of the signing key. It authenticates the owner, and nothing can be signed with it.
  secret_hash text not null,
  -- Encrypted. The key of this encryption is not in the database.
  signing_key text not null,
  -- Types of alerts that the owner wants.
  events text[] not null check (events <@ array[
    'payto_change', 'price_change', 'asset_network_change', 'spec_regression', 'delisting', 'liveness_down',
    'liveness_recovered'
  ]),
  -- Number of consecutive missed scheduled probes before `liveness_down`.
  liveness_sensitivity_n smallint not null check (liveness_sensitivity_n between 1 and 10),
  created_at timestamptz not null,
  activated_at timestamptz,
  expires_at timestamptz not null,
  cancelled_at timestamptz,
  -- Value of `expires_at` for which the entry `expiring` was logged. A renewal changes `expires_at`, so its end is
  -- announced again.
  notified_expiry timestamptz,
  -- Start of the downtime that this watch has logged, or would have logged if its owner wanted that type. Null while
  -- the endpoint is not down for this watch.
  down_since timestamptz,
  -- Sequence of the latest log entry. The entries of a watch are numbered without gaps, from 1.
  last_sequence integer not null default 0,
  check ((status = 'cancelled') = (cancelled_at is not null)),
  check ((status = 'pending') = (activated_at is null))
) with (fillfactor = 80);
create index watches_endpoint on public.watches (endpoint_id);
create index watches_expiry on public.watches (expires_at) where status = 'active';
create index watches_pending on public.watches (created_at) where status = 'pending';
create index watches_ended on public.watches ((least(cancelled_at, expires_at)))
  where status in ('cancelled', 'expired');

-- Purchases of watches, by the key of the payment. The work of a request writes the row. The settlement of the payment
-- applies it, once.
create table public.watch_purchases (
  network text not null,
  asset text not null,
  payer text not null,
  nonce text not null,
  watch_id text collate "C" not null references public.watches (id) on delete cascade,
  kind text not null check (kind in ('create', 'renew')),
  requested_at timestamptz not null,
  applied_at timestamptz,
  primary key (network, asset, payer, nonce)
);
create index watch_purchases_watch on public.watch_purchases (watch_id);

-- Log of each watch: alerts about the endpoint, and lifecycle events of the watch itself.
create table public.watch_log (
  watch_id text collate "C" not null references public.watches (id) on delete cascade,
  sequence integer not null check (sequence > 0),
  kind text not null check (kind in ('alert', 'lifecycle')),
  type text not null check (type in (
    'payto_change', 'price_change', 'asset_network_change', 'spec_regression', 'delisting', 'liveness_down',
    'liveness_recovered', 'created', 'edited', 'renewed', 'cancelled', 'expiring', 'expired', 'delivery_disabled'
  )),
  at timestamptz not null,
  data jsonb not null,
  primary key (watch_id, sequence)
);
-- Pages of alerts and of lifecycle events are read separately.
create index watch_log_kind on public.watch_log (watch_id, kind, sequence);

-- Destinations of deliveries. A removed destination stays for the list of attempts, without its URL.
create table public.watch_destinations (
  id bigint generated always as identity primary key,
  watch_id text collate "C" not null references public.watches (id) on delete cascade,
  channel text not null check (channel in ('webhook', 'slack', 'discord')),
  -- Encrypted. `label` is the public form of the URL.
  url text,
  label text not null,
  created_at timestamptz not null,
  removed_at timestamptz,
  disabled_at timestamptz,
  disabled_reason text check (disabled_reason in ('gone', 'failing')),
  -- Time of the first failed attempt since the last successful one, and since the last 30 hours without an attempt.
  failing_since timestamptz,
  -- Time of the last delivered message about liveness.
  liveness_sent_at timestamptz,
  -- The last attempt took 2 seconds or longer. Claims contain only a limited number of slow destinations.
  is_slow boolean not null default false,
  -- Time of the next claim: the next attempt of the first pending delivery, or the end of the lease. Null without a
  -- pending delivery.
  next_due_at timestamptz,
  -- Worker that is sending to this destination, until `lease_until`. So each destination has at most one attempt at a
  -- time.
  lease_owner text,
  lease_until timestamptz,
  check (url is not null or removed_at is not null),
  check ((disabled_at is null) = (disabled_reason is null)),
  check ((lease_owner is null) = (lease_until is null)),
  check (next_due_at is null or (removed_at is null and disabled_at is null))
) with (fillfactor = 80);
create index watch_destinations_watch on public.watch_destinations (watch_id);
create index watch_destinations_due on public.watch_destinations (is_slow, next_due_at)
  where next_due_at is not null;
create index watch_destinations_lease on public.watch_destinations (lease_owner) where lease_owner is not null;

-- Outbox: one row for each log entry and destination, written in the transaction that writes the entry.
-- `exhausted`: every attempt failed. `dropped`: the destination was removed or disabled first.
-- `watch_id` has no foreign key here and in the table of attempts, because its check would lock the watch while the
-- destination is locked.
create table public.watch_deliveries (
  destination_id bigint not null references public.watch_destinations (id) on delete cascade,
  sequence integer not null,
  watch_id text collate "C" not null,
  state text not null default 'pending' check (state in ('pending', 'delivered', 'exhausted', 'dropped')),
  attempts smallint not null default 0,
  next_attempt_at timestamptz not null,
  created_at timestamptz not null,
  finished_at timestamptz,
  primary key (destination_id, sequence),
  check ((state = 'pending') = (finished_at is null))
) with (fillfactor = 80);
create index watch_deliveries_pending on public.watch_deliveries (destination_id, sequence) where state = 'pending';

-- Attempts to deliver, for the owner of the watch.
create table public.watch_attempts (
  id bigint generated always as identity primary key,
  destination_id bigint not null references public.watch_destinations (id) on delete cascade,
  watch_id text collate "C" not null,
  -- Sequence of the log entry. For several entries in one chat message: the sequence of the first.
  sequence integer not null,
  at timestamptz not null,
  duration_ms real not null,
  -- Phase of the request that failed; null for a success.
  phase text,
  http_status smallint,
  -- Start of the response body, at most 1,000 characters.
  reply text,
  error text,
  outcome text not null check (outcome in ('delivered', 'failed')),
  next_attempt_at timestamptz
);
create index watch_attempts_watch on public.watch_attempts (watch_id, id desc);
create index watch_attempts_destination on public.watch_attempts (destination_id, id desc);
create index watch_attempts_at on public.watch_attempts (at);

alter table public.watches enable row level security;
alter table public.watch_purchases enable row level security;
alter table public.watch_log enable row level security;
alter table public.watch_destinations enable row level security;
alter table public.watch_deliveries enable row level security;
alter table public.watch_attempts enable row level security;

-- Default grants differ between installations, so this file sets all grants explicitly.
revoke all on public.watches, public.watch_purchases, public.watch_log, public.watch_destinations,
  public.watch_deliveries, public.watch_attempts from anon, authenticated;
grant all on public.watches, public.watch_purchases, public.watch_log, public.watch_destinations,
  public.watch_deliveries, public.watch_attempts to service_role;
grant all on all sequences in schema public to service_role;
