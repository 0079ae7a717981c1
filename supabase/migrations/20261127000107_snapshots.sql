-- Snapshots: the latest score of each endpoint. Pages, the leaderboard, the search and the API read the same row. Only
-- save_snapshots, count_alternatives and the removal of an endpoint write it.

-- Latest score of each endpoint with its headline figures.
create table public.snapshots (
  endpoint_id text collate "C" primary key references public.endpoints (id) on delete cascade,
  public boolean not null default true,
  slug text not null,
  resource text not null,
  host text not null,
  method text,
  example_request jsonb,
  service_name text,
  description text,
  templated boolean not null,
  protocol_version smallint,
  score double precision not null check (score between 0 and 100),
  grade text not null check (grade in ('A', 'B', 'C', 'D', 'F', '?')),
  recommendation text not null check (recommendation in (
    'proceed', 'caution', 'parameterize', 'avoid', 'unverified', 'free'
  )),
  confidence double precision not null check (confidence between 0 and 1),
  uptime_30d double precision,
  latency_ms integer,
  latency_label text,
  -- Median and 95th percentile of the time to the last byte in the last 30 days, in milliseconds.
  latency_ms_p50 integer,
  latency_ms_p95 integer,
  probes_30d integer not null,
  -- Probe frequency of the last 30 days: probes per day, due slots per day, and mean time between probes. Null if no
  -- slot was due.
  probed_per_day double precision,
  due_per_day double precision,
  mean_gap_seconds integer,
  amount_usd text,
  price_stability text,
  network text,
  pay_on jsonb not null,
  first_seen timestamptz not null,
  last_probed_at timestamptz,
  listing_status text not null,
  delisted_at timestamptz,
  -- Directories that list the endpoint when the score is computed.
  directories text[] not null default '{}',
  computed_at timestamptz not null,
  -- Hash of the visible content. Values that change with every probe are not part of the hash. Empty for an endpoint
  -- that was removed after its score was computed: its next score is then reported as a change.
  content_hash text not null,
  content_changed_at timestamptz not null,
  days_tracked integer not null,
  error_flags integer not null,
  warning_flags integer not null,
  better_alternatives integer,
  -- Bounds of the score range.
  score_low double precision not null check (score_low between 0 and 100),
  score_high double precision not null check (score_high between 0 and 100),
  -- `directory`: a directory lists the endpoint or listed it before. `adopted`: only a paid report added it.
  listing_source text not null default 'directory' check (listing_source in ('directory', 'adopted')),
  -- Copied from endpoint_states, with times in ISO 8601.
  failing_since timestamptz,
  last_failure jsonb,
  -- True if the latest challenge passed the compliance checks, also with warnings; null before the first challenge.
  is_compliant boolean,
  -- Key of the text of the endpoint in `search_texts`; null if the endpoint has no text.
  text_hash text collate "C",
  -- True if the text contains a description.
  described boolean not null default false,
  -- Time when `better_alternatives` was counted; null if the alternatives must be counted again.
  alternatives_counted_at timestamptz,
  -- Lowest and highest price in US dollars that the endpoint advertised in the last 30 days; null without a price.
  lowest_price_usd_30d text,
  highest_price_usd_30d text,
  scored_probes_30d integer not null default 0,
  blocked_30d integer not null default 0,
  -- Time since which no probe was scored; null if the latest failed probe was scored or not blocked.
  blocked_since timestamptz,
  -- Delivery for money in the last 30 days; null without test purchases and outcomes of buyers.
  delivery jsonb
);

create index snapshots_computed on public.snapshots (computed_at);
create index snapshots_graded on public.snapshots (score_low desc, score desc, endpoint_id)
  where public and listing_status = 'listed' and listing_source = 'directory' and grade <> '?' and confidence >= 0.3;
create index snapshots_ranking on public.snapshots (score_low desc, score desc, endpoint_id)
  where public and listing_status = 'listed' and listing_source = 'directory' and grade <> '?' and error_flags = 0
    and confidence >= 0.5;

create index snapshots_text on public.snapshots (text_hash, public);

-- Endpoints that can be recommended as alternatives to other endpoints, by score.
create index snapshots_recommendable on public.snapshots (score)
  where public and listing_status = 'listed' and recommendation <> 'avoid' and grade <> '?';
create index snapshots_alternatives_counted on public.snapshots (alternatives_counted_at nulls first, endpoint_id)
  where public and text_hash is not null;

