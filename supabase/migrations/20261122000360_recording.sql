-- Recording of observations: one call and one transaction for each batch.

-- Returns the hashes of challenges in the batch that are not stored yet. Updates `last_seen_at` of stored challenges at
-- most once a day, so most calls write nothing.
create function internal.find_missing_challenges(p_rows internal.observation_row[], p_now timestamptz)
returns text[]
language plpgsql
set search_path = ''
as $$
declare
  v_missing text[];
  v_stale text[];
begin
  select array_agg(h.hash) filter (where c.hash is null),
    array_agg(c.hash) filter (where c.last_seen_at < p_now - interval '1 day')
  into v_missing, v_stale
  from (select distinct r."challengeHash" as hash from unnest(p_rows) r where r."challengeHash" is not null) h
  left join public.challenges c on c.hash = h.hash;

  if v_stale is not null then
    perform 1 from public.challenges c where c.hash = any (v_stale) order by c.hash for update;
    update public.challenges c set last_seen_at = p_now where c.hash = any (v_stale) and c.last_seen_at < p_now;
  end if;
  return coalesce(v_missing, '{}');
end;
$$;

-- Stores challenges by their hash: [{ hash, version, challenge: JSON text }]. A challenge that PostgreSQL cannot store
-- (an invalid character, a number out of range) is skipped. To find it after an error, the function calls itself with
-- each half of the list. The rows are ordered by hash, so concurrent calls insert in the same order and do not
-- deadlock. Returns the number of new challenges.
create function public.store_challenges(p_now timestamptz, p_challenges jsonb)
returns integer
language plpgsql
set search_path = ''
as $$
declare
  v_half integer := jsonb_array_length(p_challenges) / 2;
  v_sorted jsonb;
  v_stored integer;
begin
  insert into public.challenges (hash, first_seen_at, last_seen_at, version, challenge)
  select c.hash, p_now, p_now, c.version, c.challenge::jsonb
  from jsonb_to_recordset(p_challenges) as c (hash text, version smallint, challenge text)
  order by c.hash
  on conflict (hash) do nothing;
  get diagnostics v_stored = row_count;
  return v_stored;
exception when data_exception then
  if v_half = 0 then return 0; end if;
  select jsonb_agg(c order by c ->> 'hash') into v_sorted from jsonb_array_elements(p_challenges) c;
  return public.store_challenges(p_now, jsonb_path_query_array(v_sorted, format('$[0 to %s]', v_half - 1)::jsonpath))
    + public.store_challenges(p_now, jsonb_path_query_array(v_sorted, format('$[%s to last]', v_half)::jsonpath));
end;
$$;

create function internal.store_observations(p_assessed internal.assessed_row[])
returns void
language plpgsql
set search_path = ''
as $$
begin
  insert into public.observations (
    endpoint_id, at, outcome, vitality, excluded, is_recheck, http_status, method, latency_ms, resolve_ms, connect_ms,
    tls_ms, processing_ms, transfer_ms, compliance, challenge_hash, amount_usd, failure
  )
  select t."endpointId", t.at, t.outcome, t.vitality, t.excluded, t.is_recheck, t."httpStatus", t.method, t."latencyMs",
    t."resolveMs", t."connectMs", t."tlsMs", t."processingMs", t."transferMs", t.compliance, t."challengeHash",
    t."amountUsd", t.failure
  from unnest(p_assessed) t;
end;
$$;

-- Records observations in one transaction: raw rows, daily rollups, changes, latest states and rechecks. Several
-- observations of one endpoint are processed in time order, as if each were a separate batch. `missing` contains the
-- hashes of challenges that are not stored yet.
create function internal.record_observation_rows(p_rows internal.observation_row[], p_now timestamptz)
returns table (recorded integer, changed integer, missing text[])
language plpgsql
set search_path = ''
as $$
declare
  v_assessed internal.assessed_row[];
  v_missed internal.slot[] := '{}';
  v_long_down text[] := '{}';
