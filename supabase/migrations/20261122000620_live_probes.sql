-- Live probes for paid reports.

-- Returns the number of endpoints of a host that paid reports added to the catalog (adopted) in the 24 hours before
-- p_now.
create function internal.count_adoptions(p_host text, p_now timestamptz)
returns integer
language sql stable
set search_path = ''
as $$
  select count(*)::integer from public.endpoints e
  where e.host = p_host and e.adopted_at > p_now - interval '1 day';
$$;

-- Returns the data for a report request in one call. Extends a provisional adoption to p_provisional_until, so the
-- endpoint is not deleted before the report is paid.
-- `endpoint`: data for probing the endpoint; null if the endpoint is unknown. `source`: report data from
-- report_sources; null before the first score. `adoptions`: number of endpoints of p_host that were adopted in the 24
-- hours before p_now.
create function public.report_subject(
  p_endpoint_id text, p_host text, p_now timestamptz, p_provisional_until timestamptz
)
returns jsonb
language sql
set search_path = ''
as $$
  -- If expire_adoptions is deleting the endpoint, this update waits. The next statement then finds no endpoint.
  update public.endpoints e set provisional_until = greatest(e.provisional_until, p_provisional_until)
  where e.id = p_endpoint_id and e.provisional_until is not null;

  select jsonb_build_object(
    'endpoint', (
      select jsonb_build_object(
        'resource', e.resource, 'host', e.host, 'probeUrl', e.probe_url, 'templated', e.templated,
        'removed', e.removed_at is not null, 'declaredMethod', e.declared_method, 'challengedMethod', s.method
      )
      from public.endpoints e left join public.endpoint_states s on s.endpoint_id = e.id
      where e.id = p_endpoint_id
    ),
    'source', (select r.source from public.report_sources(array[p_endpoint_id]) r),
    'adoptions', internal.count_adoptions(p_host, p_now)
  );
$$;

-- Records an observation outside the schedule. Schedules a recheck if the observation is the first miss.
create function internal.record_unscheduled(p_row internal.observation_row, p_now timestamptz)
returns table (changed integer, missing text[])
language plpgsql
set search_path = ''
as $$
begin
  select r.changed, r.missing into changed, missing from internal.record_observation_rows(array[p_row], p_now) r;
  if p_row.vitality = 0 then
    perform internal.schedule_rechecks(array[row(p_row."endpointId", p_row.at)::internal.slot], p_now);
  end if;
  return next;
end;
$$;

-- Records the live probe of a report if its result differs from the last observation. It is stored as a recheck: it
-- updates the state of the endpoint but is not counted in statistics. So nobody can influence uptime by buying reports
-- at selected times. A live probe that is not newer than the last observation is not recorded. p_row: the columns of an
-- observation, without a slot.
create function public.record_live_probe(p_now timestamptz, p_row jsonb)
returns table (recorded boolean, changed integer, missing text[])
language plpgsql
set search_path = ''
as $$
declare
  v_row internal.observation_row := jsonb_populate_record(null::internal.observation_row, p_row);
  v_last_at timestamptz;
  v_last public.observations;
begin
  recorded := false;
  changed := 0;
  missing := '{}';
  select s.last_probed_at into v_last_at from public.endpoint_states s
  where s.endpoint_id = v_row."endpointId" for update;
  if not found or v_row.at <= v_last_at then
    return next;
    return;
  end if;

  select o.* into v_last from public.observations o where o.endpoint_id = v_row."endpointId" and o.at = v_last_at;
  if not found or (v_last.vitality, v_last.compliance, v_last.challenge_hash)
    is distinct from (v_row.vitality, v_row.compliance, v_row."challengeHash")
  then
    v_row.ordinal := 1;
    v_row.is_recheck := true;
    -- Scheduled probes have times in whole milliseconds. The extra microsecond keeps the key of a live probe different.
    v_row.at := v_row.at + interval '1 microsecond';
    recorded := true;
    select r.changed, r.missing into changed, missing from internal.record_unscheduled(v_row, p_now) r;
  end if;
  return next;
end;
$$;