-- Endpoints of each sitemap shard, the newest change of content first. The condition equals internal.is_indexable.
create index snapshots_shard on public.snapshots (left(endpoint_id, 1) collate "C", content_changed_at desc)
  where public and listing_status = 'listed' and listing_source = 'directory' and grade <> '?' and not templated;

-- Inputs of the score, from which a report recomputes the score. Never public, because they are part of the paid
-- report.
create table public.snapshot_details (
  endpoint_id text collate "C" primary key references public.snapshots (endpoint_id) on delete cascade,
  scoring_version text not null,
  inputs jsonb not null,
  -- Figures that the report contains but the scoring formula does not read.
  facts jsonb not null
);

create policy snapshots_public on public.snapshots for select to anon, authenticated using (public);

-- Returns true if search engines may list the page of a snapshot.
create function internal.is_indexable(s public.snapshots)
returns boolean
language sql immutable
as $$
  select s.public and s.listing_status = 'listed' and s.listing_source = 'directory' and s.grade <> '?'
    and not s.templated;
$$;

-- Returns true if a URL without its query is the path of a URL template with filled-in placeholders `{name}` or
-- `/:name`. Both arguments have no query. Each placeholder stands for at least one character of one path segment.
create function internal.is_filled_path(p_template text, p_path_url text)
returns boolean
language sql immutable
as $$
  select cardinality(g.patterns) = cardinality(g.parts) and not exists (
    select from unnest(g.patterns, g.parts) as s (pattern, part)
    where s.part not like regexp_replace(
      regexp_replace(s.pattern, '([\\%_])', '\\\1', 'g'), '\{[^{}]+\}|^:.+$', '_%', 'g'
    )
  )
  from (
    select string_to_array(p_template, '/') as patterns, string_to_array(p_path_url, '/') as parts
  ) g;
$$;

-- Returns host and path of a URL in lower case, without parameters, spaces, repeated slashes and slashes at the end.
create function internal.to_path_key(p_resource text)
returns text
language sql immutable
as $$
  select rtrim(regexp_replace(
    regexp_replace(lower(p_resource), '^https?://|([?;]|%3b|%3f).*$', '', 'g'), '(/|%20|%2f)+', '/', 'g'
  ), '/');
$$;

create index endpoints_path_key on public.endpoints (internal.to_path_key(resource));

-- Returns true if the public lists may contain an endpoint: searches, alternatives, the explore page, provider pages
-- and events. An endpoint that no directory has listed needs a confidence of 0.3, because a single purchase adds it to
-- the catalog. It must also differ from each listed endpoint by more than the values of placeholders and the spellings
-- that internal.to_path_key ignores. Otherwise one seller could fill the lists with variants of one endpoint. Such an
-- endpoint is checked with each of its scores.
create function internal.is_discoverable(s public.snapshots)
returns boolean
language plpgsql stable
as $$
declare
  v_key text := internal.to_path_key(s.resource);
begin
  if not s.public or s.listing_source = 'directory' then
    return s.public;
  end if;
  return s.confidence >= 0.3 and not exists (
    select from (
      select e.id from public.endpoints e
      where internal.to_path_key(e.resource) = v_key
      union all
      select e.id from public.endpoints e
      where e.host = s.host and e.templated and internal.is_filled_path(internal.to_path_key(e.resource), v_key)
    ) c
    join public.listings l on l.endpoint_id = c.id and l.delisted_at is null
    where c.id <> s.endpoint_id
  );
end;
$$;

-- Stores the filter and sort values of the written snapshots in explore_entries.
create function internal.store_explore_entries()
returns trigger
language plpgsql
as $$
begin
  delete from public.explore_entries x using written w
  where x.endpoint_id = w.endpoint_id and not internal.is_discoverable(row(w.*)::public.snapshots);

  insert into public.explore_entries as x
  select v.*
  from written w
  join public.endpoints e on e.id = w.endpoint_id
  cross join lateral internal.to_explore_entry(row(w.*)::public.snapshots, e.tags) v
  left join public.explore_entries o on o.endpoint_id = w.endpoint_id
  -- Rows without a change are left out, because `on conflict` writes a lock even into an unchanged row.
  where internal.is_discoverable(row(w.*)::public.snapshots) and row(o.*)::public.explore_entries is distinct from v
  order by w.endpoint_id
  on conflict (endpoint_id) do update set
    host = excluded.host, networks = excluded.networks, tags = excluded.tags, grade = excluded.grade,
    recommendation = excluded.recommendation, listing_status = excluded.listing_status,
    listing = excluded.listing, is_indexable = excluded.is_indexable, is_reachable = excluded.is_reachable,
    is_compliant = excluded.is_compliant, is_delivered = excluded.is_delivered, score = excluded.score,
    by_score = excluded.by_score, by_price = excluded.by_price, by_price_desc = excluded.by_price_desc,
    by_uptime = excluded.by_uptime, by_latency = excluded.by_latency, by_newest = excluded.by_newest,
    by_changed = excluded.by_changed, text_hash = excluded.text_hash, described = excluded.described;
  return null;
