-- Discovery: a run reads one directory; its pages are recorded as they come; finishing it decides who is gone.

-- Begins to read a directory, or goes on with a reading that was interrupted: one that made progress in the last six
-- hours and is not older than two days, because a list that is read over a longer time has moved on meanwhile.
create function public.start_discovery(p_directory text, p_at timestamptz)
returns setof public.discovery_runs
language plpgsql
set search_path = ''
as $$
begin
  -- One reading of a directory at a time.
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('discovery ' || p_directory, 0));

  update public.discovery_runs r set
    finished_at = p_at,
    note = concat_ws('; ', r.note, 'it was not gone on with in time')
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

-- Records one page of a directory. p_page says what was on it and where the next one begins: { offset, nextOffset,
-- pageSize, total, items, duplicates, rejected, rejects }; a page that is delivered twice counts once. p_items are its
-- endpoints: [{ id, resource, probeUrl, host, slug, templated, serviceName,
-- description, method, options, version, intervalSeconds, offsetSeconds, scheduled }].
-- Returns how many endpoints were new and how many came back.
create function public.record_listings(p_run_id bigint, p_at timestamptz, p_page jsonb, p_items jsonb)
returns table (listed integer, relisted integer)
language plpgsql
set search_path = ''
as $$
declare
  v_directory text;
  v_counted boolean;
begin
  select r.directory, r.next_offset <> (p_page ->> 'offset')::bigint into strict v_directory, v_counted
  from public.discovery_runs r where r.id = p_run_id for update;

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
  -- Endpoints of this page that the run has seen on an earlier one.
  seen as (
    select count(*)::integer as again from public.listings l
    where l.directory = v_directory and l.last_run_id = p_run_id
      and l.endpoint_id in (select i.id from jsonb_to_recordset(p_items) as i (id text))
  ),
  -- Those that this directory did not list until now.
  joining as (
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
  ),
  schedule_rows as (
    insert into public.schedules (endpoint_id, host, interval_seconds, offset_seconds, next_probe_at)
    select i.id, i.host, i."intervalSeconds", i."offsetSeconds",
      internal.next_slot(p_at, i."intervalSeconds", i."offsetSeconds")
    from items i where i.scheduled
    on conflict (endpoint_id) do nothing
  ),
  affected as (
    select r.id from endpoint_rows r union select j.id from joining j
  ),
  state_rows as (
    insert into public.endpoint_states as s (endpoint_id) select a.id from affected a
    on conflict (endpoint_id) do update set revision = s.revision + 1
  ),
  queue_rows as (
    insert into public.scoring_queue as q (endpoint_id, due_at, urgent)
    -- Readers learn at once what is listed; that a description changed can wait.
    select a.id, p_at, not exists (select 1 from known k where k.id = a.id and k.listing_status = 'listed')
    from affected a
    on conflict (endpoint_id) do update set urgent = true where excluded.urgent and not q.urgent
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
      relisted = d.relisted + c.new_relisted,
      accepted = d.accepted + p.accepted - s.again,
      duplicates = d.duplicates + p.duplicates + s.again,
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
    from counted c, seen s, jsonb_to_record(p_page || jsonb_build_object('accepted', jsonb_array_length(p_items))) as p (
      "nextOffset" bigint, "pageSize" integer, total bigint, items integer, accepted integer, duplicates integer,
      rejected integer, rejects jsonb
    )
    where d.id = p_run_id and not v_counted
  )
  select c.new_listed, c.new_relisted from counted c;
end;
$$;

-- Whether a directory has been small for long enough to be believed: its last run that counted was seven days ago, and
-- at least 24 readings to the end have seen it small since.
create function internal.stayed_small(
  p_run public.discovery_runs, p_last bigint, p_had integer, p_at timestamptz
)
returns boolean
language sql stable
set search_path = ''
as $$
  select count(*) >= 24 and min(r.finished_at) <= p_at - interval '7 days'
  from public.discovery_runs r
  where r.directory = p_run.directory and r.shrunken and r.id > p_last and r.accepted < p_had * 0.7;
