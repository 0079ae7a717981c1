-- Listing texts: each directory has its own name and description of an endpoint.

-- Texts of the endpoint in this directory. `texts_at`: time when the directory was first read with these texts; null if
-- the texts were not stored yet, because the directory was last read before this migration.
alter table public.listings
  add column service_name text,
  add column description text,
  add column texts_at timestamptz;

-- The text of an endpoint with a single listing is the text of that directory.
update public.listings l set service_name = e.service_name, description = e.description, texts_at = l.last_listed_at
from public.endpoints e
where e.id = l.endpoint_id
  and not exists (
    select 1 from public.listings o where o.endpoint_id = l.endpoint_id and o.directory <> l.directory
  );

-- Updates the name and the description of endpoints from their listings, and queues changed endpoints for scoring. Each
-- text is the first one that is not null, in the order in which the directories listed the endpoint. Directories that
-- do not list it any more are left out. Where the texts of a directory are not stored yet, the text of the endpoint
-- counts as the text of this directory. An endpoint that no directory lists keeps its text: the text of its
-- challenge if it was adopted, its last text if it was delisted. The caller holds the locks of the `endpoint_states` rows.
create function internal.update_endpoint_texts(p_endpoint_ids text[], p_at timestamptz)
returns void
language sql
set search_path = ''
as $$
  with chosen as (
    select l.endpoint_id as id,
      (array_agg(t.service_name order by l.first_listed_at, l.directory)
        filter (where t.service_name is not null))[1] as service_name,
      (array_agg(t.description order by l.first_listed_at, l.directory)
        filter (where t.description is not null))[1] as description
    from public.listings l
    join public.endpoints e on e.id = l.endpoint_id
    cross join lateral (
      select case when l.texts_at is null then e.service_name else l.service_name end as service_name,
        case when l.texts_at is null then e.description else l.description end as description
    ) t
    where l.endpoint_id = any (p_endpoint_ids) and l.delisted_at is null
    group by 1
  ),
  updated as (
    update public.endpoints e set service_name = c.service_name, description = c.description
    from chosen c
    where e.id = c.id
      and (e.service_name, e.description) is distinct from (c.service_name, c.description)
    returning e.id
  ),
  state_rows as (
    update public.endpoint_states s set revision = s.revision + 1 from updated u where s.endpoint_id = u.id
  )
  insert into public.scoring_queue (endpoint_id, due_at) select u.id, p_at from updated u
  on conflict do nothing;
$$;

-- Records one page of a directory. A page that is delivered twice counts once. p_page describes the page, with the
-- offset of the next page: { offset, nextOffset, pageSize, total, items, duplicates, rejected, rejects }.
-- p_items contains the endpoints of the page: [{ id, resource, probeUrl, host, slug, templated, serviceName,
-- description, method, options, version, intervalSeconds, offsetSeconds, scheduled }].
-- The name and the description belong to the listing of this directory, see update_endpoint_texts. If the directory
-- changed them, a `metadata_change` is recorded. A directory may contain a URL several times with different texts. Only
-- the first texts of a run count, because the texts would otherwise change several times in each run.
-- The event `listed` is recorded when the first directory lists an endpoint, also for an adopted endpoint.
-- Returns the numbers of new and of relisted endpoints.
create or replace function public.record_listings(p_run_id bigint, p_at timestamptz, p_page jsonb, p_items jsonb)
returns table (listed integer, relisted integer)
language plpgsql
set search_path = ''
as $$
declare
  v_directory text;
  v_is_recorded boolean;