end;
$$;

create trigger snapshots_insert_explore_entries after insert on public.snapshots
  referencing new table as written for each statement execute function internal.store_explore_entries();

create trigger snapshots_update_explore_entries after update on public.snapshots
  referencing new table as written for each statement execute function internal.store_explore_entries();

-- Writes an event to ecosystem_events for each new alert of a stored score. An alert is new if the previous score of
-- the endpoint did not have it. `facts -> 'alerts'` contains the alerts of the endpoint: [{ kind, since, changedAt }].
-- An alert with another `since` is a different alert. The event has the time `changedAt`, or the time of the score if
-- `changedAt` is null. `updated_at` is the time of the score, so that a reader of the feed who knows the latest update
-- misses no event. The first score of an endpoint and its first score with another formula record no event, because the
-- cause of the alert may have begun before this score. The trigger runs after the statement, so `snapshots` already
-- contains the time of the score.
create function internal.record_ecosystem_events()
returns trigger
language plpgsql
as $$
declare
  v_event record;
  v_id bigint;
  v_added integer;
begin
  -- The events are inserted in the order of their key, which prevents deadlocks.
  for v_event in
    select a.alert ->> 'kind' as kind, s.host, (c.at at time zone 'UTC')::date as day, min(c.at) as at,
      max(s.computed_at) as scored_at, array_agg(n.endpoint_id order by c.at, n.endpoint_id) as endpoint_ids
    from scored n
    join previous o on o.endpoint_id = n.endpoint_id and o.scoring_version = n.scoring_version
    cross join lateral jsonb_array_elements(n.facts -> 'alerts') as a (alert)
    join public.snapshots s on s.endpoint_id = n.endpoint_id and internal.is_discoverable(s)
    cross join lateral (
      select coalesce((a.alert ->> 'changedAt')::timestamptz, s.computed_at) as at
    ) c
    where not (o.facts -> 'alerts') @> jsonb_build_array(a.alert - 'changedAt')
    group by 1, 2, 3
    order by 1, 2, 3
  loop
    insert into public.ecosystem_events as e (kind, host, day, at, updated_at, endpoint_id, endpoints)
    values (v_event.kind, v_event.host, v_event.day, v_event.at, v_event.scored_at, v_event.endpoint_ids[1], 0)
    on conflict (kind, host, day) do update set endpoints = e.endpoints
    returning e.id into v_id;

    insert into public.ecosystem_event_endpoints (event_id, endpoint_id)
    select v_id, u.id from unnest(v_event.endpoint_ids) as u (id) order by u.id
    on conflict do nothing;
    get diagnostics v_added = row_count;

    update public.ecosystem_events e
    set endpoints = e.endpoints + v_added, at = least(e.at, v_event.at),
      updated_at = greatest(e.updated_at, v_event.scored_at)
    where e.id = v_id and v_added > 0;
  end loop;
  return null;
end;
$$;

create trigger snapshot_details_record_events after update on public.snapshot_details
  referencing old table as previous new table as scored
  for each statement execute function internal.record_ecosystem_events();

-- Stores snapshots with their inputs, and the scores of the current day (UTC). Leaves a snapshot unchanged if another
-- worker computed it later than p_now. Hides the snapshot of an endpoint that was removed since its score was computed.
-- Leaves this endpoint, and an endpoint that was restored since then, in the queue.
-- `content_changed` is true if the visible content of the snapshot has changed. p_rows: [{ snapshot: {…columns of
-- snapshots without the times and the alternatives}, detail: { scoringVersion, inputs, facts }, search: { text_hash,
-- text }, revision }]; `search` is null if the endpoint has no text; `revision` is the revision of the state that was
-- scored.
-- After a change of the recommendation, or of the score by one point or more, the alternatives are counted again. After
-- a change of the text, `better_alternatives` is null until that count.
create function public.save_snapshots(p_now timestamptz, p_rows jsonb)
returns table (endpoint_id text, content_changed boolean)
language plpgsql
as $$
#variable_conflict use_column
declare
  v_ids text[] := array(select r -> 'snapshot' ->> 'endpoint_id' from jsonb_array_elements(p_rows) r);
