-- Failures: the cause of each failed probe, in the latest state, in the daily rollups and in the history.

-- Column `failure` of an observation. Rows that were recorded before this migration have another format in this column:
-- phase and error code, separated by a space.
comment on column public.observations.failure is
  'Cause of a failed probe in kebab case, such as http-410 or timeout; null for a successful probe.';

-- `failing_since`: time of the first of the current consecutive observations that are not up. Self-inflicted failures
-- do not count, and a monitoring gap does not interrupt the sequence. Null if the latest observation was up.
-- `last_failure`: latest failed probe: { at, since, phase, httpStatus, error, detail }. It stays after a recovery.
-- `since` is the value of `failing_since` at that time. Both columns are at the end of the row, so an observation with
-- the endpoint up changes no further bytes.
alter table public.endpoint_states
  add column failing_since timestamptz,
  add column last_failure jsonb;

-- An endpoint that is already down has been failing at least since then. The cause stays unknown until the next probe.
update public.endpoint_states s set failing_since = s.down_since where s.down_since is not null;

-- `causes`: number of failed probes by cause; null without a failed probe. Rechecks and self-inflicted failures are not
-- counted. The number of different causes is small, because each is an HTTP status or one of about 20 names.
-- `response_…`: figures of the time to the last byte, in the format of the latency columns.
alter table public.daily_rollups
  add column causes jsonb,
  add column response_n integer not null default 0,
  add column response_sum_ms double precision not null default 0,
  add column response_histogram integer[] check (array_length(response_histogram, 1) = 64);

-- Failure of the probe: phase and sentence (the cause is in `failure`). The workers of the first release did not send
-- them. Without a phase, the value of `failure` is no cause, and is neither counted nor stored in the state.
-- `responseMs` and `responseBucket`: time to the last byte of the response, and its histogram bucket. Both are null
-- without a complete response.
alter type internal.observation_row
  add attribute "failurePhase" text,
  add attribute "failureDetail" text,
  add attribute "responseMs" real,
  add attribute "responseBucket" smallint;

-- `failing_since`: new value of the column in endpoint_states. `is_failure`: the observation is the latest failed
-- probe.
alter type internal.assessed_row
  add attribute "failurePhase" text,
  add attribute "failureDetail" text,
  add attribute "responseMs" real,
  add attribute "responseBucket" smallint,
  add attribute failing_since timestamptz,
  add attribute is_failure boolean;

-- Returns the histogram with one more value in a bucket. Buckets are numbered from 1. Returns it unchanged if the
-- number is null.
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

