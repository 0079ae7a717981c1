-- Observations after the clock of a worker was set back. See 20261128000140_clock_jumps.sql.

-- Returns true if an endpoint has an observation at a time. This function and the next one are in PL/pgSQL, so that
-- record_observations locks the table only if it calls them. Two workers that have locked it would wait for each other
-- when one of them creates a partition.
create function internal.is_recorded(p_endpoint_id text, p_at timestamptz)
returns boolean
language plpgsql stable
set search_path = ''
as $$
begin
  return exists (select 1 from public.observations o where o.endpoint_id = p_endpoint_id and o.at = p_at);
end;
$$;

-- Returns true if a slot of an endpoint has an observation that is not a recheck.
create function internal.has_observation(p_endpoint_id text, p_slot_at timestamptz)
returns boolean
language plpgsql stable
set search_path = ''
as $$
begin
  return exists (
    select 1 from public.observations o join public.schedules s on s.endpoint_id = o.endpoint_id
    where o.endpoint_id = p_endpoint_id and not o.is_recheck and o.at >= p_slot_at
      and o.at < p_slot_at + make_interval(secs => internal.cadence_seconds(s))
  );
end;
$$;

-- Records a batch of observations in one transaction and deletes the leases of their slots. p_rows: objects with the
-- columns of `given`. A row with a slot is recorded only if p_owner holds the lease of that slot, so no slot is counted
-- twice. A row that is more than five minutes later than p_now is dropped, because all earlier observations that arrive
-- after it would count as late. Smaller differences are accepted, because clock corrections can cause them.
-- After the clock was set back, slots are due that may have an observation. The second observation of such a slot is
-- stored as a recheck: it updates the state of the endpoint but is not counted in statistics. A row with the time of a
-- stored observation is dropped.
-- The rows contain only hashes of challenges. Nearly all challenges are stored already, and their text would be most of
-- the payload. The caller sends the `missing` challenges to store_challenges.
create or replace function public.record_observations(p_owner text, p_now timestamptz, p_rows jsonb)
returns table (recorded integer, dropped integer, changed integer, missing text[])
language plpgsql
set search_path = ''
as $$
declare
  v_rows internal.observation_row[];
  v_ahead_until timestamptz := coalesce((select max(c.ahead_until) from public.clocks c), '-infinity');
begin
  with given as (
    select r.* from jsonb_to_recordset(p_rows) as r (
      "endpointId" text, "slotAt" timestamptz, at timestamptz, outcome text, vitality smallint, excluded boolean,
      "httpStatus" smallint, method text, "latencyMs" real, "resolveMs" real, "connectMs" real, "tlsMs" real,
      "processingMs" real, "transferMs" real, bucket smallint, compliance text, "challengeHash" text,
      terms jsonb, "amountUsd" numeric, failure text, "failurePhase" text, "failureDetail" text, "responseMs" real,
      "responseBucket" smallint
    )
    where r.at <= p_now + interval '5 minutes'
      -- Only times up to `ahead_until` can have an observation.
      and case when r.at <= v_ahead_until then not internal.is_recorded(r."endpointId", r.at) else true end
  ),
  held as (
    delete from public.leases l using given g
    where l.owner = p_owner and l.endpoint_id = g."endpointId" and l.slot_at = g."slotAt"
    returning g.*, l.is_recheck, l.due_slots, l.due_seconds
  ),
  -- `is_repeated`: the slot has an observation from before the clock was set back.
  checked as (
    select h.*, case when not h.is_recheck and h."slotAt" <= v_ahead_until
      then internal.has_observation(h."endpointId", h."slotAt") else false end as is_repeated
    from held h
  ),
  numbered as (
    select c.*, row_number() over (partition by c."endpointId" order by c.at) as ordinal
    from (
      select h."endpointId", h."slotAt", h.at, h.outcome, h.vitality, h.excluded, h."httpStatus", h.method,
        h."latencyMs", h."resolveMs", h."connectMs", h."tlsMs", h."processingMs", h."transferMs", h.bucket,
        h.compliance, h."challengeHash", h.terms, h."amountUsd", h.failure, h."failurePhase", h."failureDetail",
        h."responseMs", h."responseBucket", h.is_recheck or h.is_repeated as is_recheck,
        case when not h.is_repeated then h.due_slots end as due_slots,
        case when not h.is_repeated then h.due_seconds end as due_seconds
      from checked h
      union all
      select g.*, false, null, null from given g where g."slotAt" is null
    ) c
  )
  select coalesce(array_agg(row(
    p."endpointId", p."slotAt", p.at, p.outcome, p.vitality, p.excluded, p."httpStatus", p.method, p."latencyMs",
    p."resolveMs", p."connectMs", p."tlsMs", p."processingMs", p."transferMs", p.bucket, p.compliance,
    p."challengeHash", p.terms, p."amountUsd", p.failure, p.is_recheck, p.due_slots, p.due_seconds, p.ordinal,
    p."failurePhase", p."failureDetail", p."responseMs", p."responseBucket"
  )::internal.observation_row order by p."endpointId", p.at), '{}')
  into v_rows from numbered p;

  select r.recorded, r.changed, r.missing into recorded, changed, missing
  from internal.record_observation_rows(v_rows, p_now) r;
  dropped := jsonb_array_length(p_rows) - recorded;
  return next;
end;
$$;

revoke execute on function internal.is_recorded(text, timestamptz) from public;
revoke execute on function internal.has_observation(text, timestamptz) from public;
grant execute on function internal.is_recorded(text, timestamptz) to service_role;
grant execute on function internal.has_observation(text, timestamptz) to service_role;