begin
  perform 1 from public.endpoint_states s where s.endpoint_id = any (v_ids) order by s.endpoint_id for update;
  -- Waits for a removal that is not committed yet, see internal.lock_snapshots, and for a count of alternatives.
  lock table public.search_documents, public.snapshots in row exclusive mode;
  perform 1 from public.snapshots s where s.endpoint_id = any (v_ids) order by s.endpoint_id for update;

  -- A score that is newer by more than an hour was stored before the clock was set back.
  if exists (
    select 1 from jsonb_array_elements(p_rows) r
    left join public.endpoints e on e.id = r -> 'snapshot' ->> 'endpoint_id'
    left join public.snapshots s on s.endpoint_id = e.id
    where (r -> 'snapshot' ->> 'public')::boolean = (e.removed_at is not null)
      or (s.computed_at > p_now and s.computed_at <= p_now + interval '1 hour')
  ) then
    select coalesce(jsonb_agg(
      case when (r -> 'snapshot' ->> 'public')::boolean = (e.removed_at is not null)
        then r || jsonb_build_object('snapshot', r -> 'snapshot' || '{"public": false, "content_hash": ""}') else r end
    ), '[]') into p_rows
    from jsonb_array_elements(p_rows) r
    left join public.endpoints e on e.id = r -> 'snapshot' ->> 'endpoint_id'
    left join public.snapshots s on s.endpoint_id = e.id
    where (s.computed_at > p_now and s.computed_at <= p_now + interval '1 hour') is not true;
  end if;

  perform internal.store_endpoint_wallets(p_rows);
  perform internal.store_search_rows(p_rows);

  return query
  with given as materialized (
    select r -> 'snapshot' as columns, r -> 'snapshot' ->> 'endpoint_id' as id,
      r -> 'snapshot' ->> 'content_hash' as content_hash, r -> 'detail' as detail,
      (r ->> 'revision')::bigint as revision, s as before
    from jsonb_array_elements(p_rows) r
    left join public.snapshots s on s.endpoint_id = r -> 'snapshot' ->> 'endpoint_id'
  ),
  compared as (
    select g.*, (g.before).text_hash is not distinct from g.columns ->> 'text_hash' as has_same_text,
      (g.before).recommendation = g.columns ->> 'recommendation'
        and abs((g.before).score - (g.columns ->> 'score')::double precision) < 1 as has_same_result
    from given g
  ),
  stored as (
    insert into public.snapshots
    select n.* from compared c
    -- A column without a new value keeps its previous value.
    cross join lateral jsonb_populate_record(c.before, c.columns || (
      jsonb_build_object('computed_at', p_now)
      || case when (c.before).content_hash = c.content_hash then '{}'
        else jsonb_build_object('content_changed_at', p_now) end
      || case when c.has_same_text then '{}' else '{"better_alternatives": null}'::jsonb end
      || case when c.has_same_text and c.has_same_result then '{}' else '{"alternatives_counted_at": null}'::jsonb end
    )) n
    -- The columns below are in the order of the table.
    on conflict (endpoint_id) do update set (
      endpoint_id, public, slug, resource, host, method, example_request, service_name, description, templated,
      protocol_version, score, grade, recommendation, confidence, uptime_30d, latency_ms, latency_label, latency_ms_p50,
      latency_ms_p95, probes_30d, probed_per_day, due_per_day, mean_gap_seconds, amount_usd, price_stability, network, pay_on, first_seen, last_probed_at, listing_status,
      delisted_at, directories, computed_at, content_hash, content_changed_at, days_tracked, error_flags, warning_flags,
      better_alternatives, score_low, score_high, listing_source, failing_since, last_failure, is_compliant, text_hash,
      described, alternatives_counted_at, lowest_price_usd_30d, highest_price_usd_30d,
      scored_probes_30d, blocked_30d, blocked_since, delivery
    ) = row(excluded.*)
  ),
  details as (
    insert into public.snapshot_details as d (endpoint_id, scoring_version, inputs, facts)
    select g.id, g.detail ->> 'scoringVersion', g.detail -> 'inputs', g.detail -> 'facts' from given g
    on conflict (endpoint_id) do update set
      scoring_version = excluded.scoring_version, inputs = excluded.inputs, facts = excluded.facts
  ),
  daily as (
    insert into public.daily_scores as d (endpoint_id, day, score, grade, recommendation)
    select g.id, (p_now at time zone 'UTC')::date, (g.columns ->> 'score')::real, g.columns ->> 'grade',
      g.columns ->> 'recommendation'
    from given g
    on conflict (endpoint_id, day) do update set
      score = excluded.score, grade = excluded.grade, recommendation = excluded.recommendation
    where (d.score, d.grade, d.recommendation)
      is distinct from (excluded.score, excluded.grade, excluded.recommendation)
  ),
  dequeued as (
    delete from public.scoring_queue q using given g, public.endpoint_states s
    where q.endpoint_id = g.id and s.endpoint_id = g.id and s.revision = g.revision and g.content_hash <> ''
  ),
  -- After an urgent change, another process may have scored a newer revision, which this score replaced.
  requeued as (
    insert into public.scoring_queue (endpoint_id, due_at)
    select g.id, p_now from given g join public.endpoint_states s on s.endpoint_id = g.id where s.revision <> g.revision
    on conflict do nothing
  )
  select g.id, g.content_hash = '' or (g.before).content_hash is distinct from g.content_hash from given g;
