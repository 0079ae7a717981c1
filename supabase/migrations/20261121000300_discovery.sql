-- Discovery: a run reads one directory; its pages are recorded as they come; finishing it decides who is gone.

-- First slot strictly after p_after: slots are p_offset seconds into every interval since the epoch.
create function internal.next_slot(p_after timestamptz, p_interval integer, p_offset integer)
returns timestamptz
language sql immutable
set search_path = ''
as $$
  select to_timestamp(
    (floor((extract(epoch from p_after) - p_offset) / p_interval) + 1) * p_interval + p_offset
  );
$$;

create function public.start_discovery(p_directory text, p_at timestamptz)
returns bigint
language sql
set search_path = ''
as $$
  insert into public.discovery_runs (directory, started_at) values (p_directory, p_at) returning id;
$$;

-- Records listed endpoints of one page. p_items: [{ id, resource, probeUrl, host, slug, templated, serviceName,
-- description, method, options, version, intervalSeconds, offsetSeconds, scheduled }]. Returns how many endpoints
-- were new and how many came back.
create function public.record_listings(p_run_id bigint, p_at timestamptz, p_items jsonb)
returns table (listed integer, relisted integer)
language plpgsql
set search_path = ''
as $$
declare
  v_directory text;
begin
  select r.directory into strict v_directory from public.discovery_runs r where r.id = p_run_id;

  -- Whoever writes states locks them first, in this order, so that no two of them wait for each other.
  perform 1 from public.endpoint_states s
  where s.endpoint_id in (select i.id from jsonb_to_recordset(p_items) as i (id text))
  order by s.endpoint_id for update;

  return query
  with items as (
    select distinct on (i.id) i.*
    from jsonb_to_recordset(p_items) as i (
      id text, resource text, "probeUrl" text, host text, slug text, templated boolean, "serviceName" text,
      description text, method text, options jsonb, version smallint, "intervalSeconds" integer,
      "offsetSeconds" integer, scheduled boolean
    )
    -- A removed endpoint stays removed, and two URLs that share an id (a hash of 50 bits) never mix.
    where not exists (
      select 1 from public.endpoints e
      where e.id = i.id and (e.removed_at is not null or e.resource <> i.resource)
    )
    order by i.id
  ),
  known as (
    select e.id, e.listing_status from public.endpoints e join items i on i.id = e.id
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
      service_name = excluded.service_name,
      description = excluded.description,
      declared_method = excluded.declared_method,
      listed_options = excluded.listed_options,
      protocol_version = excluded.protocol_version,
      listing_status = 'listed',
      delisted_at = null
    where (e.probe_url, e.service_name, e.description, e.declared_method, e.listed_options,
           e.protocol_version, e.listing_status)
      is distinct from
          (excluded.probe_url, excluded.service_name, excluded.description, excluded.declared_method,
           excluded.listed_options, excluded.protocol_version, 'listed')
    returning e.id
  ),
  listing_rows as (
    insert into public.listings as l (endpoint_id, directory, first_listed_at, last_listed_at, last_run_id)
    select i.id, v_directory, p_at, p_at, p_run_id from items i
    on conflict (endpoint_id, directory) do update set
      last_listed_at = excluded.last_listed_at,
      last_run_id = excluded.last_run_id,
      missed_runs = 0,
      delisted_at = null
    returning l.endpoint_id
  ),
  schedule_rows as (
    insert into public.schedules (endpoint_id, interval_seconds, offset_seconds, next_probe_at)
    select i.id, i."intervalSeconds", i."offsetSeconds",
      internal.next_slot(p_at, i."intervalSeconds", i."offsetSeconds")
    from items i where i.scheduled
    on conflict (endpoint_id) do nothing
  ),
  state_rows as (
    insert into public.endpoint_states as s (endpoint_id) select r.id from endpoint_rows r
    on conflict (endpoint_id) do update set revision = s.revision + 1
  ),
  change_rows as (
    insert into public.changes (endpoint_id, at, kind)
    select i.id, p_at, case when k.id is null then 'listed' else 'relisted' end
    from items i left join known k on k.id = i.id
    where k.id is null or k.listing_status = 'delisted'
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
      relisted = d.relisted + c.new_relisted
    from counted c where d.id = p_run_id
  )
  select c.new_listed, c.new_relisted from counted c;
