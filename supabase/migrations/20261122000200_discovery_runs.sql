-- Discovery runs. One run reads all pages of one directory. A complete run decides which endpoints are delisted.

-- Starts a discovery run of a directory, or resumes its interrupted run. A run is resumed if it started less than two
-- days ago, and if its last page or the planned end of its pause is less than six hours ago. Older runs are finished as
-- incomplete, because they would mix old and new pages of the list.
create function public.start_discovery(p_directory text, p_at timestamptz)
returns setof public.discovery_runs
language plpgsql
set search_path = ''
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

-- Returns true if a directory has been small long enough to be trusted again. Since its last complete run, at least 24
-- finished runs were small, and the first of them finished at least seven days ago. A small run has less than 70 % of
-- p_previous_count listings.
create function internal.has_stayed_small(
  p_run public.discovery_runs, p_last_complete_id bigint, p_previous_count integer, p_at timestamptz
)
returns boolean
language sql stable
set search_path = ''
as $$
  select count(*) >= 24 and min(r.finished_at) <= p_at - interval '7 days'
  from public.discovery_runs r
  where r.directory = p_run.directory and r.shrunken and r.id > p_last_complete_id
    and r.accepted < p_previous_count * 0.7;
$$;

-- Counts a miss for every listing that a complete run did not contain. After the second consecutive miss, the endpoint
-- is delisted, unless another directory lists it. That other directory must still be in use: one of its runs made
-- progress in the last seven days, or is paused until a later time.
-- Returns the number of delisted endpoints.
create function internal.record_missed_listings(p_directory text, p_run_id bigint, p_at timestamptz)
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
  return v_delisted;
end;
$$;

-- Finishes a run as complete or incomplete (p_end), or pauses it until p_resume_at. A run that is already finished is
-- not changed. Returns the run.
-- A complete run counts a miss for each listing of the directory that it did not contain. The second consecutive miss
-- delists the endpoint, unless another directory lists it.
-- A run is shrunken if it has less than 70 % of the previous number of listings. In addition, at least three listings
-- must be missing, because one or two are a large share of a very short list. The previous number is the maximum of the
-- last complete run and all complete runs of the last seven days, so a list cannot shrink unnoticed in small steps.
-- A shrunken run is incomplete and delists nothing, until the directory has been small for seven days.
create function public.finish_discovery(
  p_run_id bigint, p_at timestamptz, p_end text, p_note text default null, p_resume_at timestamptz default null
)
returns setof public.discovery_runs
language plpgsql
set search_path = ''
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
    v_complete := internal.has_stayed_small(v_run, v_last_complete_id, v_previous_count, p_at);
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