end;
$$;

-- Queues up to p_limit endpoints whose snapshot is at least p_max_age_seconds old, oldest first. Returns the number of
-- queued endpoints.
create function public.queue_aged_snapshots(p_now timestamptz, p_max_age_seconds integer, p_limit integer)
returns integer
language sql
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

-- Returns three sample endpoints with their ranks, starting at 1: the best, the median and the worst by the lower
-- bound of the score range. They are selected from the graded endpoints that a directory lists, with a confidence of at
-- least 0.3. If there are fewer than three such endpoints, as in the first days of a service, the confidence does not
-- matter and `is_confident` is false.
create function public.sample_ranks()
returns table (role text, endpoint_id text, rank integer, population integer, is_confident boolean)
language plpgsql stable
-- Only a plan for the given value of v_is_confident can use the index snapshots_graded.
set plan_cache_mode = force_custom_plan
as $$
#variable_conflict use_column
declare
  v_population integer;
  v_is_confident boolean;
begin
  foreach v_is_confident in array array[true, false] loop
    select count(*) into v_population from public.snapshots s
    where s.public and s.listing_status = 'listed' and s.listing_source = 'directory' and s.grade <> '?'
      and (not v_is_confident or s.confidence >= 0.3);
    exit when v_population >= 3;
  end loop;

  return query
  select w.role, r.endpoint_id, w.rank, v_population, v_is_confident
  from (values ('best', 1), ('median', (v_population + 1) / 2), ('worst', v_population)) as w (role, rank)
  cross join lateral (
    select s.endpoint_id from public.snapshots s
    where s.public and s.listing_status = 'listed' and s.listing_source = 'directory' and s.grade <> '?'
      and (not v_is_confident or s.confidence >= 0.3)
    order by s.score_low desc, s.score desc, s.endpoint_id offset greatest(w.rank - 1, 0) limit 1
  ) r
  order by w.rank;
end;
$$;

-- Returns the public scores of endpoints. `inputs`: inputs of the score, from which the caller computes the error
-- flags; null if the endpoint has no error flags. Endpoints that are unknown, not public or not scored yet are left
-- out.
create function public.bulk_scores(p_endpoint_ids text[])
returns table (
  endpoint_id text, resource text, slug text, score double precision, grade text, recommendation text,
  confidence double precision, last_probed_at timestamptz, computed_at timestamptz, error_flags integer, delivery text, inputs jsonb
)
language sql stable
as $$
  select s.endpoint_id, s.resource, s.slug, s.score, s.grade, s.recommendation, s.confidence,
    greatest(s.last_probed_at, t.last_probed_at), s.computed_at, s.error_flags, s.delivery ->> 'state',
    case when s.error_flags > 0 then d.inputs end
  from public.snapshots s
  join public.snapshot_details d on d.endpoint_id = s.endpoint_id
  join public.endpoint_states t on t.endpoint_id = s.endpoint_id
  where s.endpoint_id = any (p_endpoint_ids) and s.public;
$$;

