-- Discovery: runs that read the directories and write endpoints and listings. Every function that writes
-- `endpoint_states` first locks its rows in the order of their ids.

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
  -- Reason why the run is incomplete or paused, or why it delisted nothing although it read every page.
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

-- Item of a directory page as discovery sends it. `scheduled`: the endpoint is probed on a schedule.
create type internal.listed_item as (
  id text collate "C", resource text, "probeUrl" text, host text, slug text, templated boolean, "serviceName" text,
  description text, tags text[], method text, "exampleRequest" jsonb, options jsonb, version smallint,
  "intervalSeconds" integer, "offsetSeconds" integer, scheduled boolean
);

-- Updates the name, the description and the tags of endpoints from their listings, and queues changed endpoints for
-- scoring. Each value is the first one that is not empty, in the order in which the directories listed the endpoint.
-- Directories that delisted the endpoint are left out. An endpoint that no directory lists keeps its values: the values
-- of its challenge if it was adopted, its last values if it was delisted. The caller holds the locks of the
-- `endpoint_states` rows.
create function internal.update_endpoint_texts(p_endpoint_ids text[], p_at timestamptz)
returns void
language plpgsql
as $$
begin
  with chosen as (
    select l.endpoint_id as id,
      (array_agg(l.service_name order by l.first_listed_at, l.directory)
        filter (where l.service_name is not null))[1] as service_name,
      (array_agg(l.description order by l.first_listed_at, l.directory)
        filter (where l.description is not null))[1] as description,
      -- Arrays of different lengths cannot be aggregated, so the tags of each listing are aggregated as JSON.
      (array_agg(to_jsonb(l.tags) order by l.first_listed_at, l.directory) filter (where l.tags <> '{}'))[1] as tags
    from public.listings l where l.endpoint_id = any (p_endpoint_ids) and l.delisted_at is null
    group by 1
  ),
  updated as (
    update public.endpoints e set service_name = c.service_name, description = c.description, tags = t.tags
    from chosen c cross join lateral (select array(select jsonb_array_elements_text(c.tags)) as tags) t
    where e.id = c.id
      and (e.service_name, e.description, e.tags) is distinct from (c.service_name, c.description, t.tags)
    returning e.id, e.tags
  ),
  explore_rows as (
    update public.explore_entries x set tags = u.tags from updated u where x.endpoint_id = u.id and x.tags <> u.tags
  ),
  state_rows as (
    update public.endpoint_states s set revision = s.revision + 1 from updated u where s.endpoint_id = u.id
  )
  insert into public.scoring_queue as q (endpoint_id, due_at) select u.id, p_at from updated u
  on conflict (endpoint_id) do update set due_at = excluded.due_at where q.due_at > excluded.due_at;
end;
$$;

-- Starts a discovery run of a directory, or resumes its interrupted run. A run is resumed if it started less than two
-- days ago, and if its last page or the planned end of its pause is less than six hours ago. Older runs are finished as
-- incomplete, because they would mix old and new pages of the list.
create function public.start_discovery(p_directory text, p_at timestamptz)
returns setof public.discovery_runs
language plpgsql
as $$
begin
  -- Serializes calls for the same directory, so each directory has at most one active run.
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('discovery ' || p_directory, 0));

  update public.discovery_runs r set
    finished_at = p_at,
    note = concat_ws('; ', r.note, 'it was not resumed in time')
  where r.directory = p_directory and r.finished_at is null
    and (greatest(r.progressed_at, r.resume_at) <= p_at - interval '6 hours'
      or r.started_at <= p_at - interval '2 days');

  return query select r.* from public.discovery_runs r where r.directory = p_directory and r.finished_at is null;
  if not found then
    return query insert into public.discovery_runs (directory, started_at, progressed_at)
      values (p_directory, p_at, p_at) returning *;
  end if;
end;
$$;