-- Returns the observations of a batch with their effect on the latest state: for each endpoint the observation at
-- position p_ordinal. Observations that are already stored are left out.
-- Late observations and self-inflicted failures do not change the number of misses. An observation with the endpoint up
-- resets this number; an observation that is neither up nor down leaves it unchanged. After a monitoring gap (more than
-- three slots and more than 90 minutes) the number starts again, because a miss before the gap and a miss after it do
-- not prove that the endpoint was down throughout.
create or replace function internal.assess_observations(p_rows internal.observation_row[], p_ordinal integer)
returns internal.assessed_row[]
language plpgsql
set search_path = ''
as $$
begin
  return array(
    select row(
      p."endpointId", p."slotAt", p.at, p.outcome, p.vitality, p.excluded, p."httpStatus", p.method, p."latencyMs",
      p."resolveMs", p."connectMs", p."tlsMs", p."processingMs", p."transferMs", p.bucket, p.compliance,
      p."challengeHash", p.terms, p."amountUsd", p.failure, p.is_recheck, p."dueSlots", p."dueSeconds", p.ordinal,
      w.is_latest, m.misses, m.down_since, v.liveness, w.is_latest and n.is_after_gap,
      w.is_latest_terms, w.is_latest_compliance,
      f.has_changed,
      f.has_changed or (w.is_latest and s.last_observed_at is null) or (w.is_latest_terms and s.terms_at is null)
        or (w.is_latest_compliance and s.compliance_at is null) or (s.liveness is null and v.liveness is not null),
      coalesce(
        w.is_latest and (
          s.last_observed_at - s.down_since >= interval '14 days' or p.at - m.down_since >= interval '14 days'
        ),
        false
      ),
      p."failurePhase", p."failureDetail", p."responseMs", p."responseBucket",
      case when not w.is_latest then s.failing_since when p.vitality = 1 then null
        else coalesce(s.failing_since, p.at) end,
      w.is_latest and p.vitality is distinct from 1 and p."failurePhase" is not null and p."failureDetail" is not null
    )::internal.assessed_row
    from unnest(p_rows) p
    join public.endpoint_states s on s.endpoint_id = p."endpointId"
    cross join lateral (
      select not p.excluded and (s.last_observed_at is null or p.at > s.last_observed_at) as is_latest,
        not p.excluded and p.terms is not null and (s.terms_at is null or p.at > s.terms_at) as is_latest_terms,
        not p.excluded and p.compliance is not null and (s.compliance_at is null or p.at > s.compliance_at)
          as is_latest_compliance
    ) w
    cross join lateral (
      select coalesce(
        p.at - s.last_observed_at > interval '90 minutes' and p.at - s.last_observed_at > coalesce(
          (select make_interval(secs => 3 * internal.cadence_seconds(c)) from public.schedules c
           where c.endpoint_id = s.endpoint_id), '0'
        ), false
      ) as is_after_gap
      -- `offset 0` prevents inlining of this subquery, so the schedule is read only once, and only after a long gap.
      offset 0
    ) n
    cross join lateral (
      select p.vitality is not distinct from 1 or n.is_after_gap as is_reset
    ) a
    cross join lateral (
      select
        case when not w.is_latest then s.misses
          else case when a.is_reset then 0 else s.misses end + (p.vitality is not distinct from 0)::integer
        end as misses,
        case when not w.is_latest then s.down_since
          else coalesce(case when not a.is_reset then s.down_since end, case when p.vitality = 0 then p.at end)
        end as down_since
    ) m
    cross join lateral (
      select case when not w.is_latest then null when p.vitality = 1 then 'up'
        when p.vitality = 0 and m.misses >= 2 then 'down' end as liveness
    ) v
    cross join lateral (
      select coalesce(w.is_latest_terms and s.terms <> p.terms, false)
        or coalesce(w.is_latest_compliance and s.compliance <> p.compliance, false)
        or coalesce(s.liveness <> v.liveness, false) as has_changed
    ) f
    where p.ordinal = p_ordinal
      -- No stored observation is newer than the last probe of its endpoint, so only late observations can be
      -- duplicates.
      and (s.last_probed_at is null or p.at > s.last_probed_at or not exists (
        select 1 from public.observations o where o.endpoint_id = p."endpointId" and o.at = p.at
      ))
  );
end;
$$;

-- Adds observations to the daily rollups. A call contains at most one observation per endpoint, and the caller holds
-- the locks of the `endpoint_states` rows. A self-inflicted failure counts as a probe and in `excluded`, but not as a
-- result. A recheck is counted only in `rechecks`. Both can set the last price of the day. A failed probe that is
-- counted is also counted by its cause.
create or replace function internal.roll_up(p_rows internal.assessed_row[])
returns void
language plpgsql
set search_path = ''
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

