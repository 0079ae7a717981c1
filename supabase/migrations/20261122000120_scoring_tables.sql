-- Scoring: the queue, snapshots with their inputs, daily scores, and the wallets that endpoints advertise.

-- Endpoints whose current revision has no score yet, and endpoints with an old snapshot. Every transaction that raises
-- a revision adds the endpoint while it holds the lock of its state. A score removes the endpoint if the revision is
-- still the one that was scored. There is no foreign key: the state is already locked when a row is added, and the
-- check would cost more than the row. Rows of deleted endpoints are deleted when they are claimed.
create table public.scoring_queue (
  endpoint_id text collate "C" primary key,
  -- Time since which the endpoint waits. A claim or a failure moves it into the future; it cannot be claimed
  -- before then.
  due_at timestamptz not null,
  -- True if readers must see the change at once: new payment terms, another compliance verdict, up or down, listed or
  -- delisted. Other changes only update counters and come after all urgent rows.
  urgent boolean not null default false
);
create index scoring_queue_order on public.scoring_queue (urgent desc, due_at);

-- Public snapshots: verdict and headline numbers. One row by key for page, leaderboard and search.
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
  -- Probe cadence of the last 30 days; null if nothing was due.
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
  -- Directories that list the endpoint now.
  directories text[] not null default '{}',
  computed_at timestamptz not null,
  -- Hash of the visible content, without the values that change with every probe.
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

-- Inputs of the verdict, from which a report recomputes it. Never public: they belong to the paid report.
create table public.snapshot_details (
  endpoint_id text collate "C" primary key references public.snapshots (endpoint_id) on delete cascade,
  scoring_version text not null,
  inputs jsonb not null,
  -- Figures of the report that the formula does not read.
  facts jsonb not null
);

-- Last score of each day of an endpoint.
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

-- Wallets that each endpoint advertises. The host is part of the key: endpoints of other hosts are found without
-- reading the rows of the same host, which can be thousands.
create table public.endpoint_wallets (
  network text not null,
  -- Lower case on networks with case-insensitive addresses.
  pay_to text not null,
  host text not null,
  endpoint_id text collate "C" not null references public.endpoints (id) on delete cascade,
  -- True if the endpoint is listed and its own challenge named the wallet. Directory data alone proves nothing,
  -- because it can be submitted by anyone.
  challenged boolean not null,
  primary key (network, pay_to, host, endpoint_id)
);
create index endpoint_wallets_endpoint on public.endpoint_wallets (endpoint_id);
