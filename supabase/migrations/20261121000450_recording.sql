-- Recording what was observed: one call a batch, all of it in one transaction.

create type internal.observation_row as (
  "endpointId" text, "slotAt" timestamptz, at timestamptz, outcome text, vitality smallint, excluded boolean,
  "httpStatus" smallint, method text, "latencyMs" real, "resolveMs" real, "connectMs" real, "tlsMs" real,
  "processingMs" real, "transferMs" real, bucket smallint, compliance text, "challengeHash" text,
  terms jsonb, "amountUsd" numeric, failure text
);

-- What differs between two sets of advertised terms, as kinds of change. Prices are compared per network and asset,
-- so are wallets, so that a new way to pay is neither a price change nor a takeover.
create function internal.terms_changes(p_before jsonb, p_after jsonb)
returns table (kind text)
language sql immutable
set search_path = ''
as $$
  select 'asset_network_change' where exists (
    (select k from jsonb_object_keys(p_before -> 'prices') k except select k from jsonb_object_keys(p_after -> 'prices') k)
    union all
    (select k from jsonb_object_keys(p_after -> 'prices') k except select k from jsonb_object_keys(p_before -> 'prices') k)
  )
  union all
  select 'price_change' where exists (
    select 1 from jsonb_each(p_before -> 'prices') b join jsonb_each(p_after -> 'prices') a on a.key = b.key
    where a.value <> b.value
  )
  union all
  select 'payto_change' where exists (
    select 1 from jsonb_each(p_before -> 'payTo') b join jsonb_each(p_after -> 'payTo') a on a.key = b.key
    where a.value <> b.value
  );
$$;

create function internal.add_histograms(p_a integer[], p_b integer[])
returns integer[]
language sql immutable
set search_path = ''
as $$
  select array_agg(coalesce(u.a, 0) + coalesce(u.b, 0) order by u.i)
  from unnest(p_a, p_b) with ordinality as u (a, b, i);
$$;

-- Adds observations to the daily figures.
create function internal.roll_up(p_rows internal.observation_row[])
returns void
language sql
set search_path = ''
as $$
  with counted as (
    select r."endpointId" as endpoint_id, (r.at at time zone 'UTC')::date as day,
      count(*) as probes,
      count(*) filter (where r.excluded) as excluded,
      count(*) filter (where not r.excluded and r.vitality is not null) as scored,
      count(*) filter (where not r.excluded and r.vitality = 1) as up,
      count(*) filter (where r.outcome = 'blocked') as blocked,
      count(*) filter (where r.outcome = 'redirected') as redirected,
      count(*) filter (where r.outcome = 'free') as free,
      count(*) filter (where r.compliance = 'pass') as pass,
      count(*) filter (where r.compliance = 'warnings') as warnings,
      count(*) filter (where r.compliance = 'errors') as errors,
      count(*) filter (where r.compliance = 'unpayable') as unpayable,
      count(*) filter (where r.bucket is not null) as latency_n,
      coalesce(sum(r."latencyMs") filter (where r.bucket is not null), 0) as latency_sum,
      (array_agg(r."amountUsd" order by r.at desc) filter (where r."amountUsd" is not null))[1] as amount_usd
    from unnest(p_rows) r group by 1, 2
  ),
  buckets as (
    select r."endpointId" as endpoint_id, (r.at at time zone 'UTC')::date as day, r.bucket, count(*)::integer as n
    from unnest(p_rows) r where r.bucket is not null group by 1, 2, 3
  ),
  histograms as (
    select d.endpoint_id, d.day, array_agg(coalesce(b.n, 0) order by g.bucket) as histogram
    from (select distinct endpoint_id, day from buckets) d
    cross join generate_series(0, 63) as g (bucket)
    left join buckets b on b.endpoint_id = d.endpoint_id and b.day = d.day and b.bucket = g.bucket
    group by 1, 2
  )
  insert into public.daily_rollups as d (
    endpoint_id, day, probes, scored, up, excluded, blocked, redirected, free,
    envelopes_pass, envelopes_warnings, envelopes_errors, envelopes_unpayable,
    latency_n, latency_sum_ms, latency_histogram, amount_usd
  )
  select c.endpoint_id, c.day, c.probes, c.scored, c.up, c.excluded, c.blocked, c.redirected, c.free,
    c.pass, c.warnings, c.errors, c.unpayable, c.latency_n, c.latency_sum, h.histogram, c.amount_usd
  from counted c left join histograms h on h.endpoint_id = c.endpoint_id and h.day = c.day
  on conflict (endpoint_id, day) do update set
    probes = d.probes + excluded.probes,
    scored = d.scored + excluded.scored,
    up = d.up + excluded.up,
    excluded = d.excluded + excluded.excluded,
    blocked = d.blocked + excluded.blocked,
    redirected = d.redirected + excluded.redirected,
    free = d.free + excluded.free,
    envelopes_pass = d.envelopes_pass + excluded.envelopes_pass,
    envelopes_warnings = d.envelopes_warnings + excluded.envelopes_warnings,
    envelopes_errors = d.envelopes_errors + excluded.envelopes_errors,
    envelopes_unpayable = d.envelopes_unpayable + excluded.envelopes_unpayable,
    latency_n = d.latency_n + excluded.latency_n,
    latency_sum_ms = d.latency_sum_ms + excluded.latency_sum_ms,
    latency_histogram = case
      when d.latency_histogram is null then excluded.latency_histogram
      when excluded.latency_histogram is null then d.latency_histogram
      else internal.add_histograms(d.latency_histogram, excluded.latency_histogram)
    end,
    amount_usd = coalesce(excluded.amount_usd, d.amount_usd);
