-- Schedules of watched endpoints: probed every five minutes, and at the normal interval after the last watch ends.

-- Returns the current probe interval of a schedule, in seconds. Normally this is the regular interval. A watched
-- schedule has at most five minutes, even after 14 days of downtime: the owner of the watch waits for the recovery. Any
-- other slow schedule has at least six hours.
create or replace function internal.cadence_seconds(p_schedule public.schedules)
returns integer
language sql immutable
set search_path = ''
as $$
  select case
    when p_schedule.watched then least(300, p_schedule.interval_seconds)
    when p_schedule.slow then greatest(21600, p_schedule.interval_seconds)
    else p_schedule.interval_seconds
  end;
$$;

-- Returns the first slot of a schedule after p_after. A slow schedule keeps one of its regular slots in six hours. A
-- hash of the endpoint id selects that slot, so slow endpoints are spread evenly over six hours.
create or replace function internal.next_due(p_schedule public.schedules, p_after timestamptz)
returns timestamptz
language sql immutable
set search_path = ''
as $$
  select internal.next_slot(
    p_after,
    internal.cadence_seconds(p_schedule),
    p_schedule.offset_seconds + case when p_schedule.slow and not p_schedule.watched then
      p_schedule.interval_seconds
      * (internal.stable_hash(p_schedule.endpoint_id) % greatest(21600 / p_schedule.interval_seconds, 1))
    else 0 end
  );
$$;

-- Returns the probe interval of a schedule without its watches, in seconds. The check for monitoring gaps uses it. The
-- last probe of a slow endpoint can be six hours old when a watch begins. That time is no gap, so a long downtime does
-- not begin again at the first probe of the watch.
create function internal.unwatched_cadence_seconds(p_schedule public.schedules)
returns integer
language sql immutable
set search_path = ''
as $$
  select case
    when p_schedule.slow then greatest(21600, p_schedule.interval_seconds) else p_schedule.interval_seconds
  end;
$$;

