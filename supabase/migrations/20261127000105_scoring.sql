-- Scoring: the queue of endpoints to score, the inputs of a score, and one score per endpoint and day.

-- Queue of endpoints to score: endpoints that changed after their last score, and endpoints with an old snapshot. Each
-- change raises the revision in `endpoint_states`. The same transaction adds the endpoint to this queue, while it holds
-- the lock of the state. A saved score removes the endpoint, unless the revision has changed since the score began.
-- The table has no foreign key: the state is already locked when a row is added, and the check of a foreign key would
-- cost more than the row. Instead, a claim deletes rows of deleted endpoints.
create table public.scoring_queue (
  endpoint_id text collate "C" primary key,
  -- Earliest time at which the endpoint can be claimed; the queue is ordered by it. A claim or a failure to score the
  -- endpoint moves this time into the future. A change that readers must see immediately moves it to the present: new
  -- payment terms, another compliance result, up or down, another listing.
  due_at timestamptz not null
);

create index scoring_queue_order on public.scoring_queue (due_at);

-- Last score of each endpoint on each day.
create table public.daily_scores (
  endpoint_id text collate "C" not null references public.endpoints (id) on delete cascade,
  day date not null,
  score real not null check (score between 0 and 100),
  grade text not null check (grade in ('A', 'B', 'C', 'D', 'F', '?')),
  recommendation text not null check (recommendation in (
    'proceed', 'caution', 'parameterize', 'avoid', 'unverified', 'free'
  )),
  primary key (endpoint_id, day)
);

create index daily_scores_day on public.daily_scores (day);

-- Wallets that each endpoint advertises. The key contains the host, so a search for endpoints of other hosts does not
-- read the rows of the same host, which can be thousands.
create table public.endpoint_wallets (
  network text not null,
  -- Address of the wallet; in lower case on networks with case-insensitive addresses.
  pay_to text not null,
  host text not null,
  endpoint_id text collate "C" not null references public.endpoints (id) on delete cascade,
  -- True if a directory lists the endpoint and its own challenge named the wallet. A wallet that only a directory names
  -- proves nothing, because anyone can submit directory data. Anyone can also let a paid report add an endpoint.
  challenged boolean not null,
  primary key (network, pay_to, host, endpoint_id)
);

create index endpoint_wallets_endpoint on public.endpoint_wallets (endpoint_id);

-- Claims up to p_limit endpoints for scoring, those that have waited longest first. For p_lease_seconds another call can
-- claim them only after an urgent change; in that time the caller saves their snapshots or postpones them. Rows of
-- deleted endpoints count toward p_limit and are deleted. `has_more` is true if more endpoints may be due.
create function public.claim_scores(p_now timestamptz, p_lease_seconds integer, p_limit integer)
returns table (endpoint_ids text[], has_more boolean)
language plpgsql
as $$
declare
  v_ids text[];
begin
  v_ids := array(
    select q.endpoint_id from public.scoring_queue q where q.due_at <= p_now order by q.due_at limit p_limit
    for update skip locked
  );
  has_more := cardinality(v_ids) = p_limit;

  endpoint_ids := array(select s.endpoint_id from public.endpoint_states s where s.endpoint_id = any (v_ids));
  delete from public.scoring_queue q
  where q.endpoint_id = any (v_ids)
    and not exists (select 1 from public.endpoint_states s where s.endpoint_id = q.endpoint_id);
  update public.scoring_queue q set due_at = p_now + make_interval(secs => p_lease_seconds)
  where q.endpoint_id = any (endpoint_ids);
  return next;
end;
$$;

-- Postpones endpoints that could not be scored until p_until, so that they do not block other endpoints. An endpoint whose
-- lease has ended, for example by an urgent change, keeps its time. Returns the number of postponed endpoints.
create function public.postpone_scores(p_endpoint_ids text[], p_now timestamptz, p_until timestamptz)
returns integer
language sql
as $$
  with postponed as (
    update public.scoring_queue q set due_at = p_until
    where q.endpoint_id = any (p_endpoint_ids) and q.due_at > p_now returning 1
  )
  select count(*)::integer from postponed;
$$;

-- Returns a wallet address in comparable form: in lower case on EVM networks, otherwise unchanged.
create function internal.normalize_wallet(p_network text, p_pay_to text)
returns text
language sql immutable
as $$
  select case when p_network like 'eip155:%' then lower(p_pay_to) else p_pay_to end;
