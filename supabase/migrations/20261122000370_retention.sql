-- Retention: daily partitions are created in advance and dropped whole; other old rows are deleted in bounded steps.

-- Creates the daily partitions of observations from p_from to p_to, and drops those that end before p_keep_from.
-- Returns the number of created and of dropped partitions.
create function public.maintain_observation_partitions(p_from date, p_to date, p_keep_from date default null)
returns table (created integer, dropped integer)
-- Partitions belong to the owner of their parent table, not to the calling role.
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
      -- Serializes workers that create the same day. The second worker may not see the new partition yet.
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

-- Deletes the queues of hosts without schedules, whose last endpoint was deleted. Such a queue is not locked by any
-- claim; a queue that gets a schedule at this moment is no longer empty when its row is locked. Returns the number of
-- deleted queues.
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

-- Deletes rollups, daily scores and changes from before p_keep_from, and challenges that no later observation had: at
-- most p_limit of each, so that locks are short. Returns the number of each; the caller repeats until all are 0.
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
      -- The time is accurate to one day, so one more day is kept.
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
