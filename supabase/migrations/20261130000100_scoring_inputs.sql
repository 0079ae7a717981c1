-- Scoring inputs: histograms are added as vectors, and each endpoint's days are read once. The results are the same.

-- Returns the number of endpoints that `internal.find_wallet_sharers` returns for this endpoint. With one wallet, which
-- is the usual case, no endpoint is found twice, so the rows are counted without a comparison.
create function internal.count_wallet_sharers(p_endpoint_id text, p_limit integer)
returns integer
language plpgsql stable
set search_path = ''
as $$
begin
  if (select count(*) from public.endpoint_wallets w where w.endpoint_id = p_endpoint_id) <> 1 then
    return (select count(*) from internal.find_wallet_sharers(p_endpoint_id, p_limit));
  end if;
  return (
    select (
      select count(*) from (
        select 1 from public.endpoint_wallets b
        where b.network = w.network and b.pay_to = w.pay_to and b.host < w.host and b.challenged limit p_limit
      ) x
    ) + (
      select count(*) from (
        select 1 from public.endpoint_wallets a
        where a.network = w.network and a.pay_to = w.pay_to and a.host > w.host and a.challenged limit p_limit
      ) x
    )
    from public.endpoint_wallets w where w.endpoint_id = p_endpoint_id
  );
end;
$$;

-- Returns a histogram as an object from the number of a bucket, starting at 0, to its count; null if all are empty.
-- `set search_path` would take longer than the function itself, so it is left out.
create function internal.to_sparse_histogram(p_histogram extensions.vector)
returns jsonb
language sql immutable
as $$
  select jsonb_object_agg(u.i - 1, u.n::integer)
  from unnest(p_histogram::real[]) with ordinality as u (n, i) where u.n > 0;
$$;

-- Returns the scoring inputs of endpoints: the endpoint, its latest state, its sums and changes of the last 30 days,
-- and its observations of the last 24 hours. A change has its terms only if it is the latest of its kind. Rechecks and
-- self-inflicted failures are not part of the last 24 hours. A histogram is an object from the number of a bucket,
-- starting at 0, to its count; empty buckets are left out. Endpoints that do not exist any more are left out.
create or replace function public.scoring_inputs(p_now timestamptz, p_endpoint_ids text[])
returns table (
  endpoint_id text, endpoint jsonb, state jsonb, window_sums jsonb, last24h jsonb, changes jsonb, revision bigint
)
language sql stable
set search_path = ''
as $$
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
      'payToSharedWith', internal.count_wallet_sharers(p.endpoint_id, 1000)
    ),
    case when w.days > 0 then jsonb_build_object(
      'probes', w.probes, 'scored', w.scored, 'up', w.up, 'excluded', w.excluded, 'blocked', w.blocked,
      'redirected', w.redirected, 'free', w.free, 'pass', w.pass, 'warnings', w.warnings, 'errors', w.errors,
      'unpayable', w.unpayable, 'latencyN', w.latency_n, 'latencySumMs', w.latency_sum_ms,
      'slotsDue', w.slots_due, 'slotsProbed', w.slots_probed, 'dueSeconds', w.due_seconds,
      'latencyHistogram', internal.to_sparse_histogram(w.latency),
      'responseN', w.response_n, 'responseSumMs', w.response_sum_ms,
      'responseHistogram', internal.to_sparse_histogram(w.response),
      'causes', coalesce((
        select jsonb_object_agg(n.cause, n.n) from (
          select c.key as cause, sum(c.value::integer) as n
          from jsonb_array_elements(w.causes) d cross join lateral jsonb_each_text(d) c group by 1
        ) n
      ), '{}'), 'last7d', jsonb_build_object('scored', w.scored_7d, 'up', w.up_7d),
      'medianPriceUsd', w.median_price_usd::text,
      'lowestPriceUsd', w.lowest_price_usd::text, 'highestPriceUsd', w.highest_price_usd::text
    ) end,
    t.figures,
    coalesce(c.changes, '[]'),
    p.revision
  from public.endpoint_states p
  join public.endpoints e on e.id = p.endpoint_id
  -- Histograms are added as vectors, because PostgreSQL has no sum of arrays. The numbers of a vector have single
  -- precision, which is exact up to 2^24. The counts are far below.
  cross join lateral (
    select count(*) as days, sum(d.probes) as probes, sum(d.slots_due) as slots_due,
      sum(d.slots_probed) as slots_probed, sum(d.due_seconds) as due_seconds, sum(d.scored) as scored, sum(d.up) as up,
      sum(d.excluded) as excluded, sum(d.blocked) as blocked, sum(d.redirected) as redirected, sum(d.free) as free,
      sum(d.envelopes_pass) as pass, sum(d.envelopes_warnings) as warnings, sum(d.envelopes_errors) as errors,
      sum(d.envelopes_unpayable) as unpayable, sum(d.latency_n) as latency_n, sum(d.latency_sum_ms) as latency_sum_ms,
      sum(d.response_n) as response_n, sum(d.response_sum_ms) as response_sum_ms,
      extensions.sum(d.latency_histogram::extensions.vector) as latency,
      extensions.sum(d.response_histogram::extensions.vector) as response,
      jsonb_agg(d.causes) filter (where d.causes <> '{}') as causes,
      coalesce(sum(d.scored) filter (where d.day > (p_now at time zone 'UTC')::date - 7), 0) as scored_7d,
      coalesce(sum(d.up) filter (where d.day > (p_now at time zone 'UTC')::date - 7), 0) as up_7d,
      percentile_disc(0.5) within group (order by d.amount_usd) as median_price_usd,
      min(d.amount_usd) as lowest_price_usd, max(d.amount_usd) as highest_price_usd
    from public.daily_rollups d
    where d.endpoint_id = p.endpoint_id and d.day > (p_now at time zone 'UTC')::date - 30
  ) w
  cross join lateral (
    select jsonb_agg(jsonb_build_object(
      'kind', h.kind, 'at', h.at, 'before', case when h.is_latest then h.before end,
      'after', case when h.is_latest then h.after end
    ) order by h.at, h.kind) as changes
    from (
      select g.*, row_number() over (partition by g.kind order by g.at desc, g.id desc) = 1 as is_latest
      from public.changes g
      where g.endpoint_id = p.endpoint_id and g.at > p_now - interval '30 days'
        and g.kind in ('price_change', 'payto_change', 'asset_network_change')
    ) h
  ) c
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
  where p.endpoint_id = any (p_endpoint_ids)
  order by p.endpoint_id;
$$;

revoke execute on function
  internal.count_wallet_sharers(text, integer), internal.to_sparse_histogram(extensions.vector) from public;
grant execute on function
  internal.count_wallet_sharers(text, integer), internal.to_sparse_histogram(extensions.vector) to service_role;
