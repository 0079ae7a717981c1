-- Listings: in a database without statistics, such as a new one, PostgreSQL compared every item of a page with every
-- listing of the directory. Each item now reads its listing by key.

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
  v_added text[];
begin
  select r.directory, r.next_offset <> (p_page ->> 'offset')::bigint into strict v_directory, v_is_recorded
  from public.discovery_runs r where r.id = p_run_id for update;

  -- Adds the new endpoints in the order of their ids before existing rows are locked. If another transaction is adding
  -- one of them, this one waits here, where it holds no lock that the other one needs.
  with added as (
    insert into public.endpoints (
      id, resource, probe_url, host, slug, templated, service_name, description, declared_method,
      listed_options, protocol_version, first_seen_at
    )
    select distinct on (i.id) i.id, i.resource, i."probeUrl", i.host, i.slug, i.templated, i."serviceName",
      i.description, i.method, i.options, i.version, p_at
    from jsonb_array_elements(p_items) with ordinality as p (item, number)
    cross join lateral jsonb_to_record(p.item) as i (
      id text, resource text, "probeUrl" text, host text, slug text, templated boolean, "serviceName" text,
      description text, method text, options jsonb, version smallint
    )
    where not exists (select 1 from public.endpoints e where e.id = i.id)
    order by i.id, p.number
    on conflict (id) do nothing
    returning id
  )
  select coalesce(array_agg(a.id order by a.id), '{}') into v_added from added a;
  insert into public.endpoint_states (endpoint_id) select unnest(v_added);

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
    select e.id, e.listing_status from public.endpoints e join items i on i.id = e.id where e.id <> all (v_added)
  ),
  -- Number of endpoints of this page that an earlier page of the run already contained. A subquery reads the listing of
  -- each item by its key. Without statistics, a join would compare each item with all listings of the directory.
  repeated as (
    select count(*)::integer as repeats
    from (select distinct i.id from jsonb_to_recordset(p_items) as i (id text)) i
    where (
      select l.last_run_id from public.listings l where l.endpoint_id = i.id and l.directory = v_directory
    ) = p_run_id
  ),
  -- Endpoints that this directory did not list until now.
  newly_listed as (
    select i.id from items i
    left join public.listings l on l.endpoint_id = i.id and l.directory = v_directory
    where l.endpoint_id is null or l.delisted_at is not null
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
    on conflict (endpoint_id) do update set revision = s.revision + 1 where s.endpoint_id <> all (v_added)
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