begin
  -- Every transaction that writes `endpoint_states` first locks its rows in this order, which prevents deadlocks.
  perform 1 from unnest(p_rows) r join public.endpoint_states s on s.endpoint_id = r."endpointId"
  where r.ordinal = 1 order by s.endpoint_id for update of s;

  perform public.maintain_observation_partitions(d.day, d.day)
  from (select distinct (r.at at time zone 'UTC')::date as day from unnest(p_rows) r) d
  where to_regclass('internal.observations_' || to_char(d.day, 'YYYYMMDD')) is null;

  recorded := 0;
  changed := 0;
  for v_ordinal in 1..(select coalesce(max(r.ordinal), 0) from unnest(p_rows) r) loop
    v_assessed := internal.assess_observations(p_rows, v_ordinal);
    perform internal.store_observations(v_assessed);
    perform internal.roll_up(v_assessed);
    changed := changed + internal.record_changes(v_assessed);
    perform internal.update_states(v_assessed, p_now);
    recorded := recorded + cardinality(v_assessed);
    v_missed := v_missed || array(
      select row(t."endpointId", t.at)::internal.slot from unnest(v_assessed) t
      where t.is_latest and t.vitality = 0 and t.misses = 1 and not t.is_recheck and t."slotAt" is not null
        and t.at + interval '1 minute' > p_now
    );
    v_long_down := v_long_down || array(select t."endpointId" from unnest(v_assessed) t where t.is_long_down);
  end loop;
  if cardinality(v_missed) > 0 then perform internal.schedule_rechecks(v_missed, p_now); end if;
  if cardinality(v_long_down) > 0 then perform internal.update_slow_schedules(v_long_down); end if;

  missing := internal.find_missing_challenges(p_rows, p_now);
  return next;
end;
$$;

-- Records a batch of observations in one transaction and deletes the leases of their slots. p_rows: objects with the
-- columns of `given`. A row with a slot is recorded only if p_owner holds the lease of that slot, so no slot is counted
-- twice. A row that is more than five minutes later than p_now is dropped, because all earlier observations that arrive
-- after it would count as late. Smaller differences are accepted, because clock corrections can cause them.
-- The rows contain only hashes of challenges. Nearly all challenges are stored already, and their text would be most of
-- the payload. The caller sends the `missing` challenges to store_challenges.
create function public.record_observations(p_owner text, p_now timestamptz, p_rows jsonb)
returns table (recorded integer, dropped integer, changed integer, missing text[])
language plpgsql
set search_path = ''
as $$
declare
  v_rows internal.observation_row[];
begin
  with given as (
    select r.* from jsonb_to_recordset(p_rows) as r (
      "endpointId" text, "slotAt" timestamptz, at timestamptz, outcome text, vitality smallint, excluded boolean,
      "httpStatus" smallint, method text, "latencyMs" real, "resolveMs" real, "connectMs" real, "tlsMs" real,
      "processingMs" real, "transferMs" real, bucket smallint, compliance text, "challengeHash" text,
      terms jsonb, "amountUsd" numeric, failure text
    )
    where r.at <= p_now + interval '5 minutes'
  ),
  held as (
    delete from public.leases l using given g
    where l.owner = p_owner and l.endpoint_id = g."endpointId" and l.slot_at = g."slotAt"
    returning g.*, l.is_recheck, l.due_slots, l.due_seconds
  ),
  numbered as (
    select c.*, row_number() over (partition by c."endpointId" order by c.at) as ordinal
    from (
      select h.* from held h
      union all
      select g.*, false, null, null from given g where g."slotAt" is null
    ) c
  )
  select coalesce(array_agg(row(p.*)::internal.observation_row order by p."endpointId", p.at), '{}')
  into v_rows from numbered p;

  select r.recorded, r.changed, r.missing into recorded, changed, missing
  from internal.record_observation_rows(v_rows, p_now) r;
  dropped := jsonb_array_length(p_rows) - recorded;
  return next;
end;
$$;