-- Updates the latest states and queues the endpoints for scoring. An endpoint that is already queued keeps its
-- position, but becomes urgent after an urgent change.
create or replace function internal.update_states(p_assessed internal.assessed_row[], p_now timestamptz)
returns void
language plpgsql
set search_path = ''
as $$
begin
  with updated as (
    update public.endpoint_states s set
      last_probed_at = greatest(s.last_probed_at, t.at),
      last_observed_at = case when t.is_latest then t.at else s.last_observed_at end,
      watched_since = case when t.is_after_gap and s.last_payable_at > s.last_observed_at - interval '24 hours'
        then t.at else s.watched_since end,
      last_counted_at = case when t.vitality is not null and not t.excluded
        then greatest(s.last_counted_at, t.at) else s.last_counted_at end,
      last_challenged_at = case when t.outcome = 'challenged' and not t.excluded
        then greatest(s.last_challenged_at, t.at) else s.last_challenged_at end,
      last_payable_at = case when t.compliance in ('pass', 'warnings', 'errors') and not t.excluded
        then greatest(s.last_payable_at, t.at) else s.last_payable_at end,
      last_free_at = case when t.outcome = 'free' and not t.excluded
        then greatest(s.last_free_at, t.at) else s.last_free_at end,
      terms_at = case when t.is_latest_terms then t.at else s.terms_at end,
      compliance_at = case when t.is_latest_compliance then t.at else s.compliance_at end,
      down_since = t.down_since,
      misses = t.misses,
      revision = s.revision + 1,
      last_outcome = case when s.last_probed_at > t.at then s.last_outcome else t.outcome end,
      method = coalesce(case when t.outcome = 'challenged' and not t.excluded then t.method end, s.method, t.method),
      liveness = coalesce(t.liveness, s.liveness),
      compliance = case when t.is_latest_compliance then t.compliance else s.compliance end,
      challenge_hash = case when t.is_latest_terms or t.is_latest_compliance
        then t."challengeHash" else s.challenge_hash end,
      terms = case when t.is_latest_terms then t.terms else s.terms end,
      failing_since = t.failing_since,
      last_failure = case when t.is_failure then jsonb_build_object(
        'at', t.at, 'since', t.failing_since, 'phase', t."failurePhase", 'httpStatus', t."httpStatus",
        'error', t.failure, 'detail', t."failureDetail"
      ) else s.last_failure end
    from unnest(p_assessed) t where s.endpoint_id = t."endpointId"
    returning s.endpoint_id, t.urgent
  ),
  urgent_rows as (
    insert into public.scoring_queue as q (endpoint_id, due_at, urgent)
    select u.endpoint_id, p_now, true from updated u where u.urgent
    on conflict (endpoint_id) do update set urgent = true where not q.urgent
  )
  -- Rows that are not urgent have their own insert with `do nothing`, because `do update` locks an existing row even if
  -- it changes nothing.
  insert into public.scoring_queue (endpoint_id, due_at)
  select u.endpoint_id, p_now from updated u where not u.urgent
  on conflict do nothing;
end;
$$;

-- Records a batch of observations in one transaction and deletes the leases of their slots. p_rows: objects with the
-- columns of `given`. A row with a slot is recorded only if p_owner holds the lease of that slot, so no slot is counted
-- twice. A row that is more than five minutes later than p_now is dropped, because all earlier observations that arrive
-- after it would count as late. Smaller differences are accepted, because clock corrections can cause them.
-- The rows contain only hashes of challenges. Nearly all challenges are stored already, and their text would be most of
-- the payload. The caller sends the `missing` challenges to store_challenges.
create or replace function public.record_observations(p_owner text, p_now timestamptz, p_rows jsonb)
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
      terms jsonb, "amountUsd" numeric, failure text, "failurePhase" text, "failureDetail" text, "responseMs" real,
      "responseBucket" smallint
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

-- Records the live probe of a report if its result differs from the last observation. It is stored as a recheck: it
-- updates the state of the endpoint but is not counted in statistics. So nobody can influence uptime by buying reports
-- at selected times. A live probe that is not newer than the last observation is not recorded. p_row: the columns of an
-- observation, without a slot.
create or replace function public.record_live_probe(p_now timestamptz, p_row jsonb)
returns table (recorded boolean, changed integer, missing text[])
language plpgsql
set search_path = ''
as $$
declare
  v_row internal.observation_row := jsonb_populate_record(null::internal.observation_row, p_row);
  v_last_at timestamptz;
  v_last public.observations;
begin
  recorded := false;
  changed := 0;
  missing := '{}';
  select s.last_probed_at into v_last_at from public.endpoint_states s
  where s.endpoint_id = v_row."endpointId" for update;
  if not found or v_row.at <= v_last_at then
    return next;
    return;
  end if;

  select o.* into v_last from public.observations o where o.endpoint_id = v_row."endpointId" and o.at = v_last_at;
  if not found or (v_last.vitality, v_last.compliance, v_last.challenge_hash, v_last.failure)
    is distinct from (v_row.vitality, v_row.compliance, v_row."challengeHash", v_row.failure)
  then
    v_row.ordinal := 1;
    v_row.is_recheck := true;
    -- Scheduled probes have times in whole milliseconds. The extra microsecond keeps the key of a live probe different.
    v_row.at := v_row.at + interval '1 microsecond';
    recorded := true;
    select r.changed, r.missing into changed, missing from internal.record_unscheduled(v_row, p_now) r;
  end if;
  return next;
end;
$$;
