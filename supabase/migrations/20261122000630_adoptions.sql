-- Adoptions: endpoints that a paid report adds to the catalog.

-- Adds a payment that depends on an adoption. Returns `held`; `kept` if the adoption can no longer be undone, or there
-- was none; `gone` if the endpoint is unknown.
create function public.hold_adoption(p_endpoint_id text, p_now timestamptz)
returns text
language plpgsql
set search_path = ''
as $$
begin
  update public.endpoints e set adoption_holds = e.adoption_holds + 1
  where e.id = p_endpoint_id and internal.can_undo_adoption(e, p_now);
  if found then return 'held'; end if;
  return case when exists (select 1 from public.endpoints e where e.id = p_endpoint_id) then 'kept' else 'gone' end;
end;
$$;

-- Removes a payment that depends on an adoption. After the last one the endpoint and its observations are deleted,
-- unless a directory lists it or a subscription watches it by now. Returns true if it was deleted.
create function public.undo_adoption(p_endpoint_id text, p_now timestamptz)
returns boolean
language plpgsql
set search_path = ''
as $$
declare
  v_adopted_at timestamptz;
begin
  -- Transactions that write states lock them before their endpoints.
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

-- Adds an unlisted endpoint to the catalog with its first observation: it is listed, scheduled and queued for scoring.
-- p_endpoint: { id, resource, host, slug, serviceName, description, intervalSeconds, offsetSeconds }; p_row as for
-- record_live_probe.
-- The outcome is `adopted`;
-- `held` if another payment has just adopted it, and it now depends on both;
-- `known` if it already exists, or another endpoint has its id;
-- `full` if p_host_limit endpoints of its host were adopted within a day. p_row is stored only with `adopted`.
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
  -- Adoptions of one host are serialized, so that the limit holds.
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('adopt ' || v_host, 0));
  missing := '{}';
  v_hold := public.hold_adoption(v_row."endpointId", p_now);
  outcome := case v_hold when 'held' then 'held' when 'kept' then 'known' else 'full' end;
  if outcome = 'full' and internal.count_adoptions(v_host, p_now) < p_host_limit then
    insert into public.endpoints (
      id, resource, probe_url, host, slug, templated, service_name, description, first_seen_at, adopted_at,
      adoption_holds
    )
    select e.id, e.resource, e.resource, e.host, e.slug, false, e."serviceName", e.description, p_now, p_now, 1
    from jsonb_to_record(p_endpoint) as e (
      id text, resource text, host text, slug text, "serviceName" text, description text
    )
    -- A directory may add it at the same moment.
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

  v_row.ordinal := 1;
  v_row.is_recheck := false;
  select r.missing into missing from internal.record_unscheduled(v_row, p_now) r;
  return next;
end;
$$;
