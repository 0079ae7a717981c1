-- Daily rollups. The figures are sums, so two batches can be added in either order.

-- Daily figures of each endpoint, from which scores are computed. Counts, times and histograms are sums, so days can be
-- merged in any order. Updates of the current day use the free space in each page (fillfactor). More free space would
-- waste storage, because most rows belong to past days.
create table public.daily_rollups (
  endpoint_id text collate "C" not null references public.endpoints (id) on delete cascade,
  day date not null,
  -- Number of scheduled probes. Rechecks are counted only in `rechecks`.
  probes integer not null default 0,
  rechecks integer not null default 0,
  -- Number of slots that came due. `slots_probed` is the number of due slots that were probed without a self-inflicted
  -- failure. `due_seconds` is the sum of the probe intervals of the due slots.
  slots_due integer not null default 0,
  slots_probed integer not null default 0,
  due_seconds integer not null default 0,
  scored integer not null default 0,
  up integer not null default 0,
  excluded integer not null default 0,
  blocked integer not null default 0,
  redirected integer not null default 0,
  free integer not null default 0,
  envelopes_pass integer not null default 0,
  envelopes_warnings integer not null default 0,
  envelopes_errors integer not null default 0,
  envelopes_unpayable integer not null default 0,
  latency_n integer not null default 0,
  latency_sum_ms double precision not null default 0,
  -- Latency histogram with 64 logarithmic buckets: 16 for each power of ten, starting at 1 ms. Two histograms are
  -- merged by adding their buckets.
  latency_histogram integer[] check (array_length(latency_histogram, 1) = 64),
  -- Last price that was advertised on this day. `amount_at` is the time of that price.
  amount_usd numeric,
  amount_at timestamptz,
  -- Number of failed probes by cause; null without a failed probe. Rechecks and self-inflicted failures are not
  -- counted. The number of different causes is small, because each is an HTTP status or one of about 20 names.
  causes jsonb,
  -- Figures of the time to the last byte, in the format of the latency columns.
  response_n integer not null default 0,
  response_sum_ms double precision not null default 0,
  response_histogram integer[] check (array_length(response_histogram, 1) = 64),
  primary key (endpoint_id, day)
) with (fillfactor = 80);

create index daily_rollups_day on public.daily_rollups (day);

-- Returns the histogram with one more value in the bucket p_number. Buckets are numbered from 1. Returns the histogram
-- unchanged if p_number is null.
create function internal.count_in_histogram(p_histogram integer[], p_number integer)
returns integer[]
language sql immutable
as $$
  select case
    when p_number is null then p_histogram
    when p_histogram is null then array_fill(0, array[p_number - 1]) || 1 || array_fill(0, array[64 - p_number])
    else p_histogram[:p_number - 1] || (p_histogram[p_number] + 1) || p_histogram[p_number + 1:]
  end;
$$;

-- Adds observations to the daily rollups. A call contains at most one observation per endpoint, and the caller holds
-- the locks of the `endpoint_states` rows. A self-inflicted failure counts as a probe and in `excluded`, but not as a
-- result. A recheck is counted only in `rechecks`. Both kinds of observation can set the last price of the day. If a
-- failed probe counts as a result, it is also counted by its cause.
create function internal.roll_up(p_rows internal.assessed_row[])
returns void
language plpgsql
as $$
begin
  with given as (
    select r.*, (r.at at time zone 'UTC')::date as day, not r.is_recheck as is_scheduled,
      not r.is_recheck and not r.excluded as is_counted,
      -- Only buckets 0 to 63 exist. Any other bucket means that the observation has no latency.
      case when not r.is_recheck and not r.excluded and r.bucket between 0 and 63 then r.bucket end as counted_bucket,
      case when not r.is_recheck and not r.excluded and r."responseBucket" between 0 and 63
        then r."responseBucket" end as counted_response_bucket
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
      (g.counted_response_bucket is not null)::integer as response_n,
      case when g.counted_response_bucket is null then 0 else coalesce(g."responseMs", 0) end::double precision
        as response_sum,
      g.counted_response_bucket + 1 as response_number,
      case when g.is_counted and g.vitality is distinct from 1 and g."failurePhase" is not null then g.failure end
        as cause,
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
      latency_histogram = internal.count_in_histogram(d.latency_histogram, f.bucket_number),
      response_n = d.response_n + f.response_n,
      response_sum_ms = d.response_sum_ms + f.response_sum,
      response_histogram = internal.count_in_histogram(d.response_histogram, f.response_number),
      causes = case when f.cause is null then d.causes
        else coalesce(d.causes, '{}') || jsonb_build_object(f.cause, coalesce((d.causes ->> f.cause)::integer, 0) + 1)
      end,
      amount_usd = case when d.amount_at > f.amount_at then d.amount_usd else coalesce(f.amount_usd, d.amount_usd) end,
      amount_at = greatest(d.amount_at, f.amount_at)
    from figures f where d.endpoint_id = f.endpoint_id and d.day = f.day
    returning d.endpoint_id
  )
  insert into public.daily_rollups (
    endpoint_id, day, probes, rechecks, slots_due, slots_probed, due_seconds, scored, up, excluded, blocked,
    redirected, free, envelopes_pass, envelopes_warnings, envelopes_errors, envelopes_unpayable,
    latency_n, latency_sum_ms, latency_histogram, response_n, response_sum_ms, response_histogram, causes, amount_usd,
    amount_at
  )
  select f.endpoint_id, f.day, f.probes, f.rechecks, f.slots_due, f.slots_probed, f.due_seconds, f.scored, f.up,
    f.excluded, f.blocked, f.redirected, f.free, f.pass, f.warnings, f.errors, f.unpayable, f.latency_n, f.latency_sum,
    internal.count_in_histogram(null, f.bucket_number), f.response_n, f.response_sum,
    internal.count_in_histogram(null, f.response_number),
    case when f.cause is not null then jsonb_build_object(f.cause, 1) end,
    f.amount_usd, f.amount_at
  from figures f
  where not exists (select 1 from updated u where u.endpoint_id = f.endpoint_id);
end;
$$;

-- Returns a histogram as an object: { bucket number: count }. Bucket numbers start at 0. Null if all buckets are empty.
create function internal.to_sparse_histogram(p_histogram extensions.vector)
returns jsonb
language sql immutable
as $$
  select jsonb_object_agg(u.i - 1, u.n::integer)
  from unnest(p_histogram::real[]) with ordinality as u (n, i) where u.n > 0;
$$;