$$;

-- Appends a change for every readable challenge whose terms differ from those before it.
create function internal.record_changes(p_rows internal.observation_row[])
returns integer
language sql
set search_path = ''
as $$
  with seen as (
    select r."endpointId" as endpoint_id, r.at, r.terms from unnest(p_rows) r where r.terms is not null
    union all
    select s.endpoint_id, s.terms_at, s.terms from public.endpoint_states s
    where s.terms is not null and s.endpoint_id in (select r."endpointId" from unnest(p_rows) r)
  ),
  pairs as (
    select endpoint_id, at, terms,
      lag(terms) over (partition by endpoint_id order by at) as before
    from seen
  ),
  recorded as (
    insert into public.changes (endpoint_id, at, kind, before, after)
    select p.endpoint_id, p.at, k.kind, p.before, p.terms
    from pairs p cross join lateral internal.terms_changes(p.before, p.terms) k
    where p.before is not null and p.terms <> p.before
      -- What arrives late is compared by nobody: its neighbours were compared with each other already.
      and p.at > coalesce(
        (select s.terms_at from public.endpoint_states s where s.endpoint_id = p.endpoint_id), '-infinity'
      )
    on conflict do nothing
    returning 1
  )
  select count(*)::integer from recorded;
$$;

-- Brings the latest state up to date. A run of downs keeps its beginning; what is neither up nor down leaves it.
create function internal.update_states(p_rows internal.observation_row[])
returns void
language sql
set search_path = ''
as $$
  with latest as (
    select distinct on (r."endpointId") r."endpointId" as endpoint_id, r.at, r.outcome, r.method
    from unnest(p_rows) r order by r."endpointId", r.at desc
  ),
  vital as (
    select r."endpointId" as endpoint_id,
      max(r.at) filter (where r.vitality = 1) as up_at,
      max(r.at) filter (where r.vitality = 0) as down_at,
      max(r.at) filter (where r.outcome = 'challenged') as challenged_at,
      max(r.at) filter (where r.compliance in ('pass', 'warnings', 'errors')) as payable_at,
      max(r.at) filter (where r.outcome = 'free') as free_at
    from unnest(p_rows) r where not r.excluded group by 1
  ),
  outage as (
    select v.endpoint_id, min(r.at) as began_at
    from vital v join unnest(p_rows) r on r."endpointId" = v.endpoint_id
    where not r.excluded and r.vitality = 0 and r.at > coalesce(v.up_at, '-infinity')
    group by 1
  ),
  told as (
    select distinct on (r."endpointId") r."endpointId" as endpoint_id, r.at, r.terms
    from unnest(p_rows) r where r.terms is not null order by r."endpointId", r.at desc
  ),
  challenged as (
    select distinct on (r."endpointId") r."endpointId" as endpoint_id, r.method
    from unnest(p_rows) r where r.outcome = 'challenged' order by r."endpointId", r.at desc
  )
  update public.endpoint_states s set
    last_probed_at = greatest(s.last_probed_at, l.at),
    last_counted_at = greatest(s.last_counted_at, v.up_at, v.down_at),
    last_outcome = case when s.last_probed_at is null or l.at >= s.last_probed_at then l.outcome else s.last_outcome end,
    method = coalesce(c.method, s.method, l.method),
    down_since = case
      when v.endpoint_id is null then s.down_since
      -- Older than what is known already: a slow answer that arrived late.
      when greatest(v.up_at, v.down_at) < s.last_probed_at then s.down_since
      when o.began_at is null then case when v.up_at is null then s.down_since end
      when v.up_at is null then coalesce(s.down_since, o.began_at)
      else o.began_at
    end,
    last_challenged_at = greatest(s.last_challenged_at, v.challenged_at),
    last_payable_at = greatest(s.last_payable_at, v.payable_at),
    last_free_at = greatest(s.last_free_at, v.free_at),
    terms = case when t.at > coalesce(s.terms_at, '-infinity') then t.terms else s.terms end,
    terms_at = greatest(s.terms_at, t.at),
    revision = s.revision + 1
  from latest l
  left join vital v on v.endpoint_id = l.endpoint_id
  left join outage o on o.endpoint_id = l.endpoint_id
  left join told t on t.endpoint_id = l.endpoint_id
  left join challenged c on c.endpoint_id = l.endpoint_id
  where s.endpoint_id = l.endpoint_id;
