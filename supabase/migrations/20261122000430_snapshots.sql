-- Snapshots: stored results of scoring, and statistics of all snapshots.

-- Stores the scores of the current day (UTC). Unchanged scores are not written. p_rows has the format of
-- save_snapshots.
create function internal.store_daily_scores(p_now timestamptz, p_rows jsonb)
returns void
language sql
set search_path = ''
as $$
  insert into public.daily_scores as d (endpoint_id, day, score, grade, recommendation, scoring_version)
  select s.endpoint_id, (p_now at time zone 'UTC')::date, s.score, s.grade, s.recommendation,
    r -> 'detail' ->> 'scoringVersion'
  from jsonb_array_elements(p_rows) r
  cross join lateral jsonb_to_record(r -> 'snapshot')
    as s (endpoint_id text, score real, grade text, recommendation text)
  order by s.endpoint_id
  on conflict (endpoint_id, day) do update set
    score = excluded.score, grade = excluded.grade, recommendation = excluded.recommendation,
    scoring_version = excluded.scoring_version
  where (d.score, d.grade, d.recommendation, d.scoring_version)
    is distinct from (excluded.score, excluded.grade, excluded.recommendation, excluded.scoring_version);
$$;

-- Stores snapshots with their inputs. Leaves a snapshot unchanged if another worker computed it later than p_now.
-- `content_changed` is true if the visible content of the snapshot has changed. p_rows: [{ snapshot: {…columns of
-- snapshots}, detail: { scoringVersion, inputs, facts }, revision }]; `revision` is the revision of the state that was
-- scored.
create function public.save_snapshots(p_now timestamptz, p_rows jsonb)
returns table (endpoint_id text, content_changed boolean)
language plpgsql
set search_path = ''
as $$
#variable_conflict use_column
begin
  -- Every transaction that writes `endpoint_states` first locks its rows in this order, which prevents deadlocks.
  perform 1 from public.endpoint_states s
  where s.endpoint_id in (select r -> 'snapshot' ->> 'endpoint_id' from jsonb_array_elements(p_rows) r)
  order by s.endpoint_id for update;

  if exists (
    select 1 from jsonb_array_elements(p_rows) r
    join public.snapshots s on s.endpoint_id = r -> 'snapshot' ->> 'endpoint_id' and s.computed_at > p_now
  ) then
    select coalesce(jsonb_agg(r), '[]') into p_rows from jsonb_array_elements(p_rows) r
    where not exists (
      select 1 from public.snapshots s
      where s.endpoint_id = r -> 'snapshot' ->> 'endpoint_id' and s.computed_at > p_now
    );
  end if;

  perform internal.store_daily_scores(p_now, p_rows);
  perform internal.store_endpoint_wallets(p_rows);

  return query
  with given as (
    select (jsonb_populate_record(null::public.snapshots, r -> 'snapshot')).*, r -> 'detail' as detail,
      (r ->> 'revision')::bigint as revision
    from jsonb_array_elements(p_rows) r
  ),
  before as (
    select s.endpoint_id, s.content_hash, s.content_changed_at
    from public.snapshots s join given g on g.endpoint_id = s.endpoint_id
  ),
  stored as (
    insert into public.snapshots as s (
      endpoint_id, public, slug, resource, host, method, service_name, description, templated, protocol_version,
      score, grade, recommendation, confidence, uptime_30d, latency_ms, latency_label, probes_30d,
      probed_per_day, due_per_day, mean_gap_seconds, amount_usd, price_stability, network, pay_on, first_seen,
      last_probed_at, listing_status, delisted_at, directories, computed_at, content_hash, content_changed_at,
      days_tracked, error_flags, warning_flags, better_alternatives
    )
    select g.endpoint_id, g.public, g.slug, g.resource, g.host, g.method, g.service_name, g.description, g.templated,
      g.protocol_version, g.score, g.grade, g.recommendation, g.confidence, g.uptime_30d, g.latency_ms,
      g.latency_label, g.probes_30d, g.probed_per_day, g.due_per_day, g.mean_gap_seconds, g.amount_usd,
      g.price_stability, g.network, g.pay_on, g.first_seen,
      g.last_probed_at, g.listing_status, g.delisted_at, coalesce(g.directories, '{}'), p_now, g.content_hash,
      case when b.content_hash = g.content_hash then b.content_changed_at else p_now end,
      g.days_tracked, g.error_flags, g.warning_flags, g.better_alternatives
    from given g left join before b on b.endpoint_id = g.endpoint_id
    on conflict (endpoint_id) do update set
      public = excluded.public, slug = excluded.slug, resource = excluded.resource, host = excluded.host,
      method = excluded.method, service_name = excluded.service_name, description = excluded.description,
      templated = excluded.templated, protocol_version = excluded.protocol_version, score = excluded.score,
      grade = excluded.grade, recommendation = excluded.recommendation, confidence = excluded.confidence,
      uptime_30d = excluded.uptime_30d, latency_ms = excluded.latency_ms, latency_label = excluded.latency_label,
      probes_30d = excluded.probes_30d,
      probed_per_day = excluded.probed_per_day, due_per_day = excluded.due_per_day,
      mean_gap_seconds = excluded.mean_gap_seconds, amount_usd = excluded.amount_usd,
      price_stability = excluded.price_stability, network = excluded.network, pay_on = excluded.pay_on,
      first_seen = excluded.first_seen, last_probed_at = excluded.last_probed_at,
      listing_status = excluded.listing_status, delisted_at = excluded.delisted_at,
      directories = excluded.directories, computed_at = excluded.computed_at, content_hash = excluded.content_hash,
      content_changed_at = excluded.content_changed_at, days_tracked = excluded.days_tracked,
      error_flags = excluded.error_flags, warning_flags = excluded.warning_flags,
      better_alternatives = excluded.better_alternatives
    returning s.endpoint_id
  ),
  details as (
    insert into public.snapshot_details as d (endpoint_id, scoring_version, inputs, facts)
    select g.endpoint_id, g.detail ->> 'scoringVersion', g.detail -> 'inputs', g.detail -> 'facts'
    from given g
    on conflict (endpoint_id) do update set
      scoring_version = excluded.scoring_version, inputs = excluded.inputs, facts = excluded.facts
  ),
  dequeued as (
    delete from public.scoring_queue q using given g, public.endpoint_states s
    where q.endpoint_id = g.endpoint_id and s.endpoint_id = g.endpoint_id and s.revision = g.revision
  ),
  -- Endpoints whose revision changed during the score computation are scored again at once.
  requeued as (
    update public.scoring_queue q set due_at = p_now from given g, public.endpoint_states s
    where q.endpoint_id = g.endpoint_id and s.endpoint_id = g.endpoint_id and s.revision <> g.revision
      and q.due_at > p_now
  )
  select g.endpoint_id, b.content_hash is distinct from g.content_hash
  from given g left join before b on b.endpoint_id = g.endpoint_id;
