-- Scoring: what waits for it, what the formula reads, in one set-based call, and the snapshots it makes.

-- Has up to p_limit endpoints scored again whose snapshot is p_max_age_seconds old, the oldest first. Returns how many
-- were added to those that wait.
create function public.queue_aged_snapshots(p_now timestamptz, p_max_age_seconds integer, p_limit integer)
returns integer
language sql
set search_path = ''
as $$
  with added as (
    insert into public.scoring_queue (endpoint_id, due_at)
    select n.endpoint_id, n.computed_at + make_interval(secs => p_max_age_seconds) from public.snapshots n
    where n.computed_at <= p_now - make_interval(secs => p_max_age_seconds)
      and not exists (select 1 from public.scoring_queue q where q.endpoint_id = n.endpoint_id)
    order by n.computed_at limit p_limit
    on conflict do nothing
    returning 1
  )
  select count(*)::integer from added;
$$;

-- Takes up to p_limit endpoints to be scored: those with something to be shown at once before those of which counters
-- moved, the longest waiting first. Nobody else takes them for p_hold_seconds, in which whoever took them saves their
-- snapshots or sets them back. more says that others may be left; what is left of deleted endpoints counts for that.
create function public.take_scores(p_now timestamptz, p_hold_seconds integer, p_limit integer)
returns table (endpoint_ids text[], more boolean)
language plpgsql
set search_path = ''
as $$
declare
  v_ids text[];
begin
  select coalesce(array_agg(w.endpoint_id), '{}') into v_ids from (
    select q.endpoint_id from public.scoring_queue q
    where q.due_at <= p_now order by q.urgent desc, q.due_at limit p_limit
    for update skip locked
  ) w;
  more := cardinality(v_ids) = p_limit;

  delete from public.scoring_queue q
  where q.endpoint_id = any (v_ids)
    and not exists (select 1 from public.endpoint_states s where s.endpoint_id = q.endpoint_id);
  with taken as (
    update public.scoring_queue q set due_at = p_now + make_interval(secs => p_hold_seconds)
    where q.endpoint_id = any (v_ids)
    returning q.endpoint_id
  )
  select coalesce(array_agg(t.endpoint_id), '{}') into endpoint_ids from taken t;
  return next;
end;
$$;

-- Leaves endpoints that could not be scored alone until p_until, so that they keep nobody else waiting. Returns how many.
create function public.set_back_scores(p_endpoint_ids text[], p_until timestamptz)
returns integer
language sql
set search_path = ''
as $$
  with set_back as (
    update public.scoring_queue q set due_at = p_until where q.endpoint_id = any (p_endpoint_ids) returning 1
  )
  select count(*)::integer from set_back;
$$;

