-- Catalog: endpoints, the directories that list them, and discovery runs. All domain times (listed, probed, scored)
-- are passed by the caller, never now(): the same code runs with recorded, simulated and real time.

create schema if not exists extensions;
create extension if not exists vector with schema extensions;

-- Partitions and helper functions. The API does not expose this schema, so partitions cannot be read around the
-- row-level security of their parent table.
create schema if not exists internal;

-- Endpoints of the catalog: one row for each canonical resource URL.
create table public.endpoints (
  -- Compared byte by byte (collation "C") here and in every reference, so its order does not depend on a locale.
  id text collate "C" primary key check (id ~ '^[a-z2-7]{10}$'),
  resource text not null unique,
  -- URL to probe: the resource itself, or a template with its listed example values filled in. Null for a template
  -- without examples, because its literal URL cannot be probed.
  probe_url text,
  host text not null,
  slug text not null,
  templated boolean not null,
  service_name text,
  description text,
  declared_method text,
  -- Payment options from the directory listing. Shown until the first challenge is read.
  listed_options jsonb not null default '[]',
  protocol_version smallint check (protocol_version in (1, 2)),
  listing_status text not null default 'listed' check (listing_status in ('listed', 'delisted')),
  first_seen_at timestamptz not null,
  -- Time when a paid report added the endpoint to the catalog; null if a directory added it. An adopted endpoint stays
  -- listed until a directory lists it and later drops it.
  adopted_at timestamptz,
  -- End of a provisional adoption, see expire_adoptions. Null for an endpoint that stays in the catalog: its report was
  -- paid, or a directory lists it.
  provisional_until timestamptz,
  delisted_at timestamptz,
  -- Set when the endpoint was removed from public view on request. The row stays, so discovery does not add the
  -- endpoint again.
  removed_at timestamptz
);
create index endpoints_host on public.endpoints (host);
create index endpoints_adopted on public.endpoints (host, adopted_at) where adopted_at is not null;
create index endpoints_provisional on public.endpoints (provisional_until) where provisional_until is not null;

-- Listings: which directory lists which endpoint, and since when.
create table public.listings (
  endpoint_id text collate "C" not null references public.endpoints (id) on delete cascade,
  directory text not null,
  first_listed_at timestamptz not null,
  last_listed_at timestamptz not null,
  last_run_id bigint not null,
  -- Complete discovery runs in a row without this listing.
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
  -- Offset at which an interrupted run resumes, and the directory facts known so far.
  next_offset bigint not null default 0,
  page_size integer,
  pages integer not null default 0,
  total bigint,
  -- Time of the last page, and earliest time at which the directory accepts requests again.
  progressed_at timestamptz not null,
  resume_at timestamptz,
  complete boolean not null default false,
  -- The run read every page, but found far fewer listings than the last complete run. Nothing is delisted.
  shrunken boolean not null default false,
  -- Reason why the run is incomplete, or why a complete run delisted nothing.
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
