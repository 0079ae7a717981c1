-- Daily rollups. The figures are sums, so two batches can be added in either order.

-- Row for one probe: values that the worker sends, followed by values from the lease of the probe slot.
create type internal.observation_row as (
  "endpointId" text collate "C", "slotAt" timestamptz, at timestamptz, outcome text, vitality smallint,
  excluded boolean, "httpStatus" smallint, method text, "latencyMs" real, "resolveMs" real, "connectMs" real,
  "tlsMs" real, "processingMs" real, "transferMs" real, bucket smallint, compliance text, "challengeHash" text,
  terms jsonb, "amountUsd" numeric, failure text,
  -- Values from the lease. `dueSlots` and `dueSeconds` are null for a probe outside the schedule.
  is_recheck boolean, "dueSlots" integer, "dueSeconds" integer,
  -- Position of this row among the rows of the same endpoint in the batch, ordered by time. The first position is 1.
  ordinal integer
);

-- Columns of observation_row, followed by the effect of the observation on the latest state of its endpoint.
create type internal.assessed_row as (
  "endpointId" text collate "C", "slotAt" timestamptz, at timestamptz, outcome text, vitality smallint,
  excluded boolean, "httpStatus" smallint, method text, "latencyMs" real, "resolveMs" real, "connectMs" real,
  "tlsMs" real, "processingMs" real, "transferMs" real, bucket smallint, compliance text, "challengeHash" text,
  terms jsonb, "amountUsd" numeric, failure text,
  is_recheck boolean, "dueSlots" integer, "dueSeconds" integer, ordinal integer,
  -- `is_latest`: the observation is the newest of its endpoint and not a self-inflicted failure. `misses`: number of
  -- consecutive misses including this observation. `down_since`: time of the first of these misses. `liveness`: new
  -- liveness; null if it does not change. An observation that is not the latest changes none of these three values.
  is_latest boolean, misses integer, down_since timestamptz, liveness text,
  -- True for the first observation after a monitoring gap.
  is_after_gap boolean,
  -- `is_latest_terms`: the payment terms in this observation are the newest known. `is_latest_compliance`: the
  -- compliance verdict of this observation is the newest known.
  is_latest_terms boolean, is_latest_compliance boolean,
  -- `has_changed`: payment terms, compliance verdict or liveness differ from the previous state. `urgent`: something
  -- has changed, or one of these values or the whole state is known for the first time. `is_long_down`: the downtime of
  -- the endpoint had reached 14 days before this observation, or reaches 14 days with it.
  has_changed boolean, urgent boolean, is_long_down boolean
);

-- Adds observations to the daily rollups. A call contains at most one observation per endpoint, and the caller holds
-- the locks of the `endpoint_states` rows. A self-inflicted failure counts as a probe and in `excluded`, but not as a
-- result. A recheck is counted only in `rechecks`. Both can set the last price of the day.
create function internal.roll_up(p_rows internal.assessed_row[])
returns void
language plpgsql
set search_path = ''
as $$
begin
  with given as (
    select r.*, (r.at at time zone 'UTC')::date as day, not r.is_recheck as is_scheduled,
      not r.is_recheck and not r.excluded as is_counted,
      -- Only buckets 0 to 63 exist. Any other bucket means that the observation has no latency.
      case when not r.is_recheck and not r.excluded and r.bucket between 0 and 63 then r.bucket end as counted_bucket
    from unnest(p_rows) r
  ),
  figures as (
    select g."endpointId" as endpoint_id, g.day,
      g.is_scheduled::integer as probes,
      g.is_recheck::integer as rechecks,
      coalesce(g."dueSlots", 0) as slots_due,
      (g.is_counted and coalesce(g."dueSlots" > 0, false))::integer as slots_probed,
      coalesce(g."dueSeconds", 0) as due_seconds,
      (g.is_counted and g.vitality is not null)::integer as scored,
      (g.is_counted and coalesce(g.vitality = 1, false))::integer as up,
      (g.is_scheduled and g.excluded)::integer as excluded,
      (g.is_counted and g.outcome = 'blocked')::integer as blocked,
      (g.is_counted and g.outcome = 'redirected')::integer as redirected,
      (g.is_counted and g.outcome = 'free')::integer as free,
      (g.is_counted and coalesce(g.compliance = 'pass', false))::integer as pass,
      (g.is_counted and coalesce(g.compliance = 'warnings', false))::integer as warnings,
      (g.is_counted and coalesce(g.compliance = 'errors', false))::integer as errors,
      (g.is_counted and coalesce(g.compliance = 'unpayable', false))::integer as unpayable,
      (g.counted_bucket is not null)::integer as latency_n,
      case when g.counted_bucket is null then 0 else coalesce(g."latencyMs", 0) end::double precision as latency_sum,
      g.counted_bucket + 1 as bucket_number,
      g."amountUsd" as amount_usd, case when g."amountUsd" is not null then g.at end as amount_at
    from given g
  ),
  updated as (
    update public.daily_rollups d set
      probes = d.probes + f.probes,
      rechecks = d.rechecks + f.rechecks,
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
        when f.bucket_number is null then d.latency_histogram
        when d.latency_histogram is null then
          array_fill(0, array[f.bucket_number - 1]) || 1 || array_fill(0, array[64 - f.bucket_number])
        else d.latency_histogram[:f.bucket_number - 1] || (d.latency_histogram[f.bucket_number] + 1)
          || d.latency_histogram[f.bucket_number + 1:]
      end,
      amount_usd = case when d.amount_at > f.amount_at then d.amount_usd else coalesce(f.amount_usd, d.amount_usd) end,
      amount_at = greatest(d.amount_at, f.amount_at)
    from figures f where d.endpoint_id = f.endpoint_id and d.day = f.day
    returning d.endpoint_id
  )
  insert into public.daily_rollups (
    endpoint_id, day, probes, rechecks, slots_due, slots_probed, due_seconds, scored, up, excluded, blocked,
    redirected, free, envelopes_pass, envelopes_warnings, envelopes_errors, envelopes_unpayable,
    latency_n, latency_sum_ms, latency_histogram, amount_usd, amount_at
  )
  select f.endpoint_id, f.day, f.probes, f.rechecks, f.slots_due, f.slots_probed, f.due_seconds, f.scored, f.up,
    f.excluded, f.blocked, f.redirected, f.free, f.pass, f.warnings, f.errors, f.unpayable, f.latency_n, f.latency_sum,
    case when f.bucket_number is not null then
      array_fill(0, array[f.bucket_number - 1]) || 1 || array_fill(0, array[64 - f.bucket_number])
    end,
    f.amount_usd, f.amount_at
  from figures f
  where not exists (select 1 from updated u where u.endpoint_id = f.endpoint_id);
end;
$$;