-- Returns true if one of the payment options pays to the wallet. Addresses of EVM networks are compared without case.
-- p_options: [{ network, payTo }]. p_network null: options of all networks.
create function internal.has_wallet(p_options jsonb, p_network text, p_pay_to text)
returns boolean
language sql immutable
as $$
  select exists (
    select 1 from jsonb_to_recordset(p_options) as o (network text, "payTo" text)
    where (p_network is null or o.network = p_network)
      and internal.normalize_wallet(o.network, o."payTo") = internal.normalize_wallet(o.network, p_pay_to)
  );
$$;

-- Returns the wallets of payment options, in the form that has_wallet compares. p_options: [{ network, payTo }].
create function internal.list_wallets(p_options jsonb)
returns table (network text, pay_to text)
language sql immutable
as $$
  select distinct o.network, internal.normalize_wallet(o.network, o."payTo")
  from jsonb_to_recordset(p_options) as o (network text, "payTo" text)
  where o.network is not null and o."payTo" is not null;
$$;

-- Returns at most 200 listed endpoints of a host that have the given path with any query, or are URL templates:
-- [{ resource, slug, templated, source, score, grade, recommendation, confidence }]. The order is: endpoints in
-- directories first, because anyone can add other endpoints with a report, then endpoints with the same path, then the
-- highest score. With p_strictest, the strictest recommendation and then the lowest score replace the highest score. A
-- provider with an unsafe endpoint can list any number of healthy endpoints with the same path, and these must not hide
-- the unsafe endpoint.
-- Unverified and free endpoints then precede endpoints with the recommendation `caution`: a payment client limits the
-- price of unverified and free endpoints, because no price was observed.
create function internal.find_related(p_endpoint_id text, p_host text, p_path_url text, p_strictest boolean)
returns jsonb
language plpgsql stable
as $$
begin
  return (
    with candidates as (
      select e.id, true as is_same_path from public.endpoints e
      where split_part(e.resource, '?', 1) = p_path_url and e.host = p_host
      union
      select e.id, split_part(e.resource, '?', 1) = p_path_url from public.endpoints e
      where e.host = p_host and e.templated
    ),
    related as (
      select s.*, row_number() over (order by
        (s.listing_source = 'directory') desc, c.is_same_path desc,
        case when p_strictest then array_position(
          array['avoid', 'unverified', 'free', 'caution', 'parameterize', 'proceed'], s.recommendation
        ) end,
        case when not p_strictest then s.score_low end desc,
        case when p_strictest then s.score else -s.score end, s.endpoint_id
      ) as n
      from candidates c
      join public.endpoints e on e.id = c.id
      join public.snapshots s on s.endpoint_id = c.id
      where s.public and s.listing_status = 'listed' and s.endpoint_id <> p_endpoint_id
        and (e.provisional_until is null or s.listing_source = 'directory')
    )
    select coalesce(jsonb_agg(jsonb_build_object(
      'resource', r.resource, 'slug', r.slug, 'templated', r.templated, 'source', r.listing_source,
      'score', r.score, 'grade', r.grade, 'recommendation', r.recommendation, 'confidence', r.confidence
    ) order by r.n), '[]')
    from related r where r.n <= 200
  );
end;
$$;

-- Returns the observations of a wallet at an endpoint: { current, observed, varies, changedAt, before }, see
-- endpoint_summary. p_options: the latest payment options. p_tokens: { "network|asset": wallets } of the latest terms.
-- p_probed_at: time of the latest probe. p_network null: all networks.
create function internal.describe_wallet(
  p_endpoint_id text, p_options jsonb, p_tokens jsonb, p_probed_at timestamptz, p_network text, p_pay_to text
)
returns jsonb
language plpgsql stable
as $$
begin
  return (
    select jsonb_build_object('current', w.is_current, 'observed', w.is_current or exists (
      select 1 from (
        select h.before from public.changes h
        where h.endpoint_id = p_endpoint_id and h.kind in ('payto_change', 'asset_network_change')
        order by h.at desc limit 100
      ) c
      where internal.has_wallet(c.before -> 'options', p_network, p_pay_to)
    ), 'varies', coalesce((
      select array_agg(k) from jsonb_object_keys(p_tokens) k
      where p_network is null or split_part(k, '|', 1) = p_network
    ) <@ array(
      -- A payTo that has stayed the same for a day varies no longer.
      select distinct unnest(internal.list_changed_tokens(h.before, h.after)) from (
        select c.before, c.after from public.changes c
        where c.endpoint_id = p_endpoint_id and c.variation is not null
          and c.at > p_probed_at - interval '1 day'
        order by c.at desc limit 100
      ) h
    ), false), 'changedAt', r.at, 'before', (
      select o.option ->> 'payTo' from jsonb_array_elements(r.before -> 'options') with ordinality as o (option, n)
      where (p_network is null or o.option ->> 'network' = p_network)
        and not internal.has_wallet(r.after -> 'options', o.option ->> 'network', o.option ->> 'payTo')
      order by o.n limit 1
    ))
    from (
      select internal.has_wallet(p_options, p_network, p_pay_to) as is_current
    ) w
    left join lateral (
      select h.* from (
        select c.at, c.before, c.after from public.changes c
        where c.endpoint_id = p_endpoint_id and c.kind = 'payto_change' and c.variation is null
          and c.at > p_probed_at - interval '30 days'
        order by c.at desc limit 100
      ) h
      where internal.has_wallet(h.after -> 'options', p_network, p_pay_to)
        and not internal.has_wallet(h.before -> 'options', p_network, p_pay_to)
      order by h.at desc limit 1
    ) r on true
  );
