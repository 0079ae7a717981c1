-- Catalog: endpoints, their listings in directories, and their removal from public view. The caller passes all domain
-- times (listed, probed, scored). No function reads the database clock, because the same code runs with recorded,
-- simulated and real time.

create schema if not exists extensions;
create extension if not exists vector with schema extensions;
create extension if not exists pg_trgm with schema extensions;

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
  -- Example of a request from a directory listing: { query: [[name, value]], body: { type, value } }. The example is a
  -- claim of the provider. Null if no directory has an example.
  example_request jsonb,
  -- Payment options from the directory listing. They are shown until the first challenge of the endpoint is read.
  listed_options jsonb not null default '[]',
  protocol_version smallint check (protocol_version in (1, 2)),
  listing_status text not null default 'listed' check (listing_status in ('listed', 'delisted')),
  first_seen_at timestamptz not null,
  -- Time when a paid report added the endpoint to the catalog; null if a directory added it. Such an adopted endpoint
  -- is delisted only after a directory has listed it and later dropped it.
  adopted_at timestamptz,
  -- End of a provisional adoption. The function expire_adoptions then keeps or deletes the endpoint. Null if the
  -- endpoint stays in the catalog.
  provisional_until timestamptz,
  delisted_at timestamptz,
  -- Time when the endpoint was removed from public view on request. The row stays, so discovery does not add the
  -- endpoint again.
  removed_at timestamptz,
  -- True if the provider opted out of probing and listing, at `removed_at`. The page then states the opt-out, and
  -- directories still update the row, so that the endpoint is complete when the opt-out ends.
  opted_out boolean not null default false check (not opted_out or removed_at is not null),
  -- The first tags that are not empty, in the order in which the directories listed the endpoint.
  tags text[] not null default '{}'
);

create index endpoints_host on public.endpoints (host, removed_at);
create index endpoints_adopted on public.endpoints (host, adopted_at) where adopted_at is not null;
create index endpoints_opted_out on public.endpoints (id) where opted_out;
create index endpoints_provisional on public.endpoints (provisional_until) where provisional_until is not null;

-- Returns the first three hexadecimal digits of the SHA-256 hash of a host. Clients look up ranges of these digits.
create function internal.to_range_key(p_host text)
returns text
language sql immutable
as $$
  select left(encode(sha256(convert_to(p_host, 'UTF8')), 'hex'), 3);
$$;

create index endpoints_range on public.endpoints (internal.to_range_key(host) collate "C") where removed_at is null;

-- Searches for related endpoints use these indexes.
create index endpoints_path_url on public.endpoints (split_part(resource, '?', 1));
create index endpoints_templated on public.endpoints (host) where templated;

-- Listings: one row for each directory that lists an endpoint or listed it before.
create table public.listings (
  endpoint_id text collate "C" not null references public.endpoints (id) on delete cascade,
  directory text not null,
  first_listed_at timestamptz not null,
  last_listed_at timestamptz not null,
  last_run_id bigint not null,
  delisted_at timestamptz,
  -- Texts and tags of the endpoint in this directory, which are claims of the provider.
  service_name text,
  description text,
  tags text[] not null default '{}',
  primary key (endpoint_id, directory)
);

create index listings_missed on public.listings (directory, last_run_id) where delisted_at is null;

-- Hosts whose provider opted out of probing and listing, with the claim that proves control of the host. Probes and
-- checks of a host end with its row. The endpoints follow in batches, see apply_opt_outs.
create table public.opt_outs (
  host text primary key,
  claim_id text collate "C" not null unique,
  opted_out_at timestamptz not null
);

-- Returns the time since which the provider of a host has opted out; null without an opt-out.
create function internal.opted_out_at(p_host text)
returns timestamptz
language sql stable
as $$
  select o.opted_out_at from public.opt_outs o where o.host = p_host;
$$;

-- Removes new endpoints of a host whose provider opted out.
create function internal.apply_opt_out()
returns trigger
language plpgsql
as $$
begin
  if internal.opted_out_at(new.host) is not null then
    new.removed_at := new.first_seen_at;
    new.opted_out := true;
  end if;
  return new;
end;
$$;

create trigger endpoints_opt_out before insert on public.endpoints
  for each row execute function internal.apply_opt_out();

-- Returns a hash of a text: a number from 0 to 2^28 - 1, evenly distributed and always the same for the same text.
create function internal.stable_hash(p_text text)
returns integer
language sql immutable
as $$
  select ('x' || left(md5(p_text), 7))::bit(28)::integer;
$$;

-- Hides an endpoint when it is removed on request, without waiting for its next score: deletes its words, and makes its
-- snapshot private. Queues a score, also of an endpoint that is restored; that score makes the snapshot public. The
-- content hash is emptied, so that the next score is reported as a change and the pages that show the endpoint or its
-- host are refreshed.
create function internal.apply_removal()
returns trigger
language plpgsql
as $$
begin
  if new.removed_at is not null then
    delete from public.search_documents d where d.endpoint_id = new.id;
  end if;
  update public.snapshots s set public = s.public and new.removed_at is null, content_hash = ''
  where s.endpoint_id = new.id;
  insert into public.scoring_queue as q (endpoint_id, due_at) values (new.id, coalesce(new.removed_at, old.removed_at))
  on conflict (endpoint_id) do update set due_at = excluded.due_at where q.due_at > excluded.due_at;
  return null;
end;
$$;

-- Locks the tables of scores while an endpoint is removed or restored. Scores that are being stored are committed first, and
-- further scores wait until the removal is committed. Without this lock, a score that was stored at the same time could
-- stay public. The lock delays all scores, so a transaction removes few endpoints. The tables are locked in the same order as in
-- save_snapshots.
create function internal.lock_snapshots()
returns trigger
language plpgsql
as $$
begin
  lock table public.search_documents, public.snapshots in share row exclusive mode;
  return null;
end;
$$;

create trigger endpoints_lock_snapshots before update of removed_at on public.endpoints
  for each statement execute function internal.lock_snapshots();

create trigger endpoints_removed after update of removed_at on public.endpoints
  for each row when ((old.removed_at is null) <> (new.removed_at is null))
  execute function internal.apply_removal();
