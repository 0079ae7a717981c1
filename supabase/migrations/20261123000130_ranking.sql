-- Ranking: endpoints are ordered by the lower bound of the score range, so an endpoint that was not measured completely
-- does not rank above one that was. Endpoints that no directory has listed are not ranked.

-- `score_low` and `score_high`: bounds of the score range. `listing_source`: see internal.listing_source.
-- `failing_since` and `last_failure`: copied from endpoint_states, but with times in ISO 8601. `is_compliant`: the
-- latest challenge passed the compliance checks, also with warnings; null before the first challenge.
alter table public.snapshots
  add column score_low double precision check (score_low between 0 and 100),
  add column score_high double precision check (score_high between 0 and 100),
  add column listing_source text not null default 'directory' check (listing_source in ('directory', 'adopted')),
  add column failing_since timestamptz,
  add column last_failure jsonb,
  add column is_compliant boolean;

-- The range of a stored score is unknown until the endpoint is scored again.
update public.snapshots s set
  score_low = s.score, score_high = s.score, listing_source = internal.listing_source(s.endpoint_id),
  failing_since = (select t.failing_since from public.endpoint_states t where t.endpoint_id = s.endpoint_id);
alter table public.snapshots alter column score_low set not null, alter column score_high set not null;

-- The scoring job scores all endpoints again. The due time is the time of the last score, because migrations do not use
-- the clock of the database.
insert into public.scoring_queue (endpoint_id, due_at)
select s.endpoint_id, s.computed_at from public.snapshots s
on conflict do nothing;

drop index public.snapshots_graded;
drop index public.snapshots_ranking;
create index snapshots_graded on public.snapshots (score_low desc, score desc, endpoint_id)
  where public and listing_status = 'listed' and listing_source = 'directory' and grade <> '?' and confidence >= 0.3;
create index snapshots_ranking on public.snapshots (score_low desc, score desc, endpoint_id)
  where public and listing_status = 'listed' and listing_source = 'directory' and grade <> '?' and error_flags = 0
    and confidence >= 0.5;

-- Stores snapshots with their inputs. Leaves a snapshot unchanged if another worker computed it later than p_now.
-- `content_changed` is true if the visible content of the snapshot has changed. p_rows: [{ snapshot: {…columns of
-- snapshots}, detail: { scoringVersion, inputs, facts }, revision }]; `revision` is the revision of the state that was
-- scored. A snapshot without a score range or a source, as the scoring job of the first release sends it, has the range
-- of its score and the source `directory`.
create or replace function public.save_snapshots(p_now timestamptz, p_rows jsonb)
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
      score, score_low, score_high, grade, recommendation, confidence, uptime_30d, latency_ms, latency_label,
      probes_30d, probed_per_day, due_per_day, mean_gap_seconds, amount_usd, price_stability, network, pay_on,
      first_seen, last_probed_at, listing_status, listing_source, delisted_at, directories, failing_since, last_failure,
      is_compliant, computed_at, content_hash, content_changed_at, days_tracked, error_flags, warning_flags,
      better_alternatives
    )
    select g.endpoint_id, g.public, g.slug, g.resource, g.host, g.method, g.service_name, g.description, g.templated,
      g.protocol_version, g.score, coalesce(g.score_low, g.score), coalesce(g.score_high, g.score), g.grade,
      g.recommendation, g.confidence, g.uptime_30d, g.latency_ms, g.latency_label, g.probes_30d, g.probed_per_day,
      g.due_per_day, g.mean_gap_seconds, g.amount_usd, g.price_stability, g.network, g.pay_on, g.first_seen,
      g.last_probed_at, g.listing_status, coalesce(g.listing_source, 'directory'), g.delisted_at,
      coalesce(g.directories, '{}'), g.failing_since, g.last_failure, g.is_compliant, p_now, g.content_hash,
      case when b.content_hash = g.content_hash then b.content_changed_at else p_now end,
      g.days_tracked, g.error_flags, g.warning_flags, g.better_alternatives
    from given g left join before b on b.endpoint_id = g.endpoint_id
    on conflict (endpoint_id) do update set
      public = excluded.public, slug = excluded.slug, resource = excluded.resource, host = excluded.host,
      method = excluded.method, service_name = excluded.service_name, description = excluded.description,
      templated = excluded.templated, protocol_version = excluded.protocol_version, score = excluded.score,
      score_low = excluded.score_low, score_high = excluded.score_high, grade = excluded.grade,
      recommendation = excluded.recommendation, confidence = excluded.confidence, uptime_30d = excluded.uptime_30d,
      latency_ms = excluded.latency_ms, latency_label = excluded.latency_label, probes_30d = excluded.probes_30d,
      probed_per_day = excluded.probed_per_day, due_per_day = excluded.due_per_day,
      mean_gap_seconds = excluded.mean_gap_seconds, amount_usd = excluded.amount_usd,
      price_stability = excluded.price_stability, network = excluded.network, pay_on = excluded.pay_on,
      first_seen = excluded.first_seen, last_probed_at = excluded.last_probed_at,
      listing_status = excluded.listing_status, listing_source = excluded.listing_source,
      delisted_at = excluded.delisted_at, directories = excluded.directories, failing_since = excluded.failing_since,
      last_failure = excluded.last_failure, is_compliant = excluded.is_compliant,
      computed_at = excluded.computed_at, content_hash = excluded.content_hash,
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