$$;

-- Counts a miss for every listing that a complete run did not see, and delists those that were missed twice in a row
-- and that no other directory vouches for. Another directory does as long as it lists the endpoint, itself without two
-- complete readings that miss it, and is still read: one that nobody tried to read for a week is not configured any
-- more, while one that cannot be reached keeps its say. Returns how many endpoints are gone.
create function internal.count_misses(p_directory text, p_run_id bigint, p_at timestamptz)
returns integer
language plpgsql
set search_path = ''
as $$
declare
  v_delisted integer;
begin
  perform 1 from public.endpoint_states s
  where s.endpoint_id in (
    select l.endpoint_id from public.listings l
    where l.directory = p_directory and l.delisted_at is null and l.last_run_id < p_run_id
  )
  order by s.endpoint_id for update;

  with missed as (
    update public.listings l set
      missed_runs = l.missed_runs + 1,
      delisted_at = case when l.missed_runs + 1 >= 2 then p_at end
    where l.directory = p_directory and l.delisted_at is null and l.last_run_id < p_run_id
    returning l.endpoint_id, l.delisted_at
  ),
  gone as (
    update public.endpoints e set listing_status = 'delisted', delisted_at = p_at
    from missed m
    where m.endpoint_id = e.id and m.delisted_at is not null and e.listing_status = 'listed'
      -- The update above is not visible here: the listing in this directory is gone, so ask only for others.
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
    select m.endpoint_id, p_at, exists (select 1 from gone g where g.id = m.endpoint_id)
    from missed m where m.delisted_at is not null
    on conflict (endpoint_id) do update set urgent = true where excluded.urgent and not q.urgent
  ),
  change_rows as (
    insert into public.changes (endpoint_id, at, kind) select g.id, p_at, 'delisted' from gone g
    on conflict do nothing
  )
  select count(*)::integer into v_delisted from gone;
  return v_delisted;
end;
$$;

-- Ends a run: complete, incomplete, or paused, to be gone on with from p_resume_at. A complete one counts a miss for
-- every listing of the directory that it did not see; the second miss in a row delists. A run that saw less than 70 %
-- of what the directory had (its last complete run, and the largest one of the last seven days, so that it cannot
-- shrink in small steps either) is no complete one and delists nothing; one or two fewer are no shrinking, which a list
-- of a handful needs. A directory that has been that small in every
-- reading for seven days is believed. A run that has ended stays as it is.
create function public.finish_discovery(
  p_run_id bigint, p_at timestamptz, p_end text, p_note text default null, p_resume_at timestamptz default null
)
returns setof public.discovery_runs
language plpgsql
set search_path = ''
as $$
declare
  v_run public.discovery_runs;
  v_last bigint;
  v_had integer;
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
  ) into v_last, v_had
  from public.discovery_runs r
  where r.directory = v_run.directory and r.complete and r.id < p_run_id;

  if v_complete and v_run.accepted < v_had * 0.7 and v_had - v_run.accepted > 2 then
    v_shrunken := true;
    v_complete := internal.stayed_small(v_run, v_last, v_had, p_at);
    if not v_complete then
      p_note := format(
        'the directory shrank from %s to %s listings: nothing is delisted for it yet', v_had, v_run.accepted
      );
    end if;
  end if;

  if v_complete then
    v_delisted := internal.count_misses(v_run.directory, p_run_id, p_at);
  end if;

  -- What a run did not take is of interest until the next one; the runs themselves are kept as long as observations.
  update public.discovery_runs r set rejects = '[]'
  where r.directory = v_run.directory and r.id < p_run_id and r.rejects <> '[]';
  delete from public.discovery_runs r
  where r.directory = v_run.directory and r.id < v_last and r.started_at < p_at - interval '90 days';

  return query update public.discovery_runs r set
    finished_at = p_at, complete = v_complete, shrunken = v_shrunken, note = p_note, delisted = v_delisted
  where r.id = p_run_id returning r.*;
end;
$$;