end;
$$;

-- Returns the statistics of all public snapshots. Runs with the rights of the caller, so row-level security applies.
create function public.ecosystem()
returns jsonb
language sql stable
set search_path = ''
as $$
  select jsonb_build_object(
    'endpoints', count(*),
    'listed', count(*) filter (where s.listing_status = 'listed'),
    'delisted', count(*) filter (where s.listing_status = 'delisted'),
    'providers', count(distinct s.host),
    'probes30d', coalesce(sum(s.probes_30d), 0),
    'grades', jsonb_build_object(
      'A', count(*) filter (where s.grade = 'A'), 'B', count(*) filter (where s.grade = 'B'),
      'C', count(*) filter (where s.grade = 'C'), 'D', count(*) filter (where s.grade = 'D'),
      'F', count(*) filter (where s.grade = 'F'), '?', count(*) filter (where s.grade = '?')
    ),
    'recommendations', jsonb_build_object(
      'proceed', count(*) filter (where s.recommendation = 'proceed'),
      'caution', count(*) filter (where s.recommendation = 'caution'),
      'parameterize', count(*) filter (where s.recommendation = 'parameterize'),
      'avoid', count(*) filter (where s.recommendation = 'avoid'),
      'unverified', count(*) filter (where s.recommendation = 'unverified'),
      'free', count(*) filter (where s.recommendation = 'free')
    ),
    'lastProbedAt', max(s.last_probed_at)
  )
  from public.snapshots s where s.public;
$$;