begin
  select r.directory, r.next_offset <> (p_page ->> 'offset')::bigint into strict v_directory, v_is_recorded
  from public.discovery_runs r where r.id = p_run_id for update;

  -- Every transaction that writes `endpoint_states` first locks its rows in this order, which prevents deadlocks.
  perform 1 from public.endpoint_states s
  where s.endpoint_id in (select i.id from jsonb_to_recordset(p_items) as i (id text))
  order by s.endpoint_id for update;

  with items as (
    select distinct on (i.id) i.*
    from jsonb_array_elements(p_items) with ordinality as p (item, number)
    cross join lateral jsonb_to_record(p.item) as i (
      id text, resource text, "probeUrl" text, host text, slug text, templated boolean, "serviceName" text,
      description text, method text, options jsonb, version smallint, "intervalSeconds" integer,
      "offsetSeconds" integer, scheduled boolean
    )
    -- Skips endpoints that were removed on request. Also skips an item if another URL already has its id (a hash of 50
    -- bits).
    where not exists (
      select 1 from public.endpoints e
      where e.id = i.id and (e.removed_at is not null or e.resource <> i.resource)
    )
    order by i.id, p.number
  ),
  known as (
    select e.id, e.listing_status from public.endpoints e join items i on i.id = e.id
  ),
  -- Number of endpoints of this page that an earlier page of the run already contained.
  repeated as (
    select count(*)::integer as repeats from public.listings l
    where l.directory = v_directory and l.last_run_id = p_run_id
      and l.endpoint_id in (select i.id from jsonb_to_recordset(p_items) as i (id text))
  ),
  -- Endpoints that this directory did not list until now.
  newly_listed as (
    select i.id from items i where not exists (
      select 1 from public.listings l
      where l.endpoint_id = i.id and l.directory = v_directory and l.delisted_at is null
    )
  ),
  endpoint_rows as (
    insert into public.endpoints as e (
      id, resource, probe_url, host, slug, templated, service_name, description, declared_method,
      listed_options, protocol_version, first_seen_at
    )
    select i.id, i.resource, i."probeUrl", i.host, i.slug, i.templated, i."serviceName", i.description, i.method,
      i.options, i.version, p_at
    from items i
    on conflict (id) do update set
      probe_url = excluded.probe_url,
      declared_method = excluded.declared_method,
      listed_options = excluded.listed_options,
      protocol_version = excluded.protocol_version,
      listing_status = 'listed',
      delisted_at = null
    where (e.probe_url, e.declared_method, e.listed_options, e.protocol_version, e.listing_status)
      is distinct from
          (excluded.probe_url, excluded.declared_method, excluded.listed_options, excluded.protocol_version, 'listed')
    returning e.id
  ),
  -- Texts that this directory changed. The first texts that are stored for a listing are no change.
  changed_texts as (
    select i.id, i."serviceName" as service_name, i.description, l.service_name as old_service_name,
      l.description as old_description
    from items i join public.listings l on l.endpoint_id = i.id and l.directory = v_directory
    where l.texts_at is not null and l.last_run_id <> p_run_id
      and (l.service_name, l.description) is distinct from (i."serviceName", i.description)
  ),
  text_change_rows as (
    insert into public.changes (endpoint_id, at, kind, before, after)
    select t.id, p_at, 'metadata_change',
      jsonb_build_object(
        'directory', v_directory, 'serviceName', t.old_service_name, 'description', t.old_description
      ),
      jsonb_build_object('directory', v_directory, 'serviceName', t.service_name, 'description', t.description)
    from changed_texts t
    on conflict do nothing
  ),
  listing_rows as (
    insert into public.listings as l (
      endpoint_id, directory, first_listed_at, last_listed_at, last_run_id, service_name, description, texts_at
    )
    select i.id, v_directory, p_at, p_at, p_run_id, i."serviceName", i.description, p_at from items i
    on conflict (endpoint_id, directory) do update set
      service_name = case when l.texts_at is not null and l.last_run_id = p_run_id
        then l.service_name else excluded.service_name end,
      description = case when l.texts_at is not null and l.last_run_id = p_run_id
        then l.description else excluded.description end,
      texts_at = case
        when l.texts_at is not null and (
          l.last_run_id = p_run_id
          or (l.service_name, l.description) is not distinct from (excluded.service_name, excluded.description)
        )
        then l.texts_at else excluded.texts_at
      end,
      last_listed_at = excluded.last_listed_at,
      last_run_id = excluded.last_run_id,
      missed_runs = 0,
      delisted_at = null
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
    insert into public.endpoint_states as s (endpoint_id) select a.id from affected a
    on conflict (endpoint_id) do update set revision = s.revision + 1
  ),
  queue_rows as (
    insert into public.scoring_queue as q (endpoint_id, due_at, urgent)
    -- New and relisted endpoints are urgent. Changed descriptions are not urgent.
    select a.id, p_at, not exists (select 1 from known k where k.id = a.id and k.listing_status = 'listed')
    from affected a
    on conflict (endpoint_id) do update set urgent = true where excluded.urgent and not q.urgent
  ),
  change_rows as (
    insert into public.changes (endpoint_id, at, kind)
    select n.id, p_at, n.kind
    from (
      select i.id, case
        when not exists (select 1 from public.listings l where l.endpoint_id = i.id) then 'listed'
        when k.listing_status = 'delisted' then 'relisted'
      end as kind
      from items i left join known k on k.id = i.id
    ) n
    where n.kind is not null
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
      accepted = d.accepted + p.accepted - s.repeats,
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
    from counted c, repeated s,
      jsonb_to_record(p_page || jsonb_build_object('accepted', jsonb_array_length(p_items))) as p (
      "nextOffset" bigint, "pageSize" integer, total bigint, items integer, accepted integer, duplicates integer,
      rejected integer, rejects jsonb
    )
    where d.id = p_run_id and not v_is_recorded
  )
  select c.new_listed, c.new_relisted into listed, relisted from counted c;

  perform internal.update_endpoint_texts(
    array(select i.id from jsonb_to_recordset(p_items) as i (id text)), p_at
  );
  return next;