$$;

-- Replaces the stored wallets of endpoints with the wallets that they advertise now. While the payTo varies, no wallets
-- are stored, because each new wallet causes a read of 30 days of its chain. The wallets of a delisted or adopted
-- endpoint are stored with `challenged` false: payments to them are read, but the wallets are not reported as shared
-- between endpoints. p_rows has the format of save_snapshots.
create function internal.store_endpoint_wallets(p_rows jsonb)
returns void
language sql
as $$
  with given as (
    select s.endpoint_id, s.host, s.pay_on,
      s.public and coalesce(
        (r -> 'detail' -> 'inputs' -> 'payToVariation' ->> 'lastChangedAt')::numeric
          <= (r -> 'detail' -> 'facts' ->> 'termsAt')::numeric - 86400000,
        true
      ) as public,
      s.listing_status = 'listed' and s.listing_source = 'directory'
        and coalesce((r -> 'detail' -> 'inputs' -> 'everChallenged')::boolean, false) as challenged
    from jsonb_array_elements(p_rows) r
    cross join lateral jsonb_to_record(r -> 'snapshot')
      as s (endpoint_id text, host text, public boolean, listing_status text, listing_source text, pay_on jsonb)
  ),
  advertised as (
    select distinct o.network, internal.normalize_wallet(o.network, o."payTo") as pay_to, g.host, g.endpoint_id,
      g.challenged
    from given g cross join lateral jsonb_to_recordset(g.pay_on) as o (network text, "payTo" text)
    -- Longer texts are not wallet addresses and would not fit into the index.
    where g.public and length(o."payTo") between 1 and 200 and length(o.network) <= 100
  ),
  removed as (
    delete from public.endpoint_wallets w using given g
    where w.endpoint_id = g.endpoint_id and not exists (
      select 1 from advertised n where (n.network, n.pay_to, n.host, n.endpoint_id)
        = (w.network, w.pay_to, w.host, w.endpoint_id)
    )
  )
  insert into public.endpoint_wallets as w (network, pay_to, host, endpoint_id, challenged)
  select n.network, n.pay_to, n.host, n.endpoint_id, n.challenged from advertised n
  order by n.network, n.pay_to, n.host, n.endpoint_id
  on conflict (network, pay_to, host, endpoint_id) do update set challenged = excluded.challenged
  where w.challenged <> excluded.challenged;
$$;

-- Returns the number of endpoints that `internal.find_wallet_sharers` returns for this endpoint. Most endpoints have
-- only one wallet. No endpoint is then found twice, so the rows are counted without a comparison.
create function internal.count_wallet_sharers(p_endpoint_id text, p_limit integer)
returns integer
language plpgsql stable
as $$
begin
  if (select count(*) from public.endpoint_wallets w where w.endpoint_id = p_endpoint_id) <> 1 then
    return (select count(*) from internal.find_wallet_sharers(p_endpoint_id, p_limit));
  end if;
  return (
    select count(*) from public.endpoint_wallets w cross join lateral (
      (
        select from public.endpoint_wallets b
        where b.network = w.network and b.pay_to = w.pay_to and b.host < w.host and b.challenged limit p_limit
      ) union all (
        select from public.endpoint_wallets a
        where a.network = w.network and a.pay_to = w.pay_to and a.host > w.host and a.challenged limit p_limit
      )
    ) o
    where w.endpoint_id = p_endpoint_id
  );
end;
$$;

-- Returns the number of other endpoints of the same host that a directory lists and whose challenge named a wallet of
-- this endpoint. At most p_limit endpoints are read for each wallet.
create function internal.count_wallet_siblings(p_endpoint_id text, p_limit integer)
returns integer
language sql stable
as $$
  select count(distinct o.endpoint_id)
  from public.endpoint_wallets w cross join lateral (
    select s.endpoint_id from public.endpoint_wallets s
    where s.network = w.network and s.pay_to = w.pay_to and s.host = w.host and s.endpoint_id <> w.endpoint_id
      and s.challenged
    limit p_limit
  ) o
  where w.endpoint_id = p_endpoint_id;
$$;