-- Records one page of a directory. A page that is delivered twice counts once. p_page describes the page, with the
-- offset of the next page: { offset, nextOffset, pageSize, total, items, duplicates, rejected, rejects }. p_items
-- contains each endpoint of the page once, see internal.listed_item.
-- The texts and tags belong to the listing of this directory, see update_endpoint_texts. If the directory changed the
-- name or the description, a `metadata_change` is recorded. A directory may contain a URL on several pages with
-- different texts. Only the first texts of a run count, because the texts would otherwise change several times in each
-- run.
-- The event `listed` is recorded when the first directory lists an endpoint, also for an adopted endpoint.
-- Returns the numbers of new and of relisted endpoints.
create function public.record_listings(p_run_id bigint, p_at timestamptz, p_page jsonb, p_items jsonb)
returns table (listed integer, relisted integer)
language plpgsql
as $$
declare
  v_items internal.listed_item[] :=
    array(select i from jsonb_populate_recordset(null::internal.listed_item, p_items) i);
  v_ids text[] := array(select i.id from unnest(v_items) i);
  v_directory text;
  v_is_recorded boolean;
  v_added text[];
begin
  select r.directory, r.next_offset <> (p_page ->> 'offset')::bigint into strict v_directory, v_is_recorded
  from public.discovery_runs r where r.id = p_run_id for update;

  -- Adds the new endpoints in the order of their ids before existing rows are locked. If another transaction is adding
  -- one of the endpoints, this transaction waits here. At this point, it holds no lock that the other transaction
  -- needs.
  with added as (
    insert into public.endpoints (
      id, resource, probe_url, host, slug, templated, service_name, description, tags, declared_method, example_request,
      listed_options, protocol_version, first_seen_at
    )
    select i.id, i.resource, i."probeUrl", i.host, i.slug, i.templated, i."serviceName", i.description, i.tags,
      i.method, i."exampleRequest", i.options, i.version, p_at
    from unnest(v_items) i where not exists (select 1 from public.endpoints e where e.id = i.id)
    order by i.id
    on conflict (id) do nothing
    returning id
  )
  select coalesce(array_agg(a.id order by a.id), '{}') into v_added from added a;
  insert into public.endpoint_states (endpoint_id) select unnest(v_added);

  perform 1 from public.endpoint_states s where s.endpoint_id = any (v_ids) order by s.endpoint_id for update;

  with items as (
    select i.*, e.listing_status from unnest(v_items) i join public.endpoints e on e.id = i.id
    -- Skips endpoints that were removed on request, but not those of a provider that opted out, who can return. Also
    -- skips an item if another URL already has its id (a hash of 50 bits).
    where (e.removed_at is null or e.opted_out) and e.resource = i.resource
  ),
  -- Number of endpoints of this page that an earlier page of the run already contained. A subquery reads the listing of
  -- each item by its key. Without statistics, a join would compare each item with all listings of the directory.
  repeated as (
    select count(*)::integer as repeats from unnest(v_ids) as i (id)
    where (
      select l.last_run_id from public.listings l where l.endpoint_id = i.id and l.directory = v_directory
    ) = p_run_id
  ),
  -- Endpoints that this directory did not list before.
  newly_listed as (
    select i.id from items i
    left join public.listings l on l.endpoint_id = i.id and l.directory = v_directory
    where l.endpoint_id is null or l.delisted_at is not null
  ),
  endpoint_rows as (
    update public.endpoints e set
      probe_url = i."probeUrl", declared_method = i.method,
      -- Another directory may have no example of the request.
      example_request = coalesce(i."exampleRequest", e.example_request),
      listed_options = i.options, protocol_version = i.version, listing_status = 'listed', delisted_at = null
    from items i
    where e.id = i.id
      and (e.probe_url, e.declared_method, e.example_request, e.listed_options, e.protocol_version, e.listing_status)
        is distinct from (
          i."probeUrl", i.method, coalesce(i."exampleRequest", e.example_request), i.options, i.version, 'listed'
        )
    returning e.id
  ),
  text_change_rows as (
    insert into public.changes (endpoint_id, at, kind, before, after)
    select i.id, p_at, 'metadata_change',
      jsonb_build_object('directory', v_directory, 'serviceName', l.service_name, 'description', l.description),
      jsonb_build_object('directory', v_directory, 'serviceName', i."serviceName", 'description', i.description)
    from items i join public.listings l on l.endpoint_id = i.id and l.directory = v_directory
    where l.last_run_id <> p_run_id
      and (l.service_name, l.description) is distinct from (i."serviceName", i.description)
    on conflict do nothing
  ),
  listing_rows as (
    insert into public.listings as l (
      endpoint_id, directory, first_listed_at, last_listed_at, last_run_id, service_name, description, tags
    )
    select i.id, v_directory, p_at, p_at, p_run_id, i."serviceName", i.description, i.tags from items i
    on conflict (endpoint_id, directory) do update set
      last_listed_at = excluded.last_listed_at, last_run_id = excluded.last_run_id,
      service_name = excluded.service_name, description = excluded.description, tags = excluded.tags,
      delisted_at = null
    where l.last_run_id <> p_run_id
  ),
  schedule_rows as (
    insert into public.schedules (endpoint_id, host, interval_seconds, offset_seconds, next_probe_at)
    select i.id, i.host, i."intervalSeconds", i."offsetSeconds",
      internal.next_slot(p_at, i."intervalSeconds", i."offsetSeconds")
    from items i where i.scheduled
    on conflict (endpoint_id) do nothing
  ),
  affected as (
    select r.id from endpoint_rows r union select j.id from newly_listed j
  ),
  state_rows as (
    update public.endpoint_states s set revision = s.revision + 1
    from affected a where s.endpoint_id = a.id and a.id <> all (v_added)
  ),
  queue_rows as (
    insert into public.scoring_queue as q (endpoint_id, due_at) select a.id, p_at from affected a
    on conflict (endpoint_id) do update set due_at = excluded.due_at where q.due_at > excluded.due_at
  ),
  change_rows as (
    insert into public.changes (endpoint_id, at, kind)
    select i.id, p_at, k.kind
    from items i cross join lateral (
      select case
        when not exists (select 1 from public.listings l where l.endpoint_id = i.id) then 'listed'
        when i.listing_status = 'delisted' then 'relisted'
      end as kind
    ) k
    where k.kind is not null
    on conflict do nothing
    returning kind
  ),
  counted as (
    select count(*) filter (where kind = 'listed')::integer as new_listed,
      count(*) filter (where kind = 'relisted')::integer as new_relisted
    from change_rows
  ),
  run_row as (
    update public.discovery_runs d set
      listed = d.listed + c.new_listed,
      relisted = d.relisted + c.new_relisted,
      accepted = d.accepted + cardinality(v_items) - s.repeats,
      duplicates = d.duplicates + p.duplicates + s.repeats,
      items = d.items + p.items,
      rejected = d.rejected + p.rejected,
      rejects = jsonb_path_query_array(d.rejects || coalesce(p.rejects, '[]'), '$[0 to 499]'),
      next_offset = p."nextOffset",
      page_size = p."pageSize",
      total = p.total,
      pages = d.pages + 1,
      progressed_at = p_at,
      resume_at = null,
      note = null
    from counted c, repeated s, jsonb_to_record(p_page) as p (
      "nextOffset" bigint, "pageSize" integer, total bigint, items integer, duplicates integer, rejected integer,
      rejects jsonb
    )
    where d.id = p_run_id and not v_is_recorded
  )
  select c.new_listed, c.new_relisted into listed, relisted from counted c;

  perform internal.update_endpoint_texts(v_ids, p_at);
  return next;
