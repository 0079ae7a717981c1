-- Probing: schedules, host queues, leases, the latest states, observations, rollups and changes.

-- Next probe time of each endpoint. Small and frequently updated, so it is a separate table.
create table public.schedules (
  endpoint_id text collate "C" primary key references public.endpoints (id) on delete cascade,
  host text not null,
  -- Regular interval, and the stable offset of the endpoint within it.
  interval_seconds integer not null default 1800 check (interval_seconds > 0),
  offset_seconds integer not null check (offset_seconds >= 0),
  -- A watch subscription exists: probed every five minutes.
  watched boolean not null default false,
  -- Down for 14 days: probed four times a day until it responds.
  slow boolean not null default false,
  next_probe_at timestamptz not null
);
create index schedules_due on public.schedules (next_probe_at);
create index schedules_host_due on public.schedules (host, next_probe_at);

-- Next time at which each host may be probed. Claims select hosts first, so a host with many due slots cannot block
-- other hosts.
create table public.host_queues (
  host text primary key,
  -- Earliest slot of the host's endpoints, but never before `not_before`.
  next_due_at timestamptz not null,
  -- Rate limit: earliest time of the next claim from this host.
  not_before timestamptz not null default '-infinity'
);
create index host_queues_due on public.host_queues (next_due_at);

-- Claimed slots. Only the owner of a lease may record its slot; after expiry another worker can claim it.
create table public.leases (
  endpoint_id text collate "C" not null references public.endpoints (id) on delete cascade,
  slot_at timestamptz not null,
  owner text not null,
  expires_at timestamptz not null,
  -- Recheck after a miss, outside the schedule. The owner is '' until a worker claims it.
  is_recheck boolean not null default false,
  -- Slots covered by this lease: its own slot and the unclaimed slots before it. `due_seconds` is the time they cover.
  due_slots integer not null default 0,
  due_seconds integer not null default 0,
  primary key (endpoint_id, slot_at)
);
create index leases_expiry on public.leases (expires_at);
create index leases_owner on public.leases (owner);

-- Latest observed state of each endpoint. The columns that every probe updates are adjacent and have no index, and the
-- pages keep free space (fillfactor): a new row version stays on its page, and the WAL contains only the few bytes
-- that differ.
create table public.endpoint_states (
  endpoint_id text collate "C" primary key references public.endpoints (id) on delete cascade,
  last_probed_at timestamptz,
  -- Time of the last probe with a result of up or down.
  last_counted_at timestamptz,
  -- Time of the last probe that was not a self-inflicted failure. Later time counts as not monitored.
  last_observed_at timestamptz,
  -- Time when monitoring resumed after a gap, if the endpoint was payable before the gap; null without such a gap. The
  -- formula may conclude only from a fully monitored day that a day had no payable challenge.
  watched_since timestamptz,
  last_challenged_at timestamptz,
  last_payable_at timestamptz,
  last_free_at timestamptz,
  terms_at timestamptz,
  compliance_at timestamptz,
  -- First miss of the current series, and the number of misses in it. A monitoring gap starts a new series.
  down_since timestamptz,
  -- Counts changes of the columns that the score reads. Revisions are compared instead of times: what is recorded
  -- during a score computation is scored again, independent of clock differences.
  revision bigint not null default 1,
  misses integer not null default 0,
  -- Down from the second consecutive miss, which is normally the recheck.
  liveness text check (liveness in ('up', 'down')),
  last_outcome text,
  -- Method of the last challenge. Before the first challenge: the first method that was probed.
  method text,
  compliance text,
  -- Hash of the last challenge, which may not be stored yet.
  challenge_hash text,
  -- Payment terms of the last readable challenge: { version, options, prices, payTo }.
  terms jsonb
) with (fillfactor = 60);

-- Raw observations. One partition for each day; old partitions are dropped whole.
create table public.observations (
  endpoint_id text collate "C" not null,
  at timestamptz not null,
  outcome text not null,
  -- 1 is up, 0 is down, null is neither (blocked, method mismatch, self-inflicted failure).
  vitality smallint check (vitality in (0, 1)),
  -- Self-inflicted failure: excluded from all figures.
  excluded boolean not null default false,
  -- Recheck after a miss, or a probe for a paid report. It updates the state of the endpoint and is not counted in
  -- statistics.
  is_recheck boolean not null default false,
  http_status smallint,
  method text,
  latency_ms real,
  resolve_ms real,
  connect_ms real,
  tls_ms real,
  processing_ms real,
  transfer_ms real,
  compliance text check (compliance in ('pass', 'warnings', 'errors', 'unpayable')),
  challenge_hash text,
  -- Numeric without a limit, because endpoints can request absurdly large amounts.
  amount_usd numeric,
  failure text,
  primary key (endpoint_id, at)
) partition by range (at);

-- Distinct challenges, stored once by the hash of their content.
create table public.challenges (
  hash text primary key,
  first_seen_at timestamptz not null,
  -- Accurate to one day. Challenges that no stored observation can reference are dropped together with the
  -- observations.
  last_seen_at timestamptz not null,
  version smallint,
  challenge jsonb not null
);
create index challenges_last_seen on public.challenges (last_seen_at);

-- Daily figures of each endpoint, from which scores are computed. Every figure is a sum, so days can be merged in any
-- order. The free space (fillfactor) is for the updates of the current day; a larger one would waste space on all past
-- days.
create table public.daily_rollups (
  endpoint_id text collate "C" not null references public.endpoints (id) on delete cascade,
  day date not null,
  -- Scheduled probes. Rechecks are counted only in `rechecks`.
  probes integer not null default 0,
  rechecks integer not null default 0,
  -- Slots that came due, slots that were probed without a self-inflicted failure, and the time that the due slots
  -- cover.
  slots_due integer not null default 0,
  slots_probed integer not null default 0,
  due_seconds integer not null default 0,
  scored integer not null default 0,
  up integer not null default 0,
  excluded integer not null default 0,
  blocked integer not null default 0,
  redirected integer not null default 0,
  free integer not null default 0,
  envelopes_pass integer not null default 0,
  envelopes_warnings integer not null default 0,
  envelopes_errors integer not null default 0,
  envelopes_unpayable integer not null default 0,
  latency_n integer not null default 0,
  latency_sum_ms double precision not null default 0,
  -- 64 logarithmic buckets, 16 for each decade from 1 ms. Two histograms are merged by adding them.
  latency_histogram integer[] check (array_length(latency_histogram, 1) = 64),
  -- Last advertised price of the day, and its time.
  amount_usd numeric,
  amount_at timestamptz,
  primary key (endpoint_id, day)
) with (fillfactor = 80);
create index daily_rollups_day on public.daily_rollups (day);

-- Changes of listings, payment terms, compliance and liveness. Kept as long as observations.
create table public.changes (
  id bigint generated always as identity primary key,
  endpoint_id text collate "C" not null references public.endpoints (id) on delete cascade,
  at timestamptz not null,
  kind text not null check (kind in (
    'listed', 'delisted', 'relisted',
    'price_change', 'payto_change', 'asset_network_change', 'metadata_change',
    'compliance_change', 'liveness_down', 'liveness_recovered'
  )),
  before jsonb,
  after jsonb,
  unique (endpoint_id, at, kind)
);
create index changes_at on public.changes (at);
