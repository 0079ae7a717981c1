-- Tables of the catalog, the schedule, the observations and the snapshots.
--
-- Times of the domain (when something was listed, probed, scored) are always given by the caller, never now():
-- the same code lives through recorded, simulated and real time.

create schema if not exists extensions;
create extension if not exists vector with schema extensions;

-- Partitions and helper functions. Not in the API's schemas, so that no partition can be read around the
-- row-level security of its parent.
create schema if not exists internal;

-- What an endpoint is: one row a canonical resource URL.
create table public.endpoints (
  -- Compared byte by byte, here and wherever it is referred to: no language has a say in its order.
  id text collate "C" primary key check (id ~ '^[a-z2-7]{10}$'),
  resource text not null unique,
  -- The URL that is probed: the resource itself, or a template with its listed example values filled in.
  -- Null for a template that says no examples: its literal URL cannot be probed.
  probe_url text,
  host text not null,
  slug text not null,
  templated boolean not null,
  service_name text,
  description text,
  declared_method text,
  -- Payment options as the directory lists them; shown until a challenge was read.
  listed_options jsonb not null default '[]',
  protocol_version smallint check (protocol_version in (1, 2)),
  listing_status text not null default 'listed' check (listing_status in ('listed', 'delisted')),
  first_seen_at timestamptz not null,
  -- When somebody who paid for a report on it brought it here; null where a directory did. It is listed until a
  -- directory lists it and drops it.
  adopted_at timestamptz,
  -- Payments that depend on that: as long as one of them may be settled, or was, it is not undone.
  adoption_holds integer not null default 0,
  delisted_at timestamptz,
  -- Taken out of everything public on request; the row stays so that discovery does not bring it back.
  removed_at timestamptz
);
create index endpoints_host on public.endpoints (host);
create index endpoints_adopted on public.endpoints (host, adopted_at) where adopted_at is not null;

-- Which directory lists which endpoint, and since when.
create table public.listings (
  endpoint_id text collate "C" not null references public.endpoints (id) on delete cascade,
  directory text not null,
  first_listed_at timestamptz not null,
  last_listed_at timestamptz not null,
  last_run_id bigint not null,
  -- Complete discovery runs in a row that did not list it.
  missed_runs integer not null default 0,
  delisted_at timestamptz,
  primary key (endpoint_id, directory)
);
create index listings_missed on public.listings (directory, last_run_id) where delisted_at is null;

create table public.discovery_runs (
  id bigint generated always as identity primary key,
  directory text not null,
  started_at timestamptz not null,
  -- Null while it is read, or waits to be gone on with.
  finished_at timestamptz,
  -- Where the reading goes on when it is interrupted, and what is known of the directory so far.
  next_offset bigint not null default 0,
  page_size integer,
  pages integer not null default 0,
  total bigint,
  -- When the last page came, and until when the directory wants to be left alone.
  progressed_at timestamptz not null,
  resume_at timestamptz,
  complete boolean not null default false,
  -- Read to its end, but so small beside the last complete run that nothing is concluded from it.
  shrunken boolean not null default false,
  -- Why a run is not complete, or why a complete one delisted nothing.
  note text,
  items integer not null default 0,
  accepted integer not null default 0,
  duplicates integer not null default 0,
  rejected integer not null default 0,
  listed integer not null default 0,
  relisted integer not null default 0,
  delisted integer not null default 0,
  -- The first rejected items with their reasons.
  rejects jsonb not null default '[]'
);
create index discovery_runs_directory on public.discovery_runs (directory, id desc);
create unique index discovery_runs_open on public.discovery_runs (directory) where finished_at is null;

-- When an endpoint is probed next: a small, hot table of its own.
create table public.schedules (
  endpoint_id text collate "C" primary key references public.endpoints (id) on delete cascade,
  host text not null,
  -- The regular interval, and the stable place of the endpoint within it.
  interval_seconds integer not null default 1800 check (interval_seconds > 0),
  offset_seconds integer not null check (offset_seconds >= 0),
  -- Somebody pays to hear of its changes: every five minutes.
  watched boolean not null default false,
  -- Long dead: four times a day until it answers.
  slow boolean not null default false,
  next_probe_at timestamptz not null
);
create index schedules_due on public.schedules (next_probe_at);
create index schedules_host_due on public.schedules (host, next_probe_at);