$$;

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
  v_changed integer;
begin
  with given as (
    select r::internal.observation_row as row
    from jsonb_populate_recordset(null::internal.observation_row, p_rows) r
  ),
  released as (
    delete from public.leases l using given g
    where l.owner = p_owner and l.endpoint_id = (g.row)."endpointId" and l.slot_at = (g.row)."slotAt"
    returning l.endpoint_id, l.slot_at
  )
  select coalesce(array_agg(u.row order by (u.row)."endpointId", (u.row).at), '{}') into v_rows
  from (
    -- An endpoint has one observation at a time, however often it was sent.
    select distinct on ((g.row)."endpointId", (g.row).at) g.row
  from given g
  where ((g.row)."slotAt" is null and exists (select 1 from public.endpoints e where e.id = (g.row)."endpointId"))
    or exists (
      select 1 from released d where d.endpoint_id = (g.row)."endpointId" and d.slot_at = (g.row)."slotAt"
    )
  ) u;

  -- Whoever writes states locks them first, in this order, so that no two of them wait for each other.
  perform 1 from public.endpoint_states s
  where s.endpoint_id in (select r."endpointId" from unnest(v_rows) r)
  order by s.endpoint_id for update;

  perform public.maintain_observation_partitions(
    (min(r.at) at time zone 'UTC')::date, (max(r.at) at time zone 'UTC')::date
  ) from unnest(v_rows) r having count(*) > 0;

  insert into public.challenges (hash, first_seen_at, version, challenge)
  select c.hash, p_now, c.version, c.challenge
  from jsonb_to_recordset(p_challenges) as c (hash text, version smallint, challenge jsonb)
  order by c.hash
  on conflict do nothing;

  with inserted as (
    insert into public.observations (
      endpoint_id, at, outcome, vitality, excluded, http_status, method, latency_ms, resolve_ms, connect_ms,
      tls_ms, processing_ms, transfer_ms, compliance, challenge_hash, amount_usd, failure
    )
    select r."endpointId", r.at, r.outcome, r.vitality, r.excluded, r."httpStatus", r.method, r."latencyMs",
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
  v_changed := internal.record_changes(v_rows);
  perform internal.update_states(v_rows);

  return query select cardinality(v_rows), v_given - cardinality(v_rows), v_changed;
end;
$$;
