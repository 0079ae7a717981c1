-- Daily figures. Each adds up, so that the days of any two batches merge into the day of both, in either order.

create type internal.observation_row as (
  "endpointId" text, "slotAt" timestamptz, at timestamptz, outcome text, vitality smallint, excluded boolean,
  "httpStatus" smallint, method text, "latencyMs" real, "resolveMs" real, "connectMs" real, "tlsMs" real,
  "processingMs" real, "transferMs" real, bucket smallint, compliance text, "challengeHash" text,
  terms jsonb, "amountUsd" numeric, failure text,
  -- From the lease of the slot, not from the worker.
  confirms boolean, "dueSlots" integer, "dueSeconds" integer
);

create function internal.add_histograms(p_a integer[], p_b integer[])
returns integer[]
language sql immutable
set search_path = ''
as $$
  select array_agg(coalesce(u.a, 0) + coalesce(u.b, 0) order by u.i)
  from unnest(p_a, p_b) with ordinality as u (a, b, i);
$$;

-- Adds observations to the daily figures. What failed through our own fault is counted as such and in nothing else;
-- a confirming probe is no sample of the schedule.
create function internal.roll_up(p_rows internal.observation_row[])
returns void
language sql
set search_path = ''
as $$
  with given as (
    select r."endpointId" as endpoint_id, (r.at at time zone 'UTC')::date as day, r.*,
      not coalesce(r.confirms, false) as sampled,
      not coalesce(r.confirms, false) and not r.excluded as counts
    from unnest(p_rows) r
  ),
  counted as (
    select g.endpoint_id, g.day,
      count(*) filter (where g.sampled) as probes,
      count(*) filter (where not g.sampled) as confirmations,
      coalesce(sum(g."dueSlots"), 0) as slots_due,
      count(*) filter (where g.counts and g."dueSlots" > 0) as slots_probed,
      coalesce(sum(g."dueSeconds"), 0) as due_seconds,
      count(*) filter (where g.counts and g.vitality is not null) as scored,
      count(*) filter (where g.counts and g.vitality = 1) as up,
      count(*) filter (where g.sampled and g.excluded) as excluded,
      count(*) filter (where g.counts and g.outcome = 'blocked') as blocked,
      count(*) filter (where g.counts and g.outcome = 'redirected') as redirected,
      count(*) filter (where g.counts and g.outcome = 'free') as free,
      count(*) filter (where g.counts and g.compliance = 'pass') as pass,
      count(*) filter (where g.counts and g.compliance = 'warnings') as warnings,
      count(*) filter (where g.counts and g.compliance = 'errors') as errors,
      count(*) filter (where g.counts and g.compliance = 'unpayable') as unpayable,
      count(*) filter (where g.counts and g.bucket is not null) as latency_n,
      coalesce(sum(g."latencyMs"::double precision) filter (where g.counts and g.bucket is not null), 0) as latency_sum,
      (array_agg(g."amountUsd" order by g.at desc) filter (where g."amountUsd" is not null))[1] as amount_usd,
      max(g.at) filter (where g."amountUsd" is not null) as amount_at
    from given g group by 1, 2
  ),
  buckets as (
    select g.endpoint_id, g.day, g.bucket, count(*)::integer as n
    from given g where g.counts and g.bucket is not null group by 1, 2, 3
  ),
  histograms as (
    select d.endpoint_id, d.day, array_agg(coalesce(b.n, 0) order by g.bucket) as histogram
    from (select distinct endpoint_id, day from buckets) d
    cross join generate_series(0, 63) as g (bucket)
    left join buckets b on b.endpoint_id = d.endpoint_id and b.day = d.day and b.bucket = g.bucket
    group by 1, 2
  )
  insert into public.daily_rollups as d (
    endpoint_id, day, probes, confirmations, slots_due, slots_probed, due_seconds, scored, up, excluded, blocked,
    redirected, free, envelopes_pass, envelopes_warnings, envelopes_errors, envelopes_unpayable,
    latency_n, latency_sum_ms, latency_histogram, amount_usd, amount_at
  )
  select c.endpoint_id, c.day, c.probes, c.confirmations, c.slots_due, c.slots_probed, c.due_seconds, c.scored, c.up,
    c.excluded, c.blocked, c.redirected, c.free, c.pass, c.warnings, c.errors, c.unpayable,
    c.latency_n, c.latency_sum, h.histogram, c.amount_usd, c.amount_at
  from counted c left join histograms h on h.endpoint_id = c.endpoint_id and h.day = c.day
  order by c.endpoint_id, c.day
  on conflict (endpoint_id, day) do update set
    probes = d.probes + excluded.probes,
    confirmations = d.confirmations + excluded.confirmations,
    slots_due = d.slots_due + excluded.slots_due,
    slots_probed = d.slots_probed + excluded.slots_probed,
    due_seconds = d.due_seconds + excluded.due_seconds,
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
    amount_usd = case when d.amount_at > excluded.amount_at then d.amount_usd
      else coalesce(excluded.amount_usd, d.amount_usd) end,
    amount_at = greatest(d.amount_at, excluded.amount_at);
$$;
