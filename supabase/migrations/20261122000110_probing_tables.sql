-- Probing: schedules, host queues, leases, latest states, observations, daily rollups and changes.

-- Next probe time of each endpoint. This is a separate table because its small rows are updated frequently.
create table public.schedules (
  endpoint_id text collate "C" primary key references public.endpoints (id) on delete cascade,
  host text not null,
  -- Regular probe interval. `offset_seconds` is the stable offset of the endpoint's slots within this interval.
  interval_seconds integer not null default 1800 check (interval_seconds > 0),
  offset_seconds integer not null check (offset_seconds >= 0),
  -- True if a watch subscription exists. The endpoint is then probed at least every five minutes.
  watched boolean not null default false,
  -- True after 14 days of downtime. The endpoint is then probed at most four times a day until it responds.
  slow boolean not null default false,
  next_probe_at timestamptz not null
);
create index schedules_due on public.schedules (next_probe_at);
create index schedules_host_due on public.schedules (host, next_probe_at);

-- Next probe time of each host. A claim selects hosts first, so a host with many due slots cannot block other hosts.
create table public.host_queues (
  host text primary key,
  -- Earliest probe time of the host's endpoints, or `not_before` if that is later.
  next_due_at timestamptz not null,
  -- Earliest time at which slots of this host may be claimed again. Set by the rate limit of the host.
  not_before timestamptz not null default '-infinity'
);
create index host_queues_due on public.host_queues (next_due_at);

-- Leases of probe slots that workers have claimed. Only the owner of a lease may record a probe result for its slot.
-- After the lease has expired, another worker can claim the slot.
create table public.leases (
  endpoint_id text collate "C" not null references public.endpoints (id) on delete cascade,
  slot_at timestamptz not null,
  owner text not null,
  expires_at timestamptz not null,
  -- True for a recheck after a miss, which is outside the schedule. The owner is '' until a worker claims the recheck.
  is_recheck boolean not null default false,
  -- Number of slots that this lease covers: the claimed slot and the earlier slots that no worker claimed.
  -- `due_seconds` is the sum of their probe intervals.
  due_slots integer not null default 0,
  due_seconds integer not null default 0,
  primary key (endpoint_id, slot_at)
);
create index leases_expiry on public.leases (expires_at);
create index leases_owner on public.leases (owner);

-- Latest observed state of each endpoint. The columns that every probe updates are adjacent and have no index, and each
-- page keeps free space (fillfactor). So an updated row stays on its page, and the WAL contains only the changed bytes.
create table public.endpoint_states (
  endpoint_id text collate "C" primary key references public.endpoints (id) on delete cascade,
  last_probed_at timestamptz,
  -- Time of the last probe that found the endpoint up or down.
  last_counted_at timestamptz,
  -- Time of the last probe that was not a self-inflicted failure. The time after that probe counts as not monitored.
  last_observed_at timestamptz,
  -- Time when monitoring resumed after a gap, if the endpoint was payable before the gap; otherwise null. The flag
  -- `not-payable` requires 24 hours without a payable challenge. These hours begin at this time at the earliest,
  -- because challenges during the gap are unknown.
  watched_since timestamptz,
  last_challenged_at timestamptz,
  last_payable_at timestamptz,
  last_free_at timestamptz,
  terms_at timestamptz,
  compliance_at timestamptz,
  -- Time of the first of the current consecutive misses; `misses` is their number. Misses before a monitoring gap do
  -- not count.
  down_since timestamptz,
  -- Raised with each change of the data that the score reads. If the revision changes while a score is computed, the
  -- endpoint is scored again. Times are not compared, because clocks can differ.
  revision bigint not null default 1,
  misses integer not null default 0,
  -- An endpoint is down from its second consecutive miss on. The second miss is normally the recheck.
  liveness text check (liveness in ('up', 'down')),
  last_outcome text,
  -- HTTP method of the last challenge. Before the first challenge: method of the first probe.
  method text,
  compliance text,
  -- Hash of the last challenge. The challenge itself may not be stored yet.
  challenge_hash text,
  -- Payment terms of the last readable challenge: { version, options, prices, payTo }.
  terms jsonb
) with (fillfactor = 60);

-- Raw observations, one for each probe. Each day has a partition, and old partitions are dropped whole.
create table public.observations (
  endpoint_id text collate "C" not null,
  at timestamptz not null,
  outcome text not null,
  -- 1 means up, 0 means down. Null means neither: blocked, method mismatch, or self-inflicted failure.
  vitality smallint check (vitality in (0, 1)),
  -- True for a self-inflicted failure, which is excluded from all figures.
  excluded boolean not null default false,
  -- True for a recheck after a miss, and for the live probe of a paid report. These probes update the state of the
  -- endpoint but are not counted in statistics.
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
  -- Advertised price in US dollars. Numeric without a precision limit, because endpoints can request absurdly large
  -- amounts.
  amount_usd numeric,
  failure text,
  primary key (endpoint_id, at)
) partition by range (at);

-- Distinct challenges. Each challenge is stored once, by the hash of its content.
create table public.challenges (
  hash text primary key,
  first_seen_at timestamptz not null,
  -- Last time when the challenge was recorded, accurate to one day. A challenge is deleted after all observations that
  -- could reference it.
  last_seen_at timestamptz not null,
  version smallint,
  challenge jsonb not null
);
create index challenges_last_seen on public.challenges (last_seen_at);

-- Daily figures of each endpoint, from which scores are computed. Counts, times and histograms are sums, so days can be
-- merged in any order. Updates of the current day use the free space in each page (fillfactor). More free space would
-- waste storage, because most rows belong to past days.
create table public.daily_rollups (
  endpoint_id text collate "C" not null references public.endpoints (id) on delete cascade,
  day date not null,
  -- Number of scheduled probes. Rechecks are counted only in `rechecks`.
  probes integer not null default 0,
  rechecks integer not null default 0,
  -- Number of slots that came due. `slots_probed` is the number of them that were probed without a self-inflicted
  -- failure. `due_seconds` is the sum of the probe intervals of the due slots.
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
  -- Latency histogram with 64 logarithmic buckets: 16 for each power of ten, starting at 1 ms. Two histograms are
  -- merged by adding their buckets.
  latency_histogram integer[] check (array_length(latency_histogram, 1) = 64),
  -- Last price that was advertised on this day. `amount_at` is the time of that price.
  amount_usd numeric,
  amount_at timestamptz,
  primary key (endpoint_id, day)
) with (fillfactor = 80);
create index daily_rollups_day on public.daily_rollups (day);

-- Changes of listings, payment terms, compliance and liveness. They are kept as long as observations.
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