end;
$$;

-- Records a complete run. If two consecutive complete runs did not contain a listing, this function delists it, with the
-- time of the first run that read every page without finding it. The endpoint is then delisted, unless another directory
-- lists it. That other directory must still be in use: one of its runs made progress in the last seven days, or is paused
-- until a later time.
-- Updates the texts of the endpoints that this directory dropped. Returns the number of delisted endpoints.
create function internal.record_missed_listings(p_directory text, p_run_id bigint, p_at timestamptz)
returns integer
language plpgsql
as $$
declare
  v_delisted integer;
  v_missed text[] := array(
    select l.endpoint_id from public.listings l
    where l.directory = p_directory and l.delisted_at is null and l.last_run_id < p_run_id
  );
begin
  perform 1 from public.endpoint_states s where s.endpoint_id = any (v_missed) order by s.endpoint_id for update;

  with missed as (
    update public.listings l set delisted_at = x.since
    from (
      select m.endpoint_id, min(r.finished_at) as since
      from public.listings m
      join public.discovery_runs r on r.directory = m.directory and r.id > m.last_run_id and r.id < p_run_id
      where m.directory = p_directory and m.endpoint_id = any (v_missed) and (r.complete or r.shrunken)
      group by 1 having bool_or(r.complete)
    ) x
    where l.directory = p_directory and l.endpoint_id = x.endpoint_id
    returning l.endpoint_id, l.delisted_at
  ),
  newly_delisted as (
    update public.endpoints e set listing_status = 'delisted', delisted_at = m.delisted_at
    from missed m
    where m.endpoint_id = e.id and e.listing_status = 'listed'
      -- The update of `listings` above is part of this statement, so its result is not visible here. This directory has
      -- dropped the endpoint, so only other directories are checked.
      and not exists (
        select 1 from public.listings o
        where o.endpoint_id = e.id and o.directory <> p_directory and o.delisted_at is null
          and exists (
            select 1 from public.discovery_runs r
            where r.directory = o.directory and greatest(r.progressed_at, r.resume_at) > p_at - interval '7 days'
          )
      )
    returning e.id, e.delisted_at
  ),
  state_rows as (
    update public.endpoint_states s set revision = s.revision + 1
    from missed m where s.endpoint_id = m.endpoint_id
  ),
  queue_rows as (
    insert into public.scoring_queue as q (endpoint_id, due_at) select m.endpoint_id, p_at from missed m
    on conflict (endpoint_id) do update set due_at = excluded.due_at where q.due_at > excluded.due_at
  ),
  change_rows as (
    insert into public.changes (endpoint_id, at, kind) select g.id, g.delisted_at, 'delisted' from newly_delisted g
    on conflict do nothing
  )
  select count(*)::integer into v_delisted from newly_delisted;

  perform internal.update_endpoint_texts(v_missed, p_at);
  return v_delisted;
