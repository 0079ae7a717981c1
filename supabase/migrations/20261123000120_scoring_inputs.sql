-- Scoring inputs: causes of failures, response times, the last 24 hours and seven days, and the terms of changes.

-- Returns the source of an endpoint: `directory` if a directory lists it or listed it before, `adopted` if only a paid
-- report added it.
create function internal.listing_source(p_endpoint_id text)
returns text
language sql stable
set search_path = ''
as $$
  select case when exists (select 1 from public.listings l where l.endpoint_id = p_endpoint_id)
    then 'directory' else 'adopted' end;
$$;

-- The result has a new column, so the function must be dropped first.
drop function public.scoring_inputs(timestamptz, text[]);

-- Returns the scoring inputs of endpoints: the endpoint, its latest state, its sums and changes of the last 30 days,
-- and its observations of the last 24 hours. A change has its terms only if it is the latest of its kind. Rechecks and
-- self-inflicted failures are not part of the last 24 hours. A histogram is an object from the number of a bucket,
-- starting at 0, to its count; empty buckets are left out. Endpoints that do not exist any more are left out.
create function public.scoring_inputs(p_now timestamptz, p_endpoint_ids text[])
returns table (
  endpoint_id text, endpoint jsonb, state jsonb, window_sums jsonb, last24h jsonb, changes jsonb, revision bigint
)
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
  -- Both histograms of a day are read together. Most buckets are empty and are left out. This saves 40 % of the time of
  -- the whole query.
  buckets as (
    select d.endpoint_id, u.i, sum(u.n) as n, sum(u.r) as r
    from days d cross join lateral unnest(d.latency_histogram, d.response_histogram) with ordinality as u (n, r, i)
    where u.n > 0 or u.r > 0
    group by 1, 2
  ),
  histograms as (
    select b.endpoint_id, jsonb_object_agg(b.i - 1, b.n) filter (where b.n > 0) as latency,
      jsonb_object_agg(b.i - 1, b.r) filter (where b.r > 0) as response
    from buckets b group by 1
  ),
  causes as (
    select n.endpoint_id, jsonb_object_agg(n.cause, n.n) as causes from (
      select d.endpoint_id, c.key as cause, sum(c.value::integer) as n
      from days d cross join lateral jsonb_each_text(d.causes) c group by 1, 2
    ) n
    group by 1
  ),
  sums as (
    select d.endpoint_id, sum(d.probes) as probes, sum(d.slots_due) as slots_due, sum(d.slots_probed) as slots_probed,
      sum(d.due_seconds) as due_seconds, sum(d.scored) as scored, sum(d.up) as up,
      sum(d.excluded) as excluded, sum(d.blocked) as blocked, sum(d.redirected) as redirected, sum(d.free) as free,
      sum(d.envelopes_pass) as pass, sum(d.envelopes_warnings) as warnings, sum(d.envelopes_errors) as errors,
      sum(d.envelopes_unpayable) as unpayable, sum(d.latency_n) as latency_n, sum(d.latency_sum_ms) as latency_sum_ms,
      sum(d.response_n) as response_n, sum(d.response_sum_ms) as response_sum_ms,
      coalesce(sum(d.scored) filter (where d.day > (p_now at time zone 'UTC')::date - 7), 0) as scored_7d,
      coalesce(sum(d.up) filter (where d.day > (p_now at time zone 'UTC')::date - 7), 0) as up_7d,
      percentile_disc(0.5) within group (order by d.amount_usd) as median_price_usd,
      min(d.amount_usd) as lowest_price_usd, max(d.amount_usd) as highest_price_usd
    from days d group by 1
  ),
  recent_changes as (
    select c.endpoint_id, jsonb_agg(jsonb_build_object(
      'kind', c.kind, 'at', c.at, 'before', case when c.is_latest then c.before end,
      'after', case when c.is_latest then c.after end
    ) order by c.at, c.kind) as changes
    from (
      select h.*, row_number() over (partition by h.endpoint_id, h.kind order by h.at desc, h.id desc) = 1 as is_latest
      from public.changes h join picked p on p.endpoint_id = h.endpoint_id
      where h.at > p_now - interval '30 days'
        and h.kind in ('price_change', 'payto_change', 'asset_network_change')
    ) c
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
      ),
      'source', internal.listing_source(e.id)
    ),
    jsonb_build_object(
      'method', p.method, 'lastProbedAt', p.last_probed_at, 'lastCountedAt', p.last_counted_at,
      'downSince', p.down_since, 'failingSince', p.failing_since, 'lastFailure', p.last_failure,
      'watchedSince', p.watched_since,
      'lastChallengedAt', p.last_challenged_at, 'lastPayableAt', p.last_payable_at, 'lastFreeAt', p.last_free_at,
      'terms', p.terms, 'termsAt', p.terms_at, 'compliance', p.compliance, 'complianceAt', p.compliance_at,
      'challengeHash', p.challenge_hash,
      -- Reasons why the latest challenge cannot be paid. A challenge without payment options has no terms.
      'unpayableChallenge', (
        select jsonb_build_object(
          'version', c.challenge -> 'version', 'refusals', c.challenge -> 'refusals',
          'settlementFailures', c.challenge -> 'settlementFailures'
        )
        from public.challenges c where c.hash = p.challenge_hash and p.compliance = 'unpayable'
      ),
      'payToSharedWith', (select count(*) from internal.find_wallet_sharers(p.endpoint_id, 1000))
    ),
    case when w.endpoint_id is not null then jsonb_build_object(
      'probes', w.probes, 'scored', w.scored, 'up', w.up, 'excluded', w.excluded, 'blocked', w.blocked,
      'redirected', w.redirected, 'free', w.free, 'pass', w.pass, 'warnings', w.warnings, 'errors', w.errors,
      'unpayable', w.unpayable, 'latencyN', w.latency_n, 'latencySumMs', w.latency_sum_ms,
      'slotsDue', w.slots_due, 'slotsProbed', w.slots_probed, 'dueSeconds', w.due_seconds,
      'latencyHistogram', h.latency,
      'responseN', w.response_n, 'responseSumMs', w.response_sum_ms, 'responseHistogram', h.response,
      'causes', coalesce(k.causes, '{}'), 'last7d', jsonb_build_object('scored', w.scored_7d, 'up', w.up_7d),
      'medianPriceUsd', w.median_price_usd::text,
      'lowestPriceUsd', w.lowest_price_usd::text, 'highestPriceUsd', w.highest_price_usd::text
    ) end,
    t.figures,
    coalesce(c.changes, '[]'),
    p.revision
  from picked p
  join public.endpoints e on e.id = p.endpoint_id
  left join sums w on w.endpoint_id = p.endpoint_id
  left join histograms h on h.endpoint_id = p.endpoint_id
  left join causes k on k.endpoint_id = p.endpoint_id
  left join recent_changes c on c.endpoint_id = p.endpoint_id
  cross join lateral (
    select jsonb_build_object(
      'scored', count(*) filter (where o.vitality is not null), 'up', count(*) filter (where o.vitality = 1),
      'free', count(*) filter (where o.outcome = 'free'), 'pass', count(*) filter (where o.compliance = 'pass'),
      'warnings', count(*) filter (where o.compliance = 'warnings'),
      'errors', count(*) filter (where o.compliance = 'errors'),
      'unpayable', count(*) filter (where o.compliance = 'unpayable')
    ) as figures
    from public.observations o
    where o.endpoint_id = p.endpoint_id and o.at > p_now - interval '24 hours' and not o.is_recheck and not o.excluded
  ) t
  order by p.endpoint_id;
$$;
