-- Probes for reports that are paid for: of endpoints that are known, and of those that somebody brings here.

-- Endpoints of a host that were brought here within the day before p_now.
create function internal.adoptions(p_host text, p_now timestamptz)
returns integer
language sql stable
set search_path = ''
as $$
  select count(*)::integer from public.endpoints e
  where e.host = p_host and e.adopted_at > p_now - interval '1 day';
$$;

-- Whether the adoption of an endpoint may still be undone, because a payment for a report on it may not be settled yet.
-- That takes two minutes at most. What is undone must be ten minutes old at most, so whoever holds it in time holds it.
create function internal.is_undecided(p_endpoint public.endpoints, p_now timestamptz)
returns boolean
language sql immutable
set search_path = ''
as $$
  select coalesce(p_endpoint.adopted_at > p_now - interval '15 minutes', false);
$$;

-- What is known of an endpoint that a report is wanted on, in one call: { endpoint: how it is probed; null where nobody
-- knows it, and whether its adoption may still be undone, source: what its report is assembled from; null before its first
-- score, adoptions: endpoints of p_host that were brought here within the day before p_now }.
create function public.report_subject(p_endpoint_id text, p_host text, p_now timestamptz)
returns jsonb
language sql stable
set search_path = ''
as $$
  select jsonb_build_object(
    'endpoint', (
      select jsonb_build_object(
        'resource', e.resource, 'host', e.host, 'probeUrl', e.probe_url, 'templated', e.templated,
        'removed', e.removed_at is not null, 'declaredMethod', e.declared_method, 'challengedMethod', s.method,
        'undecided', internal.is_undecided(e, p_now)
      )
      from public.endpoints e left join public.endpoint_states s on s.endpoint_id = e.id
      where e.id = p_endpoint_id
    ),
    'source', (select r.source from public.report_sources(array[p_endpoint_id]) r),
    'adoptions', internal.adoptions(p_host, p_now)
  );
$$;

-- Records an observation outside the schedule, and has it looked at once more where it is the first miss.
create function internal.record_outside(p_row internal.observation_row, p_now timestamptz)
returns table (changed integer, missing text[])
language plpgsql
set search_path = ''
as $$
begin
  select r.changed, r.missing into changed, missing from internal.record_rows(array[p_row], p_now) r;
  if p_row.vitality = 0 then
    perform internal.confirm_misses(array[row(p_row."endpointId", p_row.at)::internal.slot], p_now);
  end if;
  return next;
end;
$$;

-- Records what was seen for a report where it shows something else than the last observation, in the way of a second
-- look: it tells how the endpoint is and counts in no figure, so nobody makes good or bad times weigh more by buying
-- reports in them. What is older than the last observation is not recorded, which anybody can see in the report's own
-- time. p_row: the columns of an observation, without a slot.
create function public.record_live(p_now timestamptz, p_row jsonb)
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
    v_row.place := 1;
    v_row.confirms := true;
    -- Probes of the schedule have whole milliseconds: this one takes the place of none that began in the same.
    v_row.at := v_row.at + interval '1 microsecond';
    recorded := true;
    select r.changed, r.missing into changed, missing from internal.record_outside(v_row, p_now) r;
  end if;
  return next;
end;
$$;

-- Makes one more payment depend on an adoption: held; kept where it can no longer be undone, or there was none; gone
-- where nobody knows the endpoint.
create function public.hold_adoption(p_endpoint_id text, p_now timestamptz)
returns text
language plpgsql
set search_path = ''
as $$
begin
  update public.endpoints e set adoption_holds = e.adoption_holds + 1
  where e.id = p_endpoint_id and internal.is_undecided(e, p_now);
  if found then return 'held'; end if;
  return case when exists (select 1 from public.endpoints e where e.id = p_endpoint_id) then 'kept' else 'gone' end;
end;
$$;

