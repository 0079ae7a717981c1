-- Scoring: the scoring queue, snapshots with their inputs, daily scores, and the wallets that endpoints advertise.

-- Queue of endpoints to score: endpoints whose current revision has no score yet, and endpoints with an old snapshot. A
-- transaction that raises the revision in `endpoint_states` also adds the endpoint to this queue, while it holds the
-- lock of the state. A saved score removes the endpoint, unless the revision has changed since the score began.
-- There is no foreign key. The state is already locked when a row is added, and the check would cost more than the row.
-- Instead, a claim deletes rows of deleted endpoints.
create table public.scoring_queue (
  endpoint_id text collate "C" primary key,
  -- Earliest time at which the endpoint can be claimed; the queue is ordered by it. A claim or a failure to score the
  -- endpoint moves this time into the future.
  due_at timestamptz not null,
  -- True if the change must be visible to readers at once: new payment terms, another compliance verdict, up or down,
  -- listed or delisted. Other changes only update counters and are scored after all urgent rows.
  urgent boolean not null default false
);
create index scoring_queue_order on public.scoring_queue (urgent desc, due_at);

-- Latest score of each endpoint with its headline figures. Endpoint pages, the leaderboard and the search read this
-- table.
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
  -- Probe frequency of the last 30 days: probes per day, due slots per day, and mean time between probes. Null if no
  -- slot was due.
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
  -- Directories that list the endpoint when the score is computed.
  directories text[] not null default '{}',
  computed_at timestamptz not null,
  -- Hash of the visible content. Values that change with every probe are not part of the hash.
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

-- Inputs of the score, from which a report recomputes the score. Never public, because they are part of the paid
-- report.
create table public.snapshot_details (
  endpoint_id text collate "C" primary key references public.snapshots (endpoint_id) on delete cascade,
  scoring_version text not null,
  inputs jsonb not null,
  -- Figures that the report contains but the scoring formula does not read.
  facts jsonb not null
);

-- Last score of each endpoint on each day.
create table public.daily_scores (
  endpoint_id text collate "C" not null references public.endpoints (id) on delete cascade,
  day date not null,
  score real not null check (score between 0 and 100),
  grade text not null check (grade in ('A', 'B', 'C', 'D', 'F', '?')),
  recommendation text not null check (recommendation in (
    'proceed', 'caution', 'parameterize', 'avoid', 'unverified', 'free'
  )),
  scoring_version text not null,
  primary key (endpoint_id, day)
);
create index daily_scores_day on public.daily_scores (day);

-- Wallets that each endpoint advertises. The key contains the host, so a search for endpoints of other hosts does not
-- read the rows of the same host, which can be thousands.
create table public.endpoint_wallets (
  network text not null,
  -- Address of the wallet; in lower case on networks with case-insensitive addresses.
  pay_to text not null,
  host text not null,
  endpoint_id text collate "C" not null references public.endpoints (id) on delete cascade,
  -- True if the endpoint is listed and its own challenge named the wallet. A wallet that only a directory names proves
  -- nothing, because anyone can submit directory data.
  challenged boolean not null,
  primary key (network, pay_to, host, endpoint_id)
);
create index endpoint_wallets_endpoint on public.endpoint_wallets (endpoint_id);
