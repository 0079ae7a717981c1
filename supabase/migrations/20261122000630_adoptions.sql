-- Adoptions: endpoints that a paid report adds to the catalog.

-- Returns the outcome of a provisional adoption:
-- `kept`: a payment for the endpoint was settled since the adoption, a directory lists the endpoint, a subscription
-- watches it, or it was removed from public view on request.
-- `pending`: a payment for the endpoint is open.
-- `unpaid`: all other cases.
-- Payments for all operations count, because the buyer of a history needs the endpoint too.
create function internal.adoption_outcome(p_endpoint public.endpoints, p_now timestamptz)
returns text
language sql stable
set search_path = ''
as $$
  select case
    when p_endpoint.removed_at is not null
      or exists (select 1 from public.listings l where l.endpoint_id = p_endpoint.id)
      or exists (select 1 from public.schedules c where c.endpoint_id = p_endpoint.id and c.watched)
      or exists (
        select 1 from public.payments p
        where p.resource = p_endpoint.resource and p.state in ('settled', 'disputed')
          and p.settled_at >= p_endpoint.adopted_at
      )
    then 'kept'
    when exists (
      select 1 from public.payments p
      where p.resource = p_endpoint.resource
        and (p.state = 'settling' or (p.state = 'working' and p.lease_until > p_now))
    )
    then 'pending'
    else 'unpaid'
  end;
$$;

-- Ends up to p_limit provisional adoptions that have expired. Endpoints with the outcome `kept` stay in the catalog.
-- Endpoints with an open payment stay provisional until p_extend_until. Unpaid endpoints are deleted with their
-- observations. Endpoints that another transaction has locked are left to the next call. Returns the ids of the deleted
-- endpoints.
create function public.expire_adoptions(p_now timestamptz, p_extend_until timestamptz, p_limit integer)
returns text[]
language plpgsql
set search_path = ''
as $$
declare
  v_endpoint public.endpoints;
  v_leases integer;
  v_outcome text;
  v_deleted text[] := '{}';
begin
  for v_endpoint in
    select * from public.endpoints e where e.provisional_until <= p_now order by e.provisional_until limit p_limit
  loop
    -- Takes the locks in the same order as the probing functions, and skips locked rows instead of waiting. So no
    -- deadlock is possible. The statements after the locks see all payments that were committed before them.
    perform 1 from public.schedules c where c.endpoint_id = v_endpoint.id for update skip locked;
    continue when not found;
    select count(*) into v_leases from (
      select 1 from public.leases l where l.endpoint_id = v_endpoint.id for update skip locked
    ) locked;
    continue when v_leases <> (select count(*) from public.leases l where l.endpoint_id = v_endpoint.id);
    perform 1 from public.endpoint_states s where s.endpoint_id = v_endpoint.id for update skip locked;
    continue when not found;
    select * into v_endpoint from public.endpoints e
    where e.id = v_endpoint.id and e.provisional_until <= p_now for update skip locked;
    continue when not found;

    v_outcome := internal.adoption_outcome(v_endpoint, p_now);
    if v_outcome <> 'unpaid' then
      update public.endpoints e set provisional_until = case v_outcome when 'pending' then p_extend_until end
      where e.id = v_endpoint.id;
    else
      delete from public.endpoints e where e.id = v_endpoint.id;
      delete from public.observations o
      where o.endpoint_id = v_endpoint.id and o.at > v_endpoint.adopted_at - interval '1 day';
      delete from public.scoring_queue q where q.endpoint_id = v_endpoint.id;
      v_deleted := v_deleted || v_endpoint.id;
    end if;
  end loop;
  return v_deleted;
end;
$$;

-- Adds an unlisted endpoint to the catalog with its first observation. The endpoint is then listed, scheduled and
-- queued for scoring. The adoption is provisional until p_provisional_until, see expire_adoptions.
-- p_endpoint: { id, resource, host, slug, serviceName, description, intervalSeconds, offsetSeconds }. p_row has the
-- format of record_live_probe, and is stored only with the outcome `adopted`.
-- The outcome is `adopted`; `known` if the endpoint already exists, or if another endpoint has its id; `full` if
-- p_host_limit endpoints of its host were adopted in the last 24 hours.
create function public.adopt_endpoint(
  p_now timestamptz, p_endpoint jsonb, p_row jsonb, p_host_limit integer, p_provisional_until timestamptz
)
returns table (outcome text, missing text[])
language plpgsql
set search_path = ''
as $$
declare
  v_row internal.observation_row := jsonb_populate_record(null::internal.observation_row, p_row);
  v_host text := p_endpoint ->> 'host';
begin
  -- Serializes the adoptions of one host, so concurrent calls cannot exceed p_host_limit.
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('adopt ' || v_host, 0));
  missing := '{}';
  if exists (select 1 from public.endpoints e where e.id = v_row."endpointId") then
    outcome := 'known';
  elsif internal.count_adoptions(v_host, p_now) >= p_host_limit then
    outcome := 'full';
  else
    insert into public.endpoints (
      id, resource, probe_url, host, slug, templated, service_name, description, first_seen_at, adopted_at,
      provisional_until
    )
    select e.id, e.resource, e.resource, e.host, e.slug, false, e."serviceName", e.description, p_now, p_now,
      p_provisional_until
    from jsonb_to_record(p_endpoint) as e (
      id text, resource text, host text, slug text, "serviceName" text, description text
    )
    -- A directory may add the same endpoint at the same moment; the outcome is then `known`.
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
