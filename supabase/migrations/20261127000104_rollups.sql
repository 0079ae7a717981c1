-- Days of observations: their daily rollups, and their packed observations.

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
  latency_histogram smallint[] check (array_length(latency_histogram, 1) = 64),
  -- Last price that was advertised on this day. `amount_at` is the time of that price.
  amount_usd numeric,
  amount_at timestamptz,
  -- Number of failed probes by cause; null without a failed probe. Rechecks and self-inflicted failures are not
  -- counted. The number of different causes is small, because each is an HTTP status or one of about 20 names.
  causes jsonb,
  -- Figures of the time to the last byte, in the format of the latency columns.
  response_n integer not null default 0,
  response_sum_ms double precision not null default 0,
  response_histogram smallint[] check (array_length(response_histogram, 1) = 64),
  primary key (endpoint_id, day)
) with (fillfactor = 80);

create index daily_rollups_day on public.daily_rollups (day);

-- Returns the histogram with one more value in the bucket p_number. Buckets are numbered from 1. Returns the histogram
-- unchanged if p_number is null.
create function internal.count_in_histogram(p_histogram smallint[], p_number integer)
returns smallint[]
language sql immutable
as $$
  select case
    when p_number is null then p_histogram
    when p_histogram is null
      then array_fill(0::smallint, array[p_number - 1]) || 1::smallint || array_fill(0::smallint, array[64 - p_number])
    else p_histogram[:p_number - 1] || (p_histogram[p_number] + 1::smallint) || p_histogram[p_number + 1:]
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

-- Observations of the days before yesterday. A row contains all observations of an endpoint and day with the same result,
-- so an endpoint that did not change has one row a day. The index begins with the day, because days are packed and
-- deleted in their order.
create table public.packed_observations (
  day date not null,
  endpoint_id text collate "C" not null,
  outcome text not null,
  vitality smallint,
  excluded boolean not null,
  is_recheck boolean not null,
  http_status smallint,
  compliance text,
  amount_usd numeric,
  failure text,
  -- Times of the observations in milliseconds since the beginning of the UTC day, and the response time of each.
  times_ms integer[] not null,
  response_ms real[] not null
);

create index packed_observations_day on public.packed_observations (day, endpoint_id);

-- Packs at most p_limit endpoints of the oldest day before p_before, and returns their number. Drops the partition of the
-- day and returns 0 when no endpoint is left. Returns null if no day before p_before has a partition.
-- Endpoints are packed in the order of their ids. After an interruption, the next call continues after the last packed
-- id of the day, so no observation is packed twice.
create function public.pack_observations(p_before date, p_limit integer)
returns integer
-- Runs as the owner of the function, because only the owner of a partition can drop it.
language plpgsql security definer
as $$
declare
  v_name text;
  v_day date;
  v_after text;
  v_packed integer;
begin
  -- Serializes workers. This lock also protects the creation of partitions.
  perform pg_advisory_xact_lock(hashtext('internal.observations'));
  select c.relname into v_name
  from pg_catalog.pg_inherits i join pg_catalog.pg_class c on c.oid = i.inhrelid
  -- Compares names instead of dates, because PostgreSQL may call to_date before the join, also for names of other
  -- relations.
  where i.inhparent = 'public.observations'::regclass
    and c.relname < ('observations_' || to_char(p_before, 'YYYYMMDD'))::name
  order by c.relname limit 1;
  if not found then return null; end if;

  v_day := to_date(right(v_name, 8), 'YYYYMMDD');
  select coalesce(max(p.endpoint_id), '') into v_after from public.packed_observations p where p.day = v_day;
  execute format('
    with packed as (
      insert into public.packed_observations
      select $1, o.endpoint_id, o.outcome, o.vitality, o.excluded, o.is_recheck, o.http_status, o.compliance,
        o.amount_usd, o.failure,
        array_agg((floor(extract(epoch from o.at) * 1000)::bigint %% 86400000)::integer), array_agg(o.response_ms)
      from internal.%1$I o
      where o.endpoint_id > $2 and o.endpoint_id <= (
        select max(n.endpoint_id) from (
          select distinct i.endpoint_id from internal.%1$I i where i.endpoint_id > $2 order by 1 limit $3
        ) n
      )
      group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
      returning endpoint_id
    )
    select count(distinct p.endpoint_id) from packed p', v_name
  ) into v_packed using v_day, v_after, p_limit;
  if v_packed = 0 then execute format('drop table internal.%I', v_name); end if;
  return v_packed;
end;
$$;

-- Returns the observations of an endpoint after p_after and until p_until, in any order. The times of packed observations
-- are rounded down to milliseconds.
create function internal.read_observations(p_endpoint_id text, p_after timestamptz, p_until timestamptz)
returns table (
  at timestamptz, outcome text, vitality smallint, excluded boolean, is_recheck boolean, http_status smallint,
  response_ms real, compliance text, amount_usd numeric, failure text
)
language sql stable
as $$
  with packed as (
    select p.*, p.day::timestamp at time zone 'UTC' as starts_at from public.packed_observations p
    where p.endpoint_id = p_endpoint_id and p.day = any (array(
      select d::date from generate_series(
        (p_after at time zone 'UTC')::date::timestamp, p_until at time zone 'UTC', interval '1 day'
      ) d
    ))
  )
  select u.at, p.outcome, p.vitality, p.excluded, p.is_recheck, p.http_status, u.response_ms, p.compliance,
    p.amount_usd, p.failure
  from packed p
  cross join lateral (
    select p.starts_at + t.ms * interval '1 millisecond' as at, t.response_ms
    from unnest(p.times_ms, p.response_ms) as t (ms, response_ms)
  ) u
  where u.at > p_after and u.at <= p_until
  union all
  select o.at, o.outcome, o.vitality, o.excluded, o.is_recheck, o.http_status, o.response_ms, o.compliance,
    o.amount_usd, o.failure
  from public.observations o
  where o.endpoint_id = p_endpoint_id and o.at > p_after and o.at <= p_until
    -- The partition of a day exists until all its endpoints are packed.
    and not exists (select from packed p where p.day = (o.at at time zone 'UTC')::date);
$$;