end;
$$;

-- Finishes a run as complete or incomplete (p_end), or pauses it until p_resume_at. A run that is already finished is
-- not changed. Returns the run.
-- The second consecutive complete run without a listing delists it, see record_missed_listings.
-- A run is shrunken if it has less than 70 % of the previous number of listings. In addition, at least three listings
-- must be missing, because one or two are a large share of a very short list. The previous number is the maximum of the
-- last complete run and all complete runs of the last seven days, so a list cannot shrink unnoticed in small steps.
-- A shrunken run is incomplete and delists nothing, until the directory has stayed small: since its last complete run,
-- at least 24 finished runs were shrunken, and the first of them finished at least seven days ago.
create function public.finish_discovery(
  p_run_id bigint, p_at timestamptz, p_end text, p_note text default null, p_resume_at timestamptz default null
)
returns setof public.discovery_runs
language plpgsql
as $$
declare
  v_run public.discovery_runs;
  v_last_complete_id bigint;
  v_previous_count integer;
  v_complete boolean := p_end = 'complete';
  v_shrunken boolean := false;
  v_delisted integer := 0;
begin
  select r.* into strict v_run from public.discovery_runs r where r.id = p_run_id for update;
  if v_run.finished_at is not null then
    return next v_run;
    return;
  end if;

  if p_end = 'paused' then
    return query update public.discovery_runs r set note = p_note, resume_at = p_resume_at
      where r.id = p_run_id returning r.*;
    return;
  end if;

  select max(r.id), greatest(
    (array_agg(r.accepted order by r.id desc))[1],
    max(r.accepted) filter (where r.started_at > p_at - interval '7 days')
  ) into v_last_complete_id, v_previous_count
  from public.discovery_runs r
  where r.directory = v_run.directory and r.complete and r.id < p_run_id;

  if v_complete and v_run.accepted < v_previous_count * 0.7 and v_previous_count - v_run.accepted > 2 then
    v_shrunken := true;
    select count(*) >= 24 and min(r.finished_at) <= p_at - interval '7 days' into v_complete
    from public.discovery_runs r
    where r.directory = v_run.directory and r.shrunken and r.id > v_last_complete_id
      and r.accepted < v_previous_count * 0.7;
    if not v_complete then
      p_note := format(
        'the directory shrank from %s to %s listings: nothing is delisted yet', v_previous_count, v_run.accepted
      );
    end if;
  end if;

  if v_complete then
    v_delisted := internal.record_missed_listings(v_run.directory, p_run_id, p_at);
  end if;

  -- Rejected items are kept until the next run finishes. Runs are kept for 90 days, like observations.
  update public.discovery_runs r set rejects = '[]'
  where r.directory = v_run.directory and r.id < p_run_id and r.rejects <> '[]';
  delete from public.discovery_runs r
  where r.directory = v_run.directory and r.id < v_last_complete_id and r.started_at < p_at - interval '90 days';

  return query update public.discovery_runs r set
    finished_at = p_at, complete = v_complete, shrunken = v_shrunken, note = p_note, delisted = v_delisted
  where r.id = p_run_id returning r.*;
end;
$$;