end;
$$;

-- Ends a run. A complete one counts a miss for every listing of the directory that it did not see; the second miss
-- in a row delists. A run that read less than half of the directory's last complete run delists nothing, unless the
-- directory has been that small for a whole day of hourly runs.
-- p_counts: { items, accepted, duplicates, rejected, rejects, note }.
create function public.finish_discovery(p_run_id bigint, p_at timestamptz, p_complete boolean, p_counts jsonb)
returns table (complete boolean, delisted integer, note text)
language plpgsql
set search_path = ''
as $$
declare
  v_directory text;
  v_accepted integer := (p_counts ->> 'accepted')::integer;
  v_last bigint;
  v_last_accepted integer;
  v_shrunken boolean := false;
  v_note text := p_counts ->> 'note';
  v_delisted integer := 0;
begin
  select r.directory into strict v_directory from public.discovery_runs r where r.id = p_run_id;
  select r.id, r.accepted into v_last, v_last_accepted from public.discovery_runs r
    where r.directory = v_directory and r.complete and r.id < p_run_id order by r.id desc limit 1;

  if p_complete and v_accepted * 2 < v_last_accepted then
    v_shrunken := true;
    p_complete := 24 <= (
      select count(*) from public.discovery_runs r
      where r.directory = v_directory and r.shrunken and r.id > v_last
    );
    if not p_complete then
      v_note := format(
        'the directory shrank from %s to %s listings at once: nothing is delisted for it yet', v_last_accepted, v_accepted
      );
    end if;
  end if;

  if p_complete then
    perform 1 from public.endpoint_states s
    where s.endpoint_id in (
      select l.endpoint_id from public.listings l
      where l.directory = v_directory and l.delisted_at is null and l.last_run_id < p_run_id
    )
    order by s.endpoint_id for update;

    with missed as (
      update public.listings l set
        missed_runs = l.missed_runs + 1,
        delisted_at = case when l.missed_runs + 1 >= 2 then p_at end
      where l.directory = v_directory and l.delisted_at is null and l.last_run_id < p_run_id
      returning l.endpoint_id, l.delisted_at
    ),
    gone as (
      update public.endpoints e set listing_status = 'delisted', delisted_at = p_at
      from missed m
      where m.endpoint_id = e.id and m.delisted_at is not null and e.listing_status = 'listed'
        -- The update above is not visible here: a listing in this directory is gone, so ask only for others. One
        -- that was not read for a week (or is not configured any more) speaks for nobody.
        and not exists (
          select 1 from public.listings o
          where o.endpoint_id = e.id and o.directory <> v_directory and o.delisted_at is null
            and o.last_listed_at > p_at - interval '7 days'
        )
      returning e.id
    ),
    state_rows as (
      update public.endpoint_states s set revision = s.revision + 1
      from gone g where s.endpoint_id = g.id
    ),
    change_rows as (
      insert into public.changes (endpoint_id, at, kind) select g.id, p_at, 'delisted' from gone g
      on conflict do nothing
    )
    select count(*)::integer into v_delisted from gone;
  end if;

  update public.discovery_runs d set
    finished_at = p_at,
    complete = p_complete,
    shrunken = v_shrunken,
    note = v_note,
    items = (p_counts ->> 'items')::integer,
    accepted = v_accepted,
    duplicates = (p_counts ->> 'duplicates')::integer,
    rejected = (p_counts ->> 'rejected')::integer,
    rejects = coalesce(p_counts -> 'rejects', '[]'),
    delisted = v_delisted
  where d.id = p_run_id;

  return query select p_complete, v_delisted, v_note;
end;
$$;
