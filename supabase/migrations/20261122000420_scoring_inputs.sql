-- Scoring inputs: the data that the scoring formula reads, for many endpoints in one call.

-- Returns the scoring inputs of endpoints: the endpoint, its latest state, and its sums and changes of the last 30
-- days. Endpoints that do not exist any more are left out.
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
  recent_changes as (
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
      'payToSharedWith', (select count(*) from internal.find_wallet_sharers(p.endpoint_id, 1000))
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
  left join recent_changes c on c.endpoint_id = p.endpoint_id
  order by p.endpoint_id;
$$;