-- Returns the statistics of all public snapshots. `listed` counts the endpoints that a directory lists, `adopted` those
-- that no directory has listed. Runs with the rights of the caller, so row-level security applies.
create or replace function public.ecosystem()
returns jsonb
language sql stable
set search_path = ''
as $$
  select jsonb_build_object(
    'endpoints', count(*),
    'listed', count(*) filter (where s.listing_status = 'listed' and s.listing_source = 'directory'),
    'delisted', count(*) filter (where s.listing_status = 'delisted'),
    'adopted', count(*) filter (where s.listing_source = 'adopted'),
    'reachable', count(*) filter (where s.last_probed_at is not null and s.failing_since is null),
    'compliant', count(*) filter (where s.is_compliant),
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

-- The result of sample_ranks has a new column, so the function must be dropped first.
drop function public.sample_ranks();

-- Returns three sample endpoints with their ranks, starting at 1: the best, the median and the worst by the lower
-- bound of the score range. They are selected from the graded endpoints that a directory lists, with a confidence of at
-- least 0.3. If there are fewer than three such endpoints, as in the first days of a service, the confidence does not
-- matter and `is_confident` is false.
create function public.sample_ranks()
returns table (role text, endpoint_id text, rank integer, population integer, is_confident boolean)
language sql stable
set search_path = ''
as $$
  with confident as (
    select count(*)::integer as population from public.snapshots s
    where s.public and s.listing_status = 'listed' and s.listing_source = 'directory' and s.grade <> '?'
      and s.confidence >= 0.3
  ),
  -- This count has no index, so it runs only if fewer than three endpoints have enough confidence.
  counted as (
    select k.population, true as is_confident from confident k where k.population >= 3
    union all
    select a.population, false from confident k cross join lateral (
      select count(*)::integer as population from public.snapshots s
      where s.public and s.listing_status = 'listed' and s.listing_source = 'directory' and s.grade <> '?'
    ) a
    where k.population < 3
  ),
  ranks as (
    select w.role, w.rank, c.population, c.is_confident from counted c cross join lateral (
      values ('best', 1), ('median', (c.population + 1) / 2), ('worst', c.population)
    ) as w (role, rank)
    where c.population > 0
  )
  select w.role, r.endpoint_id, w.rank, w.population, w.is_confident
  from ranks w cross join lateral (
    (
      select s.endpoint_id from public.snapshots s
      where w.is_confident and s.public and s.listing_status = 'listed' and s.listing_source = 'directory'
        and s.grade <> '?' and s.confidence >= 0.3
      order by s.score_low desc, s.score desc, s.endpoint_id offset w.rank - 1 limit 1
    )
    union all
    (
      select s.endpoint_id from public.snapshots s
      where not w.is_confident and s.public and s.listing_status = 'listed' and s.listing_source = 'directory'
        and s.grade <> '?'
      order by s.score_low desc, s.score desc, s.endpoint_id offset w.rank - 1 limit 1
    )
  ) r
  order by w.rank;
$$;