end;
$$;

-- Counts a miss for every listing that a complete run did not contain. After the second consecutive miss, the endpoint
-- is delisted, unless another directory lists it. That other directory must still be in use: one of its runs made
-- progress in the last seven days, or is paused until a later time.
-- Updates the texts of the endpoints that this directory dropped. Returns the number of delisted endpoints.
create or replace function internal.record_missed_listings(p_directory text, p_run_id bigint, p_at timestamptz)
returns integer
language plpgsql
set search_path = ''
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
    update public.listings l set
      missed_runs = l.missed_runs + 1,
      delisted_at = case when l.missed_runs + 1 >= 2 then p_at end
    where l.directory = p_directory and l.delisted_at is null and l.last_run_id < p_run_id
    returning l.endpoint_id, l.delisted_at
  ),
  newly_delisted as (
    update public.endpoints e set listing_status = 'delisted', delisted_at = p_at
    from missed m
    where m.endpoint_id = e.id and m.delisted_at is not null and e.listing_status = 'listed'
      -- The update of `listings` above is part of this statement, so its result is not visible here. This directory no
      -- longer lists the endpoint, so only other directories are checked.
      and not exists (
        select 1 from public.listings o
        where o.endpoint_id = e.id and o.directory <> p_directory and o.delisted_at is null
          and exists (
            select 1 from public.discovery_runs r
            where r.directory = o.directory and greatest(r.progressed_at, r.resume_at) > p_at - interval '7 days'
          )
      )
    returning e.id
  ),
  state_rows as (
    update public.endpoint_states s set revision = s.revision + 1
    from missed m where m.delisted_at is not null and s.endpoint_id = m.endpoint_id
  ),
  queue_rows as (
    insert into public.scoring_queue as q (endpoint_id, due_at, urgent)
    select m.endpoint_id, p_at, exists (select 1 from newly_delisted g where g.id = m.endpoint_id)
    from missed m where m.delisted_at is not null
    on conflict (endpoint_id) do update set urgent = true where excluded.urgent and not q.urgent
  ),
  change_rows as (
    insert into public.changes (endpoint_id, at, kind) select g.id, p_at, 'delisted' from newly_delisted g
    on conflict do nothing
  )
  select count(*)::integer into v_delisted from newly_delisted;

  -- The texts of a directory that dropped an endpoint do not count any more.
  perform internal.update_endpoint_texts(v_missed, p_at);
  return v_delisted;
end;
$$;