-- Returns endpoints of other hosts that a directory lists and whose challenge named a wallet of this endpoint. In the
-- order of the hosts, at most p_limit endpoints before and p_limit endpoints after the host of this endpoint are
-- returned for each wallet.
create function internal.find_wallet_sharers(p_endpoint_id text, p_limit integer)
returns setof text
language plpgsql stable
as $$
begin
  return query
  select distinct o.endpoint_id
  from public.endpoint_wallets w cross join lateral (
    (
      select b.endpoint_id from public.endpoint_wallets b
      where b.network = w.network and b.pay_to = w.pay_to and b.host < w.host and b.challenged
      order by b.host desc limit p_limit
    ) union all (
      select a.endpoint_id from public.endpoint_wallets a
      where a.network = w.network and a.pay_to = w.pay_to and a.host > w.host and a.challenged
      order by a.host limit p_limit
    )
  ) o
  where w.endpoint_id = p_endpoint_id;
end;
$$;

-- Returns the number of distinct wallets by token: { token: number }; null without a token. p_pay_to: list of the member
-- `payTo` of payment terms. Just-in-time compilation is off: PostgreSQL expects a million wallets in any list, and would
-- compile for a second.
create function internal.count_wallets(p_pay_to jsonb)
returns jsonb
language plpgsql stable set jit = off
as $$
begin
  return (
    select jsonb_object_agg(n.token, n.wallets) from (
      select t.key as token, count(distinct w.value) filter (where w.value <> '""') as wallets
      from jsonb_array_elements(p_pay_to) l
      cross join lateral jsonb_each(l.value) t cross join lateral jsonb_array_elements(t.value) w
      group by 1
    ) n
  );
end;
$$;

