-- Recording what was observed: one call a batch, all of it in one transaction.

-- Which challenges of a batch are not stored yet. The others are marked as seen, to a day, so most calls write nothing.
create function internal.see_challenges(p_rows internal.observation_row[], p_now timestamptz)
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

-- Stores challenges by their hash: [{ hash, version, challenge: its JSON as text }]. One that PostgreSQL cannot store (a
-- character, a number out of range) is left out, the others are kept: halves are tried until it stands alone. Halves of
-- what is in order: so all calls insert in one order, and no two of them wait for each other. Returns how many are new.
create function public.keep_challenges(p_now timestamptz, p_challenges jsonb)
returns integer
language plpgsql
set search_path = ''
as $$
declare
  v_half integer := jsonb_array_length(p_challenges) / 2;
  v_sorted jsonb;
  v_kept integer;
begin
  insert into public.challenges (hash, first_seen_at, last_seen_at, version, challenge)
  select c.hash, p_now, p_now, c.version, c.challenge::jsonb
  from jsonb_to_recordset(p_challenges) as c (hash text, version smallint, challenge text)
  order by c.hash
  on conflict (hash) do nothing;
  get diagnostics v_kept = row_count;
  return v_kept;
exception when data_exception then
  if v_half = 0 then return 0; end if;
  select jsonb_agg(c order by c ->> 'hash') into v_sorted from jsonb_array_elements(p_challenges) c;
  return public.keep_challenges(p_now, jsonb_path_query_array(v_sorted, format('$[0 to %s]', v_half - 1)::jsonpath))
    + public.keep_challenges(p_now, jsonb_path_query_array(v_sorted, format('$[%s to last]', v_half)::jsonpath));
end;
$$;

-- Stores raw observations.
create function internal.keep_observations(p_traced internal.traced_row[])
returns void
language plpgsql
set search_path = ''
as $$
begin
  insert into public.observations (
    endpoint_id, at, outcome, vitality, excluded, confirms, http_status, method, latency_ms, resolve_ms, connect_ms,
    tls_ms, processing_ms, transfer_ms, compliance, challenge_hash, amount_usd, failure
  )
  select t."endpointId", t.at, t.outcome, t.vitality, t.excluded, t.confirms, t."httpStatus", t.method, t."latencyMs",
    t."resolveMs", t."connectMs", t."tlsMs", t."processingMs", t."transferMs", t.compliance, t."challengeHash",
    t."amountUsd", t.failure
  from unnest(p_traced) t;
end;
$$;

-- Does everything that is to be done with observations, in one transaction: raw rows, daily figures, changes, latest
-- state, second looks. Of an endpoint that is there several times one observation is taken after the other, by their
-- places, as if each had come by itself. missing are the challenges that are not stored yet.
create function internal.record_rows(p_rows internal.observation_row[], p_now timestamptz)
returns table (recorded integer, changed integer, missing text[])
language plpgsql
set search_path = ''
as $$
declare
  v_traced internal.traced_row[];
  v_missed internal.slot[] := '{}';
  v_lanes text[] := '{}';
begin
  -- Whoever writes states locks them first, in this order, so that no two of them wait for each other.
  perform 1 from unnest(p_rows) r join public.endpoint_states s on s.endpoint_id = r."endpointId"
  where r.place = 1 order by s.endpoint_id for update of s;

  perform public.maintain_observation_partitions(d.day, d.day)
  from (select distinct (r.at at time zone 'UTC')::date as day from unnest(p_rows) r) d
  where to_regclass('internal.observations_' || to_char(d.day, 'YYYYMMDD')) is null;

  recorded := 0;
  changed := 0;
  for v_place in 1..(select coalesce(max(r.place), 0) from unnest(p_rows) r) loop
    v_traced := internal.trace(p_rows, v_place);
    perform internal.keep_observations(v_traced);
    perform internal.roll_up(v_traced);
    changed := changed + internal.record_changes(v_traced);
    perform internal.update_states(v_traced, p_now);
    recorded := recorded + cardinality(v_traced);
    v_missed := v_missed || array(
      select row(t."endpointId", t.at)::internal.slot from unnest(v_traced) t
      where t.watched and t.vitality = 0 and t.misses = 1 and not t.confirms and t."slotAt" is not null
        and t.at + interval '1 minute' > p_now
    );
    v_lanes := v_lanes || array(select t."endpointId" from unnest(v_traced) t where t.long_down);
  end loop;
  if cardinality(v_missed) > 0 then perform internal.confirm_misses(v_missed, p_now); end if;
  if cardinality(v_lanes) > 0 then perform internal.change_lanes(v_lanes); end if;

  missing := internal.see_challenges(p_rows, p_now);
  return next;
end;
$$;

-- Records a batch in one transaction and gives its leases back.
-- A row with a slot counts only while p_owner holds that slot's lease, so a slot is never counted twice. A row from after
-- p_now (five minutes, for clocks that were set meanwhile) is not taken: everything until then would count as late.
-- p_rows: [the columns of given]. Challenges come by their hash alone, since nearly all of them are stored already and
-- they would be most of the batch; missing are those that are wanted by keep_challenges.
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
    returning g.*, l.confirms, l.due_slots, l.due_seconds
  ),
  placed as (
    select c.*, row_number() over (partition by c."endpointId" order by c.at) as place
    from (
      select h.* from held h
      union all
      select g.*, false, null, null from given g where g."slotAt" is null
    ) c
  )
  select coalesce(array_agg(row(p.*)::internal.observation_row order by p."endpointId", p.at), '{}')
  into v_rows from placed p;

  select r.recorded, r.changed, r.missing into recorded, changed, missing
  from internal.record_rows(v_rows, p_now) r;
  dropped := jsonb_array_length(p_rows) - recorded;
  return next;
end;
$$;