-- What endpoints are scored from: what they are, their latest state, the sums of their last 30 days and what changed in
-- them. Those that were deleted meanwhile are left out.
create function public.scoring_inputs(p_now timestamptz, p_endpoint_ids text[])
returns table (endpoint_id text, endpoint jsonb, state jsonb, window_sums jsonb, changes jsonb, revision bigint)
language sql stable
set search_path = ''
as $$
  with picked as (
    select s.* from public.endpoint_states s where s.endpoint_id = any (p_endpoint_ids)
  ),
  days as (
    select r.* from public.daily_rollups r join picked p on p.endpoint_id = r.endpoint_id
    where r.day > ((p_now at time zone 'UTC')::date - 30)
  ),
  buckets as (
    select d.endpoint_id, u.i, sum(u.n) as n
    from days d cross join lateral unnest(d.latency_histogram) with ordinality as u (n, i)
    group by 1, 2
  ),
  histograms as (
    select b.endpoint_id, jsonb_agg(b.n order by b.i) as histogram from buckets b group by 1
  ),
  sums as (
    select d.endpoint_id, sum(d.probes) as probes, sum(d.slots_due) as slots_due, sum(d.slots_probed) as slots_probed,
      sum(d.due_seconds) as due_seconds, sum(d.scored) as scored, sum(d.up) as up,
      sum(d.excluded) as excluded, sum(d.blocked) as blocked, sum(d.redirected) as redirected, sum(d.free) as free,
      sum(d.envelopes_pass) as pass, sum(d.envelopes_warnings) as warnings, sum(d.envelopes_errors) as errors,
      sum(d.envelopes_unpayable) as unpayable, sum(d.latency_n) as latency_n, sum(d.latency_sum_ms) as latency_sum_ms,
      percentile_disc(0.5) within group (order by d.amount_usd) as median_price_usd,
      min(d.amount_usd) as lowest_price_usd, max(d.amount_usd) as highest_price_usd
    from days d group by 1
  ),
  happened as (
    select c.endpoint_id, jsonb_agg(jsonb_build_object('kind', c.kind, 'at', c.at) order by c.at, c.kind) as changes
    from public.changes c join picked p on p.endpoint_id = c.endpoint_id
    where c.at > p_now - interval '30 days'
      and c.kind in ('price_change', 'payto_change', 'asset_network_change')
    group by 1
  )
  select
    e.id,
    jsonb_build_object(
      'id', e.id, 'resource', e.resource, 'slug', e.slug, 'host', e.host, 'templated', e.templated,
      'serviceName', e.service_name, 'description', e.description, 'declaredMethod', e.declared_method,
      'listedOptions', e.listed_options, 'protocolVersion', e.protocol_version,
      'listingStatus', e.listing_status, 'firstSeenAt', e.first_seen_at, 'delistedAt', e.delisted_at,
      'removed', e.removed_at is not null,
      'directories', (
        select coalesce(jsonb_agg(l.directory order by l.directory), '[]') from public.listings l
        where l.endpoint_id = e.id and l.delisted_at is null
      )
    ),
    jsonb_build_object(
      'method', p.method, 'lastProbedAt', p.last_probed_at, 'lastCountedAt', p.last_counted_at,
      'downSince', p.down_since, 'watchedSince', p.watched_since,
      'lastChallengedAt', p.last_challenged_at, 'lastPayableAt', p.last_payable_at, 'lastFreeAt', p.last_free_at,
      'terms', p.terms, 'termsAt', p.terms_at, 'compliance', p.compliance, 'challengeHash', p.challenge_hash,
      'payToSharedWith', (select count(*) from internal.wallet_sharers(p.endpoint_id, 1000))
    ),
    case when w.endpoint_id is not null then jsonb_build_object(
      'probes', w.probes, 'scored', w.scored, 'up', w.up, 'excluded', w.excluded, 'blocked', w.blocked,
      'redirected', w.redirected, 'free', w.free, 'pass', w.pass, 'warnings', w.warnings, 'errors', w.errors,
      'unpayable', w.unpayable, 'latencyN', w.latency_n, 'latencySumMs', w.latency_sum_ms,
      'slotsDue', w.slots_due, 'slotsProbed', w.slots_probed, 'dueSeconds', w.due_seconds,
      'latencyHistogram', h.histogram, 'medianPriceUsd', w.median_price_usd::text,
      'lowestPriceUsd', w.lowest_price_usd::text, 'highestPriceUsd', w.highest_price_usd::text
    ) end,
    coalesce(c.changes, '[]'),
    p.revision
  from picked p
  join public.endpoints e on e.id = p.endpoint_id
  left join sums w on w.endpoint_id = p.endpoint_id
  left join histograms h on h.endpoint_id = p.endpoint_id
  left join happened c on c.endpoint_id = p.endpoint_id
  order by p.endpoint_id;
$$;

-- Stores snapshots and their reasons, and says for which endpoints the content a reader sees is new. What was scored
-- again by somebody else in the meantime (this caller was very slow) is left as it is.
-- p_rows: [{ snapshot: {…columns of snapshots}, detail: { scoringVersion, inputs, facts }, revision }].
create function public.save_snapshots(p_now timestamptz, p_rows jsonb)
returns table (endpoint_id text, content_changed boolean)
language plpgsql
set search_path = ''
as $$
#variable_conflict use_column
begin
  -- Whoever writes states locks them first, in this order, so that no two of them wait for each other.
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

  perform internal.keep_daily_scores(p_now, p_rows);
  perform internal.keep_wallets(p_rows);

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
      last_probed_at, listing_status, delisted_at, directories, computed_at, content_hash, content_changed_at, days_tracked,
      error_flags, warning_flags, better_alternatives
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
  marked as (
    delete from public.scoring_queue q using given g, public.endpoint_states s
    where q.endpoint_id = g.endpoint_id and s.endpoint_id = g.endpoint_id and s.revision = g.revision
  ),
  -- What was recorded while the score was computed is scored at once.
  again as (
    update public.scoring_queue q set due_at = p_now from given g, public.endpoint_states s
    where q.endpoint_id = g.endpoint_id and s.endpoint_id = g.endpoint_id and s.revision <> g.revision
      and q.due_at > p_now
  )
  select g.endpoint_id, b.content_hash is distinct from g.content_hash
  from given g left join before b on b.endpoint_id = g.endpoint_id;
end;
$$;

-- The ecosystem in numbers, over public snapshots only (it runs with the caller's rights).
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
