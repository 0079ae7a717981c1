-- Schedules: the times at which endpoints are due and hosts may be probed.

-- Returns a hash of a text: a number from 0 to 2^28 - 1, evenly distributed and always the same for the same text.
create function internal.stable_hash(p_text text)
returns integer
language sql immutable
set search_path = ''
as $$
  select ('x' || left(md5(p_text), 7))::bit(28)::integer;
$$;

-- Returns the first slot strictly after p_after. Intervals are counted from the epoch. Each interval has one slot,
-- p_offset seconds after its start.
create function internal.next_slot(p_after timestamptz, p_interval integer, p_offset integer)
returns timestamptz
language sql immutable
set search_path = ''
as $$
  select to_timestamp(
    (floor((extract(epoch from p_after) - p_offset) / p_interval) + 1) * p_interval + p_offset
  );
$$;

-- Returns the current probe interval of a schedule, in seconds. Normally this is the regular interval. A slow
-- schedule has at least six hours, even if it is watched. Any other watched schedule has at most five minutes.
create function internal.cadence_seconds(p_schedule public.schedules)
returns integer
language sql immutable
set search_path = ''
as $$
  select case
    when p_schedule.slow then greatest(21600, p_schedule.interval_seconds)
    when p_schedule.watched then least(300, p_schedule.interval_seconds)
    else p_schedule.interval_seconds
  end;
$$;

-- Returns the first slot of a schedule after p_after. A slow schedule keeps one of its regular slots in six hours. A
-- hash of the endpoint id selects that slot, so slow endpoints are spread evenly over six hours.
create function internal.next_due(p_schedule public.schedules, p_after timestamptz)
returns timestamptz
language sql immutable
set search_path = ''
as $$
  select internal.next_slot(
    p_after,
    internal.cadence_seconds(p_schedule),
    p_schedule.offset_seconds + case when p_schedule.slow then
      p_schedule.interval_seconds
      * (internal.stable_hash(p_schedule.endpoint_id) % greatest(21600 / p_schedule.interval_seconds, 1))
    else 0 end
  );
$$;

-- Updates `next_due_at` of hosts from the schedules of their endpoints. Locks the rows in host order to prevent
-- deadlocks.
create function internal.update_host_queues(p_hosts text[])
returns void
language plpgsql
set search_path = ''
as $$
begin
  perform 1 from public.host_queues q where q.host = any (p_hosts) order by q.host for update;
  update public.host_queues q set next_due_at = greatest(q.not_before, d.at)
  from (
    select h.host, coalesce(
      (select s.next_probe_at from public.schedules s where s.host = h.host order by s.next_probe_at limit 1),
      'infinity'
    ) as at
    from unnest(p_hosts) as h (host)
  ) d
  where d.host = q.host and q.next_due_at is distinct from greatest(q.not_before, d.at);
end;
$$;

-- Trigger function: adds the hosts of new schedules to the host queues.
create function internal.queue_hosts()
returns trigger
language plpgsql
set search_path = ''
as $$
begin
  insert into public.host_queues as q (host, next_due_at)
  select a.host, min(a.next_probe_at) from added a group by a.host order by a.host
  on conflict (host) do update set next_due_at = greatest(q.not_before, excluded.next_due_at)
  where q.next_due_at > excluded.next_due_at;
  return null;
end;
$$;
create trigger schedules_queue_hosts after insert on public.schedules
  referencing new table as added for each statement execute function internal.queue_hosts();

-- Starts or ends the five-minute probe interval of watched endpoints. Returns the number of endpoints that are in the
-- requested state after the call.
create function public.watch_endpoints(p_endpoint_ids text[], p_watched boolean, p_now timestamptz)
returns integer
language plpgsql
set search_path = ''
as $$
declare
  v_hosts text[];
begin
  perform 1 from public.schedules s where s.endpoint_id = any (p_endpoint_ids) order by s.endpoint_id for update;
  update public.schedules s set watched = p_watched
  where s.endpoint_id = any (p_endpoint_ids) and s.watched <> p_watched;
  -- Computes the next slot with the new interval. An overdue slot stays due when the five-minute interval starts. When
  -- that interval ends, an overdue slot is skipped: the last slot of the regular interval may have been probed already.
  with moved as (
    update public.schedules s set next_probe_at = internal.next_due(s, p_now)
    where s.endpoint_id = any (p_endpoint_ids) and (s.next_probe_at > p_now or not p_watched)
    returning s.host
  )
  select array_agg(distinct m.host) into v_hosts from moved m;
  perform internal.update_host_queues(v_hosts);
  return (select count(*) from public.schedules s where s.endpoint_id = any (p_endpoint_ids) and s.watched = p_watched);
end;
$$;