-- When a host may be asked again. Claims go from host to host, so what one host owes, however much, hides no other.
create table public.host_queues (
  host text primary key,
  -- The earliest slot of its endpoints, but not before not_before.
  next_due_at timestamptz not null,
  -- Politeness: the pace of claims, and what the host asked for itself.
  not_before timestamptz not null default '-infinity'
);
create index host_queues_due on public.host_queues (next_due_at);

-- A claimed slot. The worker that holds it may record it; when it expires another one takes it.
create table public.leases (
  endpoint_id text collate "C" not null references public.endpoints (id) on delete cascade,
  slot_at timestamptz not null,
  owner text not null,
  expires_at timestamptz not null,
  -- A second look at a miss, outside the schedule. Nobody holds it (owner '') until it is due.
  confirms boolean not null default false,
  -- Slots that this one answers for, itself and those that passed unclaimed before it, and the time they cover.
  due_slots integer not null default 0,
  due_seconds integer not null default 0,
  primary key (endpoint_id, slot_at)
);
create index leases_expiry on public.leases (expires_at);
create index leases_owner on public.leases (owner);

-- The latest observed state of an endpoint. What every probe moves stands together and has no index, and pages keep
-- room: so a new version stays on its page, and the log takes the few bytes that differ.
create table public.endpoint_states (
  endpoint_id text collate "C" primary key references public.endpoints (id) on delete cascade,
  last_probed_at timestamptz,
  -- The last probe that told up from down: what was not observed after it is not known.
  last_counted_at timestamptz,
  -- The last probe that was not our own failure: time after it was not watched.
  last_observed_at timestamptz,
  -- When watching began anew after a gap before which it could be paid; null while there was none. What the formula
  -- concludes from a day without a payable challenge it concludes from a day that was watched.
  watched_since timestamptz,
  last_challenged_at timestamptz,
  last_payable_at timestamptz,
  last_free_at timestamptz,
  terms_at timestamptz,
  compliance_at timestamptz,
  -- First miss of the misses in a row, and how many there are. A gap in our watching begins anew.
  down_since timestamptz,
  -- Counts the changes of what the score reads. Revisions are compared, not times: what is recorded while a score is
  -- computed is scored again, whatever the clocks of the two say.
  revision bigint not null default 1,
  misses integer not null default 0,
  -- Down from the second miss in a row, which is the confirming probe as a rule.
  liveness text check (liveness in ('up', 'down')),
  last_outcome text,
  -- The method that was challenged last, or answered best.
  method text,
  compliance text,
  -- What it challenged with last, whether that is stored yet or not.
  challenge_hash text,
  -- Advertised terms of the last readable challenge: { version, options, prices, payTo }.
  terms jsonb
) with (fillfactor = 60);

-- Endpoints whose revision was not scored yet, and those whose snapshot is old. Whoever raises a revision adds the
-- endpoint, under the lock of its state; a score takes it out when the revision is still the one it was computed from.
-- No foreign key: a state is locked wherever a row comes, and the check would cost more than the row. What is left of
-- a deleted endpoint is deleted when its turn comes.
create table public.scoring_queue (
  endpoint_id text collate "C" primary key,
  -- Since when it waits. While it is scored, and after that failed, this lies ahead: until then nobody takes it.
  due_at timestamptz not null,
  -- There is something that a reader must learn at once: new terms, another verdict, up or down, listed or delisted.
  -- What only moved counters comes after all of these.
  urgent boolean not null default false
);
create index scoring_queue_order on public.scoring_queue (urgent desc, due_at);