end;
$$;

-- Returns the hosts that an unknown host may imitate, by name. A host needs a safe endpoint that a directory lists and
-- that was observed for a week, because anyone can list a host to make another host look like its imitation.
create function public.imitable_hosts()
returns text[]
language sql stable
as $$
  select array(
    select distinct s.host from public.snapshots s
    where s.public and s.listing_status = 'listed' and s.listing_source = 'directory' and s.grade <> '?'
      and s.error_flags = 0 and s.confidence >= 0.3 and s.days_tracked >= 7
    order by s.host limit 20000
  );
$$;

-- Returns the data of an endpoint summary in one call.
-- `snapshot`: the public snapshot, with the time of the latest probe and the time since which probes fail; null if the
-- endpoint is unknown, not public or not scored yet. `related`: see find_related; empty with a snapshot, and without p_host.
-- `payTo`: { observed, current, varies, changedAt, before } of the wallet; null without a snapshot or without p_pay_to.
-- `current`: true if the latest observed terms name the wallet. These terms can be some seconds newer than the snapshot. Before the first
-- challenge, the options of the directory count as observed terms. `observed`: true if the latest or earlier terms name
-- the wallet. Each change of the wallets contains the complete terms before it. Only the latest 100 changes are read,
-- because an endpoint can change its terms with each probe, and anyone can make this call without payment. `varies`:
-- true if the payTo of each token on p_network varies. A token whose payTo does not vary makes a forged wallet certain.
-- `changedAt`: time at which the wallet replaced another wallet, if that was in the last 30 days and the payTo did not
-- vary. `before`: first replaced wallet; null if the wallet was added to others.
-- `knownEndpoints`: number of endpoints of the host that a directory lists, at most 100; null with a snapshot, and
-- without p_host.
create function public.endpoint_summary(
  p_endpoint_id text, p_host text default null, p_path_url text default null, p_network text default null,
  p_pay_to text default null
)
returns jsonb
language plpgsql stable
as $$
begin
  return (select jsonb_build_object(
    'snapshot', to_jsonb(s) || jsonb_build_object('last_probed_at', p.at, 'failing_since', t.failing_since),
    'payTo', case when s.endpoint_id is not null and p_pay_to is not null then internal.describe_wallet(
      s.endpoint_id, coalesce(t.terms -> 'options', s.pay_on), t.terms -> 'payTo', p.at, p_network, p_pay_to
    ) end,
    'related', case when s.endpoint_id is not null or p_host is null then '[]'
      else internal.find_related(p_endpoint_id, p_host, p_path_url, true)
    end,
    'optedOutAt', case when s.endpoint_id is null then internal.opted_out_at(p_host) end,
    'knownEndpoints', case when s.endpoint_id is null and p_host is not null then (
      select count(*) from (
        select from public.endpoints e
        join public.snapshots k on k.endpoint_id = e.id
        where e.host = p_host and k.public and k.listing_status = 'listed' and k.listing_source = 'directory'
        limit 100
      ) c
    ) end,
    'provider', case when s.endpoint_id is not null then internal.provider_notes(p_endpoint_id) end
  )
  from (select p_endpoint_id as id) i
  left join public.snapshots s on s.endpoint_id = i.id and s.public
  left join public.endpoint_states t on t.endpoint_id = s.endpoint_id
  -- The state lacks the time of a live probe with an unchanged result. The snapshot lacks the probes since its score.
  cross join lateral (select greatest(s.last_probed_at, t.last_probed_at) as at) p);
