-- Catalog: endpoints, the directories that list them, and discovery runs. The caller passes all domain times (listed,
-- probed, scored). No function reads the database clock, because the same code runs with recorded, simulated and real
-- time.

create schema if not exists extensions;
create extension if not exists vector with schema extensions;

-- Schema of partitions and helper functions. The API does not expose this schema, so clients cannot read a partition to
-- bypass the row-level security of its parent table.
create schema if not exists internal;

-- Endpoints of the catalog: one row for each canonical resource URL.
create table public.endpoints (
  -- Compared byte by byte (collation "C"), so the order of ids does not depend on a locale. Columns that reference an
  -- id use the same collation.
  id text collate "C" primary key check (id ~ '^[a-z2-7]{10}$'),
  resource text not null unique,
  -- URL to probe. For a URL template, this is the template with the example values from its listing. Null for a
  -- template without examples, because a template itself cannot be requested.
  probe_url text,
  host text not null,
  slug text not null,
  templated boolean not null,
  service_name text,
  description text,
  declared_method text,
  -- Payment options from the directory listing. They are shown until the first challenge of the endpoint is read.
  listed_options jsonb not null default '[]',
  protocol_version smallint check (protocol_version in (1, 2)),
  listing_status text not null default 'listed' check (listing_status in ('listed', 'delisted')),
  first_seen_at timestamptz not null,
  -- Time when a paid report added the endpoint to the catalog; null if a directory added it. Such an adopted endpoint
  -- is delisted only after a directory has listed it and later dropped it.
  adopted_at timestamptz,
  -- End of a provisional adoption: expire_adoptions then keeps or deletes the endpoint. Null for an endpoint that stays
  -- in the catalog.
  provisional_until timestamptz,
  delisted_at timestamptz,
  -- Time when the endpoint was removed from public view on request. The row stays, so discovery does not add the
  -- endpoint again.
  removed_at timestamptz
);
create index endpoints_host on public.endpoints (host);
create index endpoints_adopted on public.endpoints (host, adopted_at) where adopted_at is not null;
create index endpoints_provisional on public.endpoints (provisional_until) where provisional_until is not null;

-- Listings: one row for each directory that lists an endpoint or listed it before.
create table public.listings (
  endpoint_id text collate "C" not null references public.endpoints (id) on delete cascade,
  directory text not null,
  first_listed_at timestamptz not null,
  last_listed_at timestamptz not null,
  last_run_id bigint not null,
  -- Number of consecutive complete discovery runs that did not contain this listing.
  missed_runs integer not null default 0,
  delisted_at timestamptz,
  primary key (endpoint_id, directory)
);
create index listings_missed on public.listings (directory, last_run_id) where delisted_at is null;

create table public.discovery_runs (
  id bigint generated always as identity primary key,
  directory text not null,
  started_at timestamptz not null,
  -- Null while the run is active or paused.
  finished_at timestamptz,
  -- Offset of the next page, where an interrupted run resumes. `total` is the number of items that the directory
  -- reports.
  next_offset bigint not null default 0,
  page_size integer,
  pages integer not null default 0,
  total bigint,
  -- Time of the last recorded page, or of the start of the run. `resume_at` is the time at which a paused run may
  -- continue.
  progressed_at timestamptz not null,
  resume_at timestamptz,
  complete boolean not null default false,
  -- True if the run read every page but found far fewer listings than earlier runs, see finish_discovery.
  shrunken boolean not null default false,
  -- Reason why the run is incomplete or paused, or why a run that read every page delisted nothing.
  note text,
  items integer not null default 0,
  accepted integer not null default 0,
  duplicates integer not null default 0,
  rejected integer not null default 0,
  listed integer not null default 0,
  relisted integer not null default 0,
  delisted integer not null default 0,
  -- Rejected items with their reasons, at most 500.
  rejects jsonb not null default '[]'
);
create index discovery_runs_directory on public.discovery_runs (directory, id desc);
create unique index discovery_runs_open on public.discovery_runs (directory) where finished_at is null;
