-- Rechecks after a miss, and slow schedules after a long downtime.

-- Schedules a recheck 20 to 45 seconds after each miss that starts an outage. The recheck is stored as a lease that has
-- no owner and expires when the recheck is due. p_missed contains only misses of the last minute. Older misses in a
-- late batch get no recheck; the next scheduled slot replaces it.
create function internal.schedule_rechecks(p_missed internal.slot[], p_now timestamptz)
returns void
language sql
set search_path = ''
as $$
  insert into public.leases (endpoint_id, slot_at, owner, expires_at, is_recheck)
  select s.endpoint_id, l.at, '', l.at, true
  from unnest(p_missed) m
  join public.endpoint_states s on s.endpoint_id = m.endpoint_id and s.misses = 1 and s.down_since = m.slot_at
  cross join lateral (
    select greatest(
      m.slot_at + make_interval(secs => 20 + internal.stable_hash(s.endpoint_id || m.slot_at::text) % 26), p_now
    ) as at
  ) d
  -- The slot time has whole milliseconds, because workers send slot times in milliseconds. It is never a whole second,
  -- because scheduled slots are whole seconds and the keys would collide.
  cross join lateral (
    select date_trunc('milliseconds', d.at)
      + case when d.at = date_trunc('second', d.at) then interval '1 millisecond' else '0' end as at
  ) l
  on conflict do nothing;
$$;

-- Makes a schedule slow after 14 days of downtime of its endpoint, and regular again when the endpoint responds.
create function internal.update_slow_schedules(p_endpoint_ids text[])
returns void
language plpgsql
set search_path = ''
as $$
declare
  v_ids text[];
  v_hosts text[];
begin
  select array_agg(c.endpoint_id) into v_ids
  from public.schedules c join public.endpoint_states s on s.endpoint_id = c.endpoint_id
  where c.endpoint_id = any (p_endpoint_ids)
    and c.slow <> coalesce(s.last_observed_at - s.down_since >= interval '14 days', false);
  if v_ids is null then return; end if;

  perform 1 from public.schedules c where c.endpoint_id = any (v_ids) order by c.endpoint_id for update;
  update public.schedules c set slow = not c.slow where c.endpoint_id = any (v_ids);
  with moved as (
    update public.schedules c set next_probe_at = internal.next_due(c, s.last_observed_at)
    from public.endpoint_states s where s.endpoint_id = c.endpoint_id and c.endpoint_id = any (v_ids)
    returning c.host
  )
  select array_agg(distinct m.host) into v_hosts from moved m;
  perform internal.update_host_queues(v_hosts);
end;
$$;