-- Takes one payment back on which an adoption depends. With the last one the endpoint goes, and whatever was seen of it,
-- unless a directory lists it by now or somebody watches it. Returns whether it is gone.
create function public.undo_adoption(p_endpoint_id text, p_now timestamptz)
returns boolean
language plpgsql
set search_path = ''
as $$
declare
  v_adopted_at timestamptz;
begin
  -- Whoever writes states locks them first, and only then what they belong to.
  perform 1 from public.endpoint_states s where s.endpoint_id = p_endpoint_id for update;
  update public.endpoints e set adoption_holds = e.adoption_holds - 1
  where e.id = p_endpoint_id and e.adoption_holds > 0;
  delete from public.endpoints e
  where e.id = p_endpoint_id and e.adoption_holds = 0 and e.adopted_at > p_now - interval '10 minutes'
    and e.removed_at is null
    and not exists (select 1 from public.listings l where l.endpoint_id = e.id)
    and not exists (select 1 from public.schedules c where c.endpoint_id = e.id and c.watched)
  returning e.adopted_at into v_adopted_at;
  if not found then return false; end if;
  delete from public.observations o where o.endpoint_id = p_endpoint_id and o.at > v_adopted_at - interval '1 day';
  delete from public.scoring_queue q where q.endpoint_id = p_endpoint_id;
  return true;
end;
$$;

-- Takes an endpoint into the catalog that nobody listed, with its first observation: it is listed, scheduled, and waits
-- for its score. p_endpoint: { id, resource, host, slug, serviceName, description, intervalSeconds, offsetSeconds };
-- p_row as for record_live. outcome is adopted; held, where somebody else adopted it a moment ago, and it depends on both;
-- known, where it is there already, or another one has its id; or full, where p_host_limit endpoints of its host were
-- adopted within a day. Nothing of p_row is stored but with adopted.
create function public.adopt_endpoint(p_now timestamptz, p_endpoint jsonb, p_row jsonb, p_host_limit integer)
returns table (outcome text, missing text[])
language plpgsql
set search_path = ''
as $$
declare
  v_row internal.observation_row := jsonb_populate_record(null::internal.observation_row, p_row);
  v_host text := p_endpoint ->> 'host';
  v_hold text;
begin
  -- One adoption of a host at a time, so that its limit holds.
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('adopt ' || v_host, 0));
  missing := '{}';
  v_hold := public.hold_adoption(v_row."endpointId", p_now);
  outcome := case v_hold when 'held' then 'held' when 'kept' then 'known' else 'full' end;
  if outcome = 'full' and internal.adoptions(v_host, p_now) < p_host_limit then
    insert into public.endpoints (
      id, resource, probe_url, host, slug, templated, service_name, description, first_seen_at, adopted_at,
      adoption_holds
    )
    select e.id, e.resource, e.resource, e.host, e.slug, false, e."serviceName", e.description, p_now, p_now, 1
    from jsonb_to_record(p_endpoint) as e (
      id text, resource text, host text, slug text, "serviceName" text, description text
    )
    -- A directory may bring it at the same moment.
    on conflict do nothing;
    outcome := case when found then 'adopted' else 'known' end;
  end if;
  if outcome <> 'adopted' then
    return next;
    return;
  end if;

  insert into public.endpoint_states (endpoint_id) values (v_row."endpointId");
  insert into public.schedules (endpoint_id, host, interval_seconds, offset_seconds, next_probe_at)
  select v_row."endpointId", v_host, e."intervalSeconds", e."offsetSeconds",
    internal.next_slot(p_now, e."intervalSeconds", e."offsetSeconds")
  from jsonb_to_record(p_endpoint) as e ("intervalSeconds" integer, "offsetSeconds" integer);
  insert into public.changes (endpoint_id, at, kind) values (v_row."endpointId", p_now, 'listed');

  v_row.place := 1;
  v_row.confirms := false;
  select r.missing into missing from internal.record_outside(v_row, p_now) r;
  return next;
end;
$$;