end;
$$;

-- Returns the values by which a client judges a payment, for each endpoint of the hosts in a range, and the opt-outs of
-- these hosts.
-- p_prefix: first 1 to 3 hexadecimal digits of the hash of the host, see to_range_key. The order of `endpoints` is the
-- order of find_related with p_strictest. `endpoints` has at most p_limit elements. `omittedHosts`: the hosts with the
-- most endpoints, which do not fit. They are left out whole, because a part of a host would make its other endpoints unknown.
-- `listing`: source of the listing; null if find_related never returns the endpoint. `current`: each wallet of the
-- latest payment options with its observations, see describe_wallet. `earlier`: the other wallets before one of the latest
-- 100 changes, as endpoint_summary observes them: [{ network, payTo }].
create function public.endpoint_summaries(p_prefix text, p_limit integer)
returns jsonb
language plpgsql stable
as $$
begin
  return (with hosts as materialized (
    select e.host, sum(count(*)) over (order by count(*), e.host) <= p_limit as fits
    from public.endpoints e
    join public.snapshots s on s.endpoint_id = e.id
    where e.removed_at is null and s.public
      and internal.to_range_key(e.host) collate "C" >= p_prefix
      and internal.to_range_key(e.host) collate "C" < p_prefix || 'g'
    group by e.host
  )
  select jsonb_build_object('endpoints', (
    select coalesce(jsonb_agg(jsonb_build_object(
      'resource', r.resource, 'endpointId', r.endpoint_id, 'templated', r.templated,
      'listing', case when r.is_related then r.listing_source end,
      'score', r.score, 'grade', r.grade, 'recommendation', r.recommendation, 'confidence', r.confidence,
      'lastProbedAt', r.at, 'amountUsd', r.amount_usd, 'lowestPriceUsd30d', r.lowest_price_usd_30d,
      'highestPriceUsd30d', r.highest_price_usd_30d, 'payOn', r.pay_on,
      'current', (
        select coalesce(jsonb_agg(jsonb_build_object('network', w.network, 'payTo', w.pay_to) || case
          when r.has_changes then internal.describe_wallet(r.endpoint_id, r.options, r.tokens, r.at, w.network, w.pay_to)
          else '{"varies": false, "changedAt": null, "before": null}'
        end), '[]')
        from internal.list_wallets(r.options) w
      ),
      'earlier', (
        select coalesce(jsonb_agg(jsonb_build_object('network', w.network, 'payTo', w.pay_to)), '[]')
        from (
          select distinct b.network, b.pay_to
          from (
            select h.before from public.changes h
            where h.endpoint_id = r.endpoint_id and h.kind in ('payto_change', 'asset_network_change')
            order by h.at desc limit 100
          ) c
          cross join lateral internal.list_wallets(c.before -> 'options') b
          where r.has_changes and not internal.has_wallet(r.options, b.network, b.pay_to)
        ) w
      )
    ) order by (r.listing_source = 'directory') desc,
      array_position(array['avoid', 'unverified', 'free', 'caution', 'parameterize', 'proceed'], r.recommendation),
      r.score, r.endpoint_id
    ), '[]')
    from (
      select s.*, coalesce(t.terms -> 'options', s.pay_on) as options, t.terms -> 'payTo' as tokens,
        greatest(s.last_probed_at, t.last_probed_at) as at,
        exists (select from public.changes c where c.endpoint_id = e.id) as has_changes,
        s.listing_status = 'listed' and (e.provisional_until is null or s.listing_source = 'directory') as is_related
      from public.endpoints e
      join public.snapshots s on s.endpoint_id = e.id
      left join public.endpoint_states t on t.endpoint_id = e.id
      where e.removed_at is null and s.public
        and internal.to_range_key(e.host) collate "C" >= p_prefix
        and internal.to_range_key(e.host) collate "C" < p_prefix || 'g'
        and e.host in (select h.host from hosts h where h.fits)
    ) r
  ), 'omittedHosts', (
    select coalesce(jsonb_agg(h.host order by h.host), '[]') from hosts h where not h.fits
  ), 'optOuts', (
    select coalesce(jsonb_agg(jsonb_build_object('host', o.host, 'optedOutAt', o.opted_out_at) order by o.host), '[]')
    from public.opt_outs o where starts_with(internal.to_range_key(o.host), p_prefix)
  )));
end;
$$;
