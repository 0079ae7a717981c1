-- Recording what was observed: one call a batch, all of it in one transaction.

-- Records a batch in one transaction: raw rows, daily figures, changes, latest state, and gives the leases back.
-- A row with a slot counts only while p_owner holds that slot's lease, so a slot is never counted twice.
-- p_rows: [internal.observation_row]; p_challenges: [{ hash, version, challenge }].
create function public.record_observations(p_owner text, p_now timestamptz, p_rows jsonb, p_challenges jsonb)
returns table (recorded integer, dropped integer, changed integer)
language plpgsql
set search_path = ''
as $$
declare
  v_rows internal.observation_row[];
  v_given integer := jsonb_array_length(p_rows);
  v_traced internal.traced_row[];
  v_changed integer;
begin
  with given as (
    select r::internal.observation_row as row
    from jsonb_populate_recordset(null::internal.observation_row, p_rows) r
  ),
  released as (
    delete from public.leases l using given g
    where l.owner = p_owner and l.endpoint_id = (g.row)."endpointId" and l.slot_at = (g.row)."slotAt"
    returning l.endpoint_id, l.slot_at, l.confirms, l.due_slots, l.due_seconds
  )
  select coalesce(array_agg(u.row order by (u.row)."endpointId", (u.row).at), '{}') into v_rows
  from (
    -- An endpoint has one observation at a time, however often it was sent.
    select distinct on ((g.row)."endpointId", (g.row).at)
      case when d.endpoint_id is null then g.row else jsonb_populate_record(g.row, jsonb_build_object(
        'confirms', d.confirms, 'dueSlots', d.due_slots, 'dueSeconds', d.due_seconds
      )) end as row
    from given g
    left join released d on d.endpoint_id = (g.row)."endpointId" and d.slot_at = (g.row)."slotAt"
    where d.endpoint_id is not null or (
      (g.row)."slotAt" is null and exists (select 1 from public.endpoints e where e.id = (g.row)."endpointId")
    )
  ) u;

  -- Whoever writes states locks them first, in this order, so that no two of them wait for each other.
  perform 1 from public.endpoint_states s
  where s.endpoint_id in (select r."endpointId" from unnest(v_rows) r)
  order by s.endpoint_id for update;

  perform public.maintain_observation_partitions(
    (min(r.at) at time zone 'UTC')::date, (max(r.at) at time zone 'UTC')::date
  ) from unnest(v_rows) r having count(*) > 0;

  insert into public.challenges as h (hash, first_seen_at, last_seen_at, version, challenge)
  select c.hash, p_now, p_now, c.version, c.challenge
  from jsonb_to_recordset(p_challenges) as c (hash text, version smallint, challenge jsonb)
  order by c.hash
  on conflict (hash) do update set last_seen_at = excluded.last_seen_at
  where h.last_seen_at < excluded.last_seen_at - interval '1 day';

  with inserted as (
    insert into public.observations (
      endpoint_id, at, outcome, vitality, excluded, confirms, http_status, method, latency_ms, resolve_ms, connect_ms,
      tls_ms, processing_ms, transfer_ms, compliance, challenge_hash, amount_usd, failure
    )
    select r."endpointId", r.at, r.outcome, r.vitality, r.excluded, coalesce(r.confirms, false), r."httpStatus",
      r.method, r."latencyMs",
      r."resolveMs", r."connectMs", r."tlsMs", r."processingMs", r."transferMs", r.compliance, r."challengeHash",
      r."amountUsd", r.failure
    from unnest(v_rows) r
    on conflict do nothing
    returning endpoint_id, at
  )
  -- Only what is new goes on: the same observation delivered twice is counted once.
  select coalesce(array_agg(r), '{}') into v_rows
  from unnest(v_rows) r join inserted i on i.endpoint_id = r."endpointId" and i.at = r.at;

  perform internal.roll_up(v_rows);
  v_traced := array(select t from internal.trace(v_rows) t);
  v_changed := internal.record_changes(v_rows, v_traced);
  perform internal.update_states(v_rows, v_traced);
  perform internal.confirm_misses(v_rows, p_now);
  perform internal.change_lanes(v_traced);

  return query select cardinality(v_rows), v_given - cardinality(v_rows), v_changed;
end;
$$;