-- Returns the observations of a batch with their effect on the latest state: for each endpoint the observation at
-- position p_ordinal. Observations that are already stored are left out.
-- Late observations and self-inflicted failures do not change the number of misses. An observation with the endpoint up
-- resets this number; an observation that is neither up nor down leaves it unchanged. After a monitoring gap (more than
-- three slots and more than 90 minutes) the number starts again, because a miss before the gap and a miss after it do
-- not prove that the endpoint was down throughout.
create or replace function internal.assess_observations(p_rows internal.observation_row[], p_ordinal integer)
returns internal.assessed_row[]
language plpgsql
set search_path = ''
as $$
begin
  return array(
    select row(
      p."endpointId", p."slotAt", p.at, p.outcome, p.vitality, p.excluded, p."httpStatus", p.method, p."latencyMs",
      p."resolveMs", p."connectMs", p."tlsMs", p."processingMs", p."transferMs", p.bucket, p.compliance,
      p."challengeHash", p.terms, p."amountUsd", p.failure, p.is_recheck, p."dueSlots", p."dueSeconds", p.ordinal,
      w.is_latest, m.misses, m.down_since, v.liveness, w.is_latest and n.is_after_gap,
      w.is_latest_terms, w.is_latest_compliance,
      f.has_changed,
      f.has_changed or (w.is_latest and s.last_observed_at is null) or (w.is_latest_terms and s.terms_at is null)
        or (w.is_latest_compliance and s.compliance_at is null) or (s.liveness is null and v.liveness is not null),
      coalesce(
        w.is_latest and (
          s.last_observed_at - s.down_since >= interval '14 days' or p.at - m.down_since >= interval '14 days'
        ),
        false
      ),
      p."failurePhase", p."failureDetail", p."responseMs", p."responseBucket",
      case when not w.is_latest then s.failing_since when p.vitality = 1 then null
        else coalesce(s.failing_since, p.at) end,
      w.is_latest and p.vitality is distinct from 1 and p."failurePhase" is not null and p."failureDetail" is not null
    )::internal.assessed_row
    from unnest(p_rows) p
    join public.endpoint_states s on s.endpoint_id = p."endpointId"
    cross join lateral (
      select not p.excluded and (s.last_observed_at is null or p.at > s.last_observed_at) as is_latest,
        not p.excluded and p.terms is not null and (s.terms_at is null or p.at > s.terms_at) as is_latest_terms,
        not p.excluded and p.compliance is not null and (s.compliance_at is null or p.at > s.compliance_at)
          as is_latest_compliance
    ) w
    cross join lateral (
      select coalesce(
        p.at - s.last_observed_at > interval '90 minutes' and p.at - s.last_observed_at > coalesce(
          (select make_interval(secs => 3 * internal.unwatched_cadence_seconds(c)) from public.schedules c
           where c.endpoint_id = s.endpoint_id), '0'
        ), false
      ) as is_after_gap
      -- `offset 0` prevents inlining of this subquery, so the schedule is read only once, and only after a long gap.
      offset 0
    ) n
    cross join lateral (
      select p.vitality is not distinct from 1 or n.is_after_gap as is_reset
    ) a
    cross join lateral (
      select
        case when not w.is_latest then s.misses
          else case when a.is_reset then 0 else s.misses end + (p.vitality is not distinct from 0)::integer
        end as misses,
        case when not w.is_latest then s.down_since
          else coalesce(case when not a.is_reset then s.down_since end, case when p.vitality = 0 then p.at end)
        end as down_since
    ) m
    cross join lateral (
      select case when not w.is_latest then null when p.vitality = 1 then 'up'
        when p.vitality = 0 and m.misses >= 2 then 'down' end as liveness
    ) v
    cross join lateral (
      select coalesce(w.is_latest_terms and s.terms <> p.terms, false)
        or coalesce(w.is_latest_compliance and s.compliance <> p.compliance, false)
        or coalesce(s.liveness <> v.liveness, false) as has_changed
    ) f
    where p.ordinal = p_ordinal
      -- No stored observation is newer than the last probe of its endpoint, so only late observations can be
      -- duplicates.
      and (s.last_probed_at is null or p.at > s.last_probed_at or not exists (
        select 1 from public.observations o where o.endpoint_id = p."endpointId" and o.at = p.at
      ))
  );
end;
$$;

-- Sets the flag `watched` of schedules from the active watches of their endpoints, and the next slots of schedules
-- whose flag changes. The caller holds the locks of the changed watches. The flag is computed in a statement after the
-- lock, so it includes all watches that were committed before.
create function internal.update_watched_schedules(p_endpoint_ids text[], p_now timestamptz)
returns void
language plpgsql
set search_path = ''
as $$
declare
  v_hosts text[];
begin
  perform 1 from public.schedules s where s.endpoint_id = any (p_endpoint_ids) order by s.endpoint_id for update;
  -- An overdue slot stays due when the five-minute interval starts. When that interval ends, an overdue slot is
  -- skipped: the last slot of the normal interval may have been probed already.
  with changed as (
    update public.schedules s set watched = not s.watched
    where s.endpoint_id = any (p_endpoint_ids) and s.watched <> exists (
      select 1 from public.watches w where w.endpoint_id = s.endpoint_id and w.status = 'active'
    )
    returning s.endpoint_id
  )
  select array_agg(c.endpoint_id) into p_endpoint_ids from changed c;
  with moved as (
    update public.schedules s set next_probe_at = internal.next_due(s, p_now)
    where s.endpoint_id = any (p_endpoint_ids) and (s.next_probe_at > p_now or not s.watched)
    returning s.host
  )
  select array_agg(distinct m.host) into v_hosts from moved m;
  perform internal.update_host_queues(v_hosts);
end;
$$;

drop function public.watch_endpoints(text[], boolean, timestamptz);