-- Raw observations, a partition a day, dropped whole when they are old.
create table public.observations (
  endpoint_id text collate "C" not null,
  at timestamptz not null,
  outcome text not null,
  -- 1 up, 0 down, null neither (blocked, method mismatch, our own failure).
  vitality smallint check (vitality in (0, 1)),
  -- Taken out of every figure: the failure was ours.
  excluded boolean not null default false,
  -- A second look at a miss, or one for a report that somebody bought: it tells how the endpoint is, and is no sample of
  -- what it is most of the time.
  confirms boolean not null default false,
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
  -- Whatever an endpoint asks for, however absurd, fits.
  amount_usd numeric,
  failure text,
  primary key (endpoint_id, at)
) partition by range (at);

-- Each distinct challenge once, by the hash of its content.
create table public.challenges (
  hash text primary key,
  first_seen_at timestamptz not null,
  -- To a day: what no kept observation can refer to is dropped with the observations.
  last_seen_at timestamptz not null,
  version smallint,
  challenge jsonb not null
);
create index challenges_last_seen on public.challenges (last_seen_at);

-- One row an endpoint and day: what scores are computed from. Every figure adds up exactly, so days merge in any order.
-- Room is kept for the updates of the one day; more of it would be paid for on all the days that are over.
create table public.daily_rollups (
  endpoint_id text collate "C" not null references public.endpoints (id) on delete cascade,
  day date not null,
  -- Probes of the schedule; those that confirm a miss are counted apart and in nothing else.
  probes integer not null default 0,
  confirmations integer not null default 0,
  -- Cadence: slots that came due, those of them that were probed (not through our own failure), the time they cover.
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
  -- 64 logarithmic buckets, 16 a decade from 1 ms; two histograms merge by adding them.
  latency_histogram integer[] check (array_length(latency_histogram, 1) = 64),
  -- Last advertised price of the day, and when that was.
  amount_usd numeric,
  amount_at timestamptz,
  primary key (endpoint_id, day)
) with (fillfactor = 80);
create index daily_rollups_day on public.daily_rollups (day);

-- What changed, and when: listings, advertised terms, compliance, liveness. Kept as long as observations.
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

-- The public snapshot: the verdict and the headline numbers, one row by key for page, leaderboard and search.
create table public.snapshots (
  endpoint_id text collate "C" primary key references public.endpoints (id) on delete cascade,
  public boolean not null default true,
  slug text not null,
  resource text not null,
  host text not null,
  method text,
  service_name text,
  description text,
  templated boolean not null,
  protocol_version smallint,
  score double precision not null check (score between 0 and 100),
  grade text not null check (grade in ('A', 'B', 'C', 'D', 'F', '?')),
  recommendation text not null check (recommendation in (
    'proceed', 'caution', 'parameterize', 'avoid', 'unverified', 'free'
  )),
  confidence double precision not null check (confidence between 0 and 1),
  uptime_30d double precision,
  latency_ms integer,
  latency_label text,
  probes_30d integer not null,
  -- Cadence over the last 30 days; null when nothing was due.
  probed_per_day double precision,
  due_per_day double precision,
  mean_gap_seconds integer,
  amount_usd text,
  price_stability text,
  network text,
  pay_on jsonb not null,
  first_seen timestamptz not null,
  last_probed_at timestamptz,
  listing_status text not null,
  delisted_at timestamptz,
  -- The directories that list it now.
  directories text[] not null default '{}',
  computed_at timestamptz not null,
  -- Hash of what a reader sees, less what moves with every probe.
  content_hash text not null,
  content_changed_at timestamptz not null,
  days_tracked integer not null,
  error_flags integer not null,
  warning_flags integer not null,
  better_alternatives integer
);
create index snapshots_computed on public.snapshots (computed_at);
create index snapshots_graded on public.snapshots (score desc, endpoint_id)
  where public and listing_status = 'listed' and grade <> '?' and confidence >= 0.3;
create index snapshots_ranking on public.snapshots (score desc, endpoint_id)
  where public and listing_status = 'listed' and grade <> '?' and error_flags = 0 and confidence >= 0.5;

-- What the verdict was computed from, and is computed again from for a report. Never public: it is the paid report's.
create table public.snapshot_details (
  endpoint_id text collate "C" primary key references public.snapshots (endpoint_id) on delete cascade,
  scoring_version text not null,
  inputs jsonb not null,
  -- Figures of the report that the formula does not read.
  facts jsonb not null
);
