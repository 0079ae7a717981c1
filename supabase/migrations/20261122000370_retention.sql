-- Retention: daily partitions are created in advance and dropped whole. Other old rows are deleted in steps of limited
-- size.

-- Creates the daily partitions of observations from p_from to p_to, and drops the partitions of days before
-- p_keep_from. Returns the numbers of created and of dropped partitions.
create function public.maintain_observation_partitions(p_from date, p_to date, p_keep_from date default null)
returns table (created integer, dropped integer)
-- Runs as the owner of the function, because partitions must belong to the owner of their parent table.
language plpgsql security definer
set search_path = ''
as $$
declare
  v_day date;
  v_name text;
  v_created integer := 0;
  v_dropped integer := 0;
begin
  for v_day in select d::date from generate_series(p_from, p_to, interval '1 day') d loop
    v_name := 'observations_' || to_char(v_day, 'YYYYMMDD');
    if to_regclass('internal.' || v_name) is null then
      -- Serializes workers that create a partition. The check above may not see a partition that another worker has
      -- just created, so the error duplicate_table is ignored.
      perform pg_advisory_xact_lock(hashtext('internal.observations'));
      begin
        execute format(
          'create table internal.%I partition of public.observations for values from (%L) to (%L)',
          v_name, v_day::text || ' 00:00:00+00', (v_day + 1)::text || ' 00:00:00+00'
        );
        v_created := v_created + 1;
      exception when duplicate_table then
        null;
      end;
    end if;
  end loop;

  for v_name in
    select c.relname from pg_catalog.pg_inherits i
    join pg_catalog.pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'public.observations'::regclass
      and to_date(right(c.relname, 8), 'YYYYMMDD') < p_keep_from
  loop
    execute format('drop table internal.%I', v_name);
    v_dropped := v_dropped + 1;
  end loop;

  return query select v_created, v_dropped;
end;
$$;

-- Deletes the queues of hosts whose last schedule was deleted. No claim locks such a queue, because its next_due_at is
-- infinity. If such a host gets a new schedule at the same moment, PostgreSQL checks the condition again after it has
-- locked the row, and the queue stays. Returns the number of deleted queues.
create function public.prune_host_queues()
returns integer
language sql
set search_path = ''
as $$
  with deleted as (
    delete from public.host_queues q
    where q.next_due_at = 'infinity' and not exists (select 1 from public.schedules s where s.host = q.host)
    returning 1
  )
  select count(*)::integer from deleted;
$$;

-- Deletes rollups, daily scores and changes that are older than p_keep_from, and challenges that were last seen before
-- p_keep_from. Deletes at most p_limit rows of each kind, so that locks are short. Returns the number of deleted rows
-- of each kind; the caller repeats the call until all numbers are 0.
create function public.prune_expired(p_keep_from date, p_limit integer)
returns table (rollups integer, scores integer, challenges integer, changes integer)
language sql
set search_path = ''
as $$
  with old_rollups as (
    delete from public.daily_rollups d using (
      select r.endpoint_id, r.day from public.daily_rollups r
      where r.day < p_keep_from limit p_limit for update skip locked
    ) o
    where d.endpoint_id = o.endpoint_id and d.day = o.day
    returning 1
  ),
  old_scores as (
    delete from public.daily_scores d using (
      select s.endpoint_id, s.day from public.daily_scores s
      where s.day < p_keep_from limit p_limit for update skip locked
    ) o
    where d.endpoint_id = o.endpoint_id and d.day = o.day
    returning 1
  ),
  old_challenges as (
    delete from public.challenges c using (
      select h.hash from public.challenges h
      -- `last_seen_at` is accurate to one day, so challenges are kept for one more day.
      where h.last_seen_at < (p_keep_from - 1)::timestamp at time zone 'UTC' limit p_limit for update skip locked
    ) o
    where c.hash = o.hash
    returning 1
  ),
  old_changes as (
    delete from public.changes c using (
      select h.id from public.changes h
      where h.at < p_keep_from::timestamp at time zone 'UTC' limit p_limit for update skip locked
    ) o
    where c.id = o.id
    returning 1
  )
  select (select count(*) from old_rollups)::integer, (select count(*) from old_scores)::integer,
    (select count(*) from old_challenges)::integer, (select count(*) from old_changes)::integer;
$$;