-- Returns the scoring inputs of endpoints: the endpoint, its latest state, its sums and changes of the last 30 days,
-- and its observations of the last 24 hours. Figures that the score formula uses have the names of its inputs. Only the
-- latest 20 changes of each kind have their payment terms, because an endpoint can have thousands of changes.
-- `pay_to_variation` sums the payTo changes of tokens whose payTo
-- varied, from a day before it began to vary: { changes, since, lastChangedAt, before, after, hasMoved }. These changes
-- are not in `changes`. `before` has the terms before the first of these changes, and
-- `after` has the terms after the last of these changes.
-- Rechecks and self-inflicted failures are not part of the last 24 hours. A histogram is an object of the form { bucket
-- number: count }. It has no empty buckets, and bucket numbers start at 0. Deleted endpoints are left out.
create function public.scoring_inputs(p_now timestamptz, p_endpoint_ids text[])
returns table (
  endpoint_id text, endpoint jsonb, state jsonb, window_sums jsonb, last24h jsonb, changes jsonb, pay_to_variation jsonb,
  revision bigint
)
language sql stable
as $$
  select
    e.id,
    jsonb_build_object(
      'id', e.id, 'resource', e.resource, 'slug', e.slug, 'host', e.host, 'templated', e.templated,
      'serviceName', e.service_name, 'description', e.description, 'declaredMethod', e.declared_method,
      'exampleRequest', e.example_request, 'listedOptions', e.listed_options, 'protocolVersion', e.protocol_version,
      'listingStatus', e.listing_status, 'firstSeenAt', e.first_seen_at, 'delistedAt', e.delisted_at,
      'removed', e.removed_at is not null,
      'directories', (
        select coalesce(jsonb_agg(l.directory order by l.directory), '[]') from public.listings l
        where l.endpoint_id = e.id and l.delisted_at is null
      ),
      'source', case when exists (select 1 from public.listings l where l.endpoint_id = e.id)
        then 'directory' else 'adopted' end
    ),
    jsonb_build_object(
      'method', p.method, 'lastProbedAt', p.last_probed_at, 'lastCountedAt', p.last_counted_at,
      'downSince', p.down_since, 'failingSince', p.failing_since, 'lastFailure', p.last_failure,
      'watchedSince', p.watched_since, 'lastUpAt', p.last_up_at,
      'lastChallengedAt', p.last_challenged_at, 'lastPayableAt', p.last_payable_at,
      'terms', p.terms, 'termsAt', p.terms_at, 'compliance', p.compliance, 'complianceAt', p.compliance_at,
      'challengeHash', p.challenge_hash,
      -- Failed rules of the latest challenge, and reasons why it cannot be paid. A challenge without payment options has
      -- no terms.
      'faultyChallenge', (
        select jsonb_build_object(
          'version', c.challenge -> 'version', 'refusals', c.challenge -> 'refusals',
          'settlementFailures', c.challenge -> 'settlementFailures',
          'failedRules', jsonb_path_query_array(
            c.challenge, '$.failed[*] ? (@.axis == "payable" && @.severity == "error").id'
          )
        )
        from public.challenges c where c.hash = p.challenge_hash and p.compliance in ('errors', 'unpayable')
      ),
      'payToSharedWith', internal.count_wallet_sharers(p.endpoint_id, 1000),
      'payToSharedOnHost', internal.count_wallet_siblings(p.endpoint_id, 1000)
    ),
    case when w.days > 0 then jsonb_build_object(
      'probes', jsonb_build_object(
        'total', w.probes, 'scored', w.scored, 'up', w.up, 'excluded', w.excluded, 'blocked', w.blocked,
        'redirected', w.redirected
      ),
      'envelopes', jsonb_build_object(
        'pass', w.pass, 'warnings', w.warnings, 'errors', w.errors, 'unpayable', w.unpayable
      ),
      'free', w.free, 'latencyN', w.latency_n, 'latencySumMs', w.latency_sum_ms,
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
      'payToCounts', internal.count_wallets(
        coalesce(c.earlier_pay_to, '[]')
          || case when p.terms_at > p_now - interval '30 days' then p.terms -> 'payTo' else '[]' end
      ),
      'medianPriceUsd', w.median_price_usd::text,
      'lowestPriceUsd', w.lowest_price_usd::text, 'highestPriceUsd', w.highest_price_usd::text
    ) end,
    t.figures,
    coalesce(c.changes, '[]'),
    c.pay_to_variation || jsonb_build_object('hasMoved', exists (
      select from internal.list_terms_changes(c.pay_to_variation -> 'before', c.pay_to_variation -> 'after') t
      where t.kind = 'payto_change'
    )),
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
      extensions.sum(d.latency_histogram::integer[]::extensions.vector) as latency,
      extensions.sum(d.response_histogram::integer[]::extensions.vector) as response,
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
      'kind', h.kind, 'at', h.at, 'before', case when h.recency <= 20 then h.before end,
      'after', case when h.recency <= 20 then h.after end
    ) order by h.at, h.kind) filter (where not h.is_varying) as changes,
      jsonb_agg(distinct h.before -> 'payTo') filter (where h.kind <> 'price_change') as earlier_pay_to,
      case when bool_or(h.is_varying) then jsonb_build_object(
        'changes', count(*) filter (where h.is_varying), 'since', min(h.at) filter (where h.is_varying),
        'lastChangedAt', max(h.at) filter (where h.is_varying),
        'before', jsonb_agg(h.before) filter (where h.is_varying and h.is_first) -> 0,
        'after', jsonb_agg(h.after) filter (where h.is_varying and h.recency = 1) -> 0
      ) end as pay_to_variation
    from (
      select v.*, row_number() over (partition by v.kind, v.is_varying order by v.at, v.id) = 1 as is_first,
        row_number() over (partition by v.kind, v.is_varying order by v.at desc, v.id desc) as recency
      from (
        select g.*, g.variation is not null or (g.kind = 'payto_change' and exists (
          select 1 from public.changes b
          where b.endpoint_id = g.endpoint_id and b.variation = 'begins'
            and b.at > g.at and b.at < g.at + interval '1 day'
            -- A change to another network or token has no changed token.
            and internal.list_changed_tokens(g.before, g.after) <> '{}'
            and internal.list_changed_tokens(g.before, g.after) <@ internal.list_changed_tokens(b.before, b.after)
        )) as is_varying
        from public.changes g
        where g.endpoint_id = p.endpoint_id and g.at > p_now - interval '30 days'
          and g.kind in ('price_change', 'payto_change', 'asset_network_change')
      ) v
    ) h
  ) c
  cross join lateral (
    select jsonb_build_object(
      'scored', count(*) filter (where o.vitality is not null), 'up', count(*) filter (where o.vitality = 1),
      'free', count(*) filter (where o.outcome = 'free'),
      'envelopes', jsonb_build_object(
        'pass', count(*) filter (where o.compliance = 'pass'),
        'warnings', count(*) filter (where o.compliance = 'warnings'),
        'errors', count(*) filter (where o.compliance = 'errors'),
        'unpayable', count(*) filter (where o.compliance = 'unpayable')
      )
    ) as figures
    from public.observations o
    where o.endpoint_id = p.endpoint_id and o.at > p_now - interval '24 hours' and not o.is_recheck and not o.excluded
  ) t
  where p.endpoint_id = any (p_endpoint_ids)
  order by p.endpoint_id;
$$;
