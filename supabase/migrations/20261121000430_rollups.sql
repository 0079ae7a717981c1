-- Daily figures. Each adds up, so that the days of any two batches merge into the day of both, in either order.

-- What a worker sends of a probe, with what the lease of its slot says.
create type internal.observation_row as (
  "endpointId" text collate "C", "slotAt" timestamptz, at timestamptz, outcome text, vitality smallint,
  excluded boolean, "httpStatus" smallint, method text, "latencyMs" real, "resolveMs" real, "connectMs" real,
  "tlsMs" real, "processingMs" real, "transferMs" real, bucket smallint, compliance text, "challengeHash" text,
  terms jsonb, "amountUsd" numeric, failure text,
  -- From the lease: none for a probe outside the schedule.
  confirms boolean, "dueSlots" integer, "dueSeconds" integer,
  -- Which one of its endpoint it is in the batch, by time.
  place integer
);

-- The same with what it means for the latest state of its endpoint.
create type internal.traced_row as (
  "endpointId" text collate "C", "slotAt" timestamptz, at timestamptz, outcome text, vitality smallint,
  excluded boolean, "httpStatus" smallint, method text, "latencyMs" real, "resolveMs" real, "connectMs" real,
  "tlsMs" real, "processingMs" real, "transferMs" real, bucket smallint, compliance text, "challengeHash" text,
  terms jsonb, "amountUsd" numeric, failure text,
  confirms boolean, "dueSlots" integer, "dueSeconds" integer, place integer,
  -- Whether the endpoint was watched by it: neither late nor our own failure. Then also the misses in a row with it,
  -- since when, and whether that makes it up or down (null: as before).
  watched boolean, misses integer, down_since timestamptz, liveness text,
  -- Whether it is the first one after a time without watching.
  resumed boolean,
  -- Whether its terms and its verdict are the latest.
  told boolean, judged boolean,
  -- Whether terms, verdict or liveness are others than before; whether that, or that they are known for the first time,
  -- is to be shown at once; whether the endpoint was down for 14 days, or is.
  differs boolean, urgent boolean, long_down boolean
);

-- Adds observations to the daily figures, at most one an endpoint. What failed through our own fault is counted as such
-- and in nothing else; a confirming probe is no sample of the schedule. Whoever calls holds the states' locks.
create function internal.roll_up(p_rows internal.traced_row[])
returns void
language plpgsql
set search_path = ''
as $$
begin
  with given as (
    select r.*, (r.at at time zone 'UTC')::date as day, not r.confirms as sampled,
      not r.confirms and not r.excluded as counts,
      -- A histogram has 64 buckets, from 0; what names another one was not timed.
      case when not r.confirms and not r.excluded and r.bucket between 0 and 63 then r.bucket end as counted_bucket
    from unnest(p_rows) r
  ),
  figures as (
    select g."endpointId" as endpoint_id, g.day,
      g.sampled::integer as probes,
      g.confirms::integer as confirmations,
      coalesce(g."dueSlots", 0) as slots_due,
      (g.counts and coalesce(g."dueSlots" > 0, false))::integer as slots_probed,
      coalesce(g."dueSeconds", 0) as due_seconds,
      (g.counts and g.vitality is not null)::integer as scored,
      (g.counts and coalesce(g.vitality = 1, false))::integer as up,
      (g.sampled and g.excluded)::integer as excluded,
      (g.counts and g.outcome = 'blocked')::integer as blocked,
      (g.counts and g.outcome = 'redirected')::integer as redirected,
      (g.counts and g.outcome = 'free')::integer as free,
      (g.counts and coalesce(g.compliance = 'pass', false))::integer as pass,
      (g.counts and coalesce(g.compliance = 'warnings', false))::integer as warnings,
      (g.counts and coalesce(g.compliance = 'errors', false))::integer as errors,
      (g.counts and coalesce(g.compliance = 'unpayable', false))::integer as unpayable,
      (g.counted_bucket is not null)::integer as latency_n,
      case when g.counted_bucket is null then 0 else coalesce(g."latencyMs", 0) end::double precision as latency_sum,
      g.counted_bucket + 1 as place,
      g."amountUsd" as amount_usd, case when g."amountUsd" is not null then g.at end as amount_at
    from given g
  ),
  updated as (
    update public.daily_rollups d set
      probes = d.probes + f.probes,
      confirmations = d.confirmations + f.confirmations,
      slots_due = d.slots_due + f.slots_due,
      slots_probed = d.slots_probed + f.slots_probed,
      due_seconds = d.due_seconds + f.due_seconds,
      scored = d.scored + f.scored,
      up = d.up + f.up,
      excluded = d.excluded + f.excluded,
      blocked = d.blocked + f.blocked,
      redirected = d.redirected + f.redirected,
      free = d.free + f.free,
      envelopes_pass = d.envelopes_pass + f.pass,
      envelopes_warnings = d.envelopes_warnings + f.warnings,
      envelopes_errors = d.envelopes_errors + f.errors,
      envelopes_unpayable = d.envelopes_unpayable + f.unpayable,
      latency_n = d.latency_n + f.latency_n,
      latency_sum_ms = d.latency_sum_ms + f.latency_sum,
      latency_histogram = case
        when f.place is null then d.latency_histogram
        when d.latency_histogram is null then array_fill(0, array[f.place - 1]) || 1 || array_fill(0, array[64 - f.place])
        else d.latency_histogram[:f.place - 1] || (d.latency_histogram[f.place] + 1) || d.latency_histogram[f.place + 1:]
      end,
      amount_usd = case when d.amount_at > f.amount_at then d.amount_usd else coalesce(f.amount_usd, d.amount_usd) end,
      amount_at = greatest(d.amount_at, f.amount_at)
    from figures f where d.endpoint_id = f.endpoint_id and d.day = f.day
    returning d.endpoint_id
  )
  insert into public.daily_rollups (
    endpoint_id, day, probes, confirmations, slots_due, slots_probed, due_seconds, scored, up, excluded, blocked,
    redirected, free, envelopes_pass, envelopes_warnings, envelopes_errors, envelopes_unpayable,
    latency_n, latency_sum_ms, latency_histogram, amount_usd, amount_at
  )
  select f.endpoint_id, f.day, f.probes, f.confirmations, f.slots_due, f.slots_probed, f.due_seconds, f.scored, f.up,
    f.excluded, f.blocked, f.redirected, f.free, f.pass, f.warnings, f.errors, f.unpayable, f.latency_n, f.latency_sum,
    case when f.place is not null then array_fill(0, array[f.place - 1]) || 1 || array_fill(0, array[64 - f.place]) end,
    f.amount_usd, f.amount_at
  from figures f
  where not exists (select 1 from updated u where u.endpoint_id = f.endpoint_id);
end;
$$;
