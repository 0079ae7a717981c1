-- Statistics of all public endpoints: totals, one row per day, and events.

create table public.ecosystem_totals (
  -- The table has exactly one row.
  id boolean primary key default true check (id),
  figures jsonb not null,
  -- See internal.compute_categories.
  categories jsonb not null
);

create policy ecosystem_totals_public on public.ecosystem_totals for select to anon, authenticated using (true);

-- Figures of all public snapshots, one row per UTC day. `computed_at`: time of the last computation on this day.
create table public.ecosystem_days (
  day date primary key,
  computed_at timestamptz not null,
  figures jsonb not null
);

create policy ecosystem_days_public on public.ecosystem_days for select to anon, authenticated using (true);

-- One row per kind, host and UTC day, so an outage of a host with 400 endpoints is one event.
create table public.ecosystem_events (
  id bigint generated always as identity primary key,
  -- The table of ecosystem events in libs/contract has all kinds.
  kind text not null,
  host text not null,
  day date not null,
  -- Time of the first change among the endpoints.
  at timestamptz not null,
  -- Time of the score that added the last endpoint.
  updated_at timestamptz not null,
  -- First endpoint with this event.
  endpoint_id text collate "C" not null,
  -- Number of rows in `ecosystem_event_endpoints`.
  endpoints integer not null,
  unique (kind, host, day)
);

create index ecosystem_events_newest on public.ecosystem_events (updated_at desc, id desc);
create index ecosystem_events_host on public.ecosystem_events (host, updated_at desc, id desc);
create index ecosystem_events_day on public.ecosystem_events (day);

-- Endpoints of each event. An endpoint that enters a state several times a day is counted once. A foreign key to
-- `endpoints` is left out, because it would need another index. An event whose endpoints are all deleted is not
-- returned, and is pruned like the other events of its day.
create table public.ecosystem_event_endpoints (
  event_id bigint not null references public.ecosystem_events (id) on delete cascade,
  endpoint_id text collate "C" not null,
  primary key (event_id, endpoint_id)
);

create index ecosystem_event_endpoints_endpoint on public.ecosystem_event_endpoints (endpoint_id);

-- Computes the statistics of all public snapshots. `endpoints` is the sum of `listed`, `delisted` and `adopted`:
-- endpoints that a directory lists, that directories no longer list, and that no directory has listed. The reachable and
-- compliant endpoints, the grades and the recommendations are those of listed endpoints. The snapshots are scanned once. Most counts are sums over a few
-- hundred groups of snapshots. `explore_terms` contains the hosts of all public endpoints.
create function internal.compute_ecosystem()
returns jsonb
language sql stable
as $$
  with groups as materialized (
    select s.listing_status = 'listed' and s.listing_source = 'directory' as is_listed, s.listing_source, s.grade,
      s.recommendation,
      coalesce(s.is_compliant, false) as is_compliant,
      s.last_probed_at is not null and s.failing_since is null as is_reachable,
      count(*) as n, sum(s.probes_30d) as probes, max(s.last_probed_at) as last_probed_at
    from public.snapshots s where s.public group by 1, 2, 3, 4, 5, 6
  )
  select jsonb_build_object(
    'endpoints', coalesce(sum(g.n), 0),
    'listed', coalesce(sum(g.n) filter (where g.is_listed), 0),
    'delisted', coalesce(sum(g.n) filter (where g.listing_source = 'directory' and not g.is_listed), 0),
    'adopted', coalesce(sum(g.n) filter (where g.listing_source = 'adopted'), 0),
    'reachable', coalesce(sum(g.n) filter (where g.is_listed and g.is_reachable), 0),
    'compliant', coalesce(sum(g.n) filter (where g.is_listed and g.is_compliant), 0),
    'providers', (select count(*) from public.explore_terms t where t.kind = 'host'),
    'probes30d', coalesce(sum(g.probes), 0),
    'grades', (
      select jsonb_object_agg(l.grade, (select coalesce(sum(r.n), 0) from groups r where r.is_listed and r.grade = l.grade))
      from unnest(array['A', 'B', 'C', 'D', 'F', '?']) as l (grade)
    ),
    'recommendations', (
      select jsonb_object_agg(l.name, (
        select coalesce(sum(r.n), 0) from groups r where r.is_listed and r.recommendation = l.name
      ))
      from unnest(array['proceed', 'caution', 'parameterize', 'avoid', 'unverified', 'free']) as l (name)
    ),
    -- Snapshots can be hours old. Of 1,000 states that are probed every half hour, one is a few seconds old.
    'lastProbedAt', greatest(max(g.last_probed_at), (
      select max(p.last_probed_at) from (select t.last_probed_at from public.endpoint_states t limit 1000) p
    ))
  )
  from groups g;
$$;

-- Returns the tags that have a page, the tag with the most endpoints first: [{ tag, endpoints, hosts, proceed,
-- lowestPriceUsd, highestPriceUsd, lastModified }]. All figures are those of the listed endpoints with the tag. `proceed`:
-- number of endpoints with this recommendation. `lastModified`: newest change of their content.
-- Tags are claims of providers. A tag has a page if at least five endpoints in the sitemap have it, of at least three
-- hosts, so that a single provider cannot create a page. The tag consists of words of ASCII letters and digits. `x402`
-- and `api` could be tags of every endpoint. Of tags that differ only in spaces and hyphens, the most frequent has the
-- page.
create function internal.compute_categories()
returns jsonb
language sql stable
as $$
  with labels as (
    select unnest(x.tags) as tag, x.host, x.is_indexable, x.by_changed, x.recommendation = 'proceed' as is_proceed,
      nullif(x.by_price, 1e15) as usd
    from public.explore_entries x where x.listing = 'listed'
  ),
  hosts as (
    select l.tag, count(*) as n, count(*) filter (where l.is_indexable) as indexable, min(l.by_changed) as by_changed,
      count(*) filter (where l.is_proceed) as proceed, min(l.usd) as lowest, max(l.usd) as highest
    from labels l group by l.tag, l.host
  ),
  tags as (
    select h.tag collate "C" as tag, sum(h.n) as endpoints, count(*) as hosts, sum(h.proceed) as proceed,
      min(h.lowest) as lowest, max(h.highest) as highest, min(h.by_changed) as by_changed
    from hosts h group by 1
    having sum(h.indexable) >= 5 and count(*) filter (where h.indexable > 0) >= 3
  )
  select coalesce(jsonb_agg(jsonb_build_object(
    'tag', c.tag, 'endpoints', c.endpoints, 'hosts', c.hosts, 'proceed', c.proceed,
    'lowestPriceUsd', trim_scale(c.lowest::numeric)::text, 'highestPriceUsd', trim_scale(c.highest::numeric)::text,
    'lastModified', to_timestamp(-c.by_changed)
  ) order by c.endpoints desc, c.tag), '[]')
  from (
    select distinct on (replace(t.tag, ' ', '-')) t.* from tags t
    where t.tag ~ '^[a-z0-9]+([ -][a-z0-9]+)*$' and t.tag not in ('x402', 'api')
    order by replace(t.tag, ' ', '-'), t.endpoints desc, t.tag
  ) c;
$$;

-- Computes the statistics of all public snapshots again and stores them. Returns true if they changed. Does nothing
-- while another call is running, because the slower call could otherwise overwrite newer statistics.
create function public.refresh_ecosystem()
returns boolean
language plpgsql
as $$
begin
  perform 1 from public.ecosystem_totals for update skip locked;
  if not found then
    return false;
  end if;
  update public.ecosystem_totals t set figures = c.figures, categories = c.categories
  from (select internal.compute_ecosystem() as figures, internal.compute_categories() as categories) c
  where (t.figures, t.categories) <> (c.figures, c.categories);
  return found;
end;
$$;

insert into public.ecosystem_totals (figures, categories)
values (internal.compute_ecosystem(), internal.compute_categories());

-- Returns the stored statistics of all public snapshots, with the settlements that the latest day has stored: they are
-- computed once an hour, because the computation reads all payments of 30 days.
create function public.ecosystem()
returns jsonb
language sql stable
as $$
  select t.figures || jsonb_build_object(
    'settledVolumeUsd30d', d.figures -> 'settledVolumeUsd30d', 'receivers30d', d.figures -> 'receivers30d',
    'payers30d', d.figures -> 'payers30d'
  )
  from public.ecosystem_totals t
  left join lateral (select e.figures from public.ecosystem_days e order by e.day desc limit 1) d on true;
$$;

-- Computes the figures of all public snapshots and stores them for the UTC day of p_now. Returns false, and stores
-- nothing, if the figures of this day were computed after p_now.
-- `networks`, `prices` and `causes` count endpoints that a directory lists. `networks`: endpoints that accept each network,
-- as the explore page counts them; `none` for endpoints without a network. Networks that are not among the 30 most
-- frequent are added up as `other`. `prices`: percentiles of the prices above zero in
-- US dollars. URL templates are left out, because their price depends on the item. `causes`: endpoints whose latest
-- probe failed, by the cause of the failure. `tags`: the 30 most frequent tags of listed endpoints. The settlements are those of
-- internal.compute_settled. The time of this computation grows with the number of payers in 30 days: 3.3 s for a
-- million payers and days on two slow cores. The timeout of the calling role can be shorter.
create function public.record_ecosystem_day(p_now timestamptz)
returns boolean
language sql
set statement_timeout = '60s'
as $$
  with scanned as materialized (
    select s.listing_status = 'listed' and s.listing_source = 'directory' as is_listed,
      case when s.failing_since is not null then coalesce(s.last_failure ->> 'error', 'unknown') end as cause,
      case when not s.templated then s.amount_usd::numeric end as price
    from public.snapshots s where s.public
  ),
  networks as (
    select case when c.rank <= 30 or c.network = 'none' then c.network else 'other' end as network, sum(c.n) as n
    from (
      select u.network, count(*) as n, row_number() over (order by count(*) desc, u.network collate "C") as rank
      from public.explore_entries x
      cross join lateral unnest(case when x.networks = '{}' then array['none'] else x.networks end) as u (network)
      where x.listing = 'listed' group by u.network
    ) c
    group by 1
  ),
  causes as (
    select s.cause, count(*) as n from scanned s where s.is_listed and s.cause is not null group by s.cause
  ),
  prices as (
    select count(*) as n, percentile_disc(array[0.1, 0.25, 0.5, 0.75, 0.9]) within group (order by s.price) as p
    from scanned s where s.is_listed and s.price > 0
  ),
  stored as (
    insert into public.ecosystem_days as d (day, computed_at, figures)
    select (p_now at time zone 'UTC')::date, p_now,
      (internal.compute_ecosystem() - array['adopted', 'probes30d', 'lastProbedAt']) || internal.compute_settled(p_now)
      || jsonb_build_object(
        'networks', (select coalesce(jsonb_object_agg(n.network, n.n), '{}') from networks n),
        'causes', (select coalesce(jsonb_object_agg(c.cause, c.n), '{}') from causes c),
        'prices', (
          select case when p.n > 0 then jsonb_build_object(
            'count', p.n, 'p10', p.p[1]::text, 'p25', p.p[2]::text, 'p50', p.p[3]::text, 'p75', p.p[4]::text,
            'p90', p.p[5]::text
          ) end
          from prices p
        ),
        'tags', (
          select coalesce(jsonb_object_agg(f.term, f.endpoints), '{}') from (
            select t.term, t.endpoints from public.explore_terms t
            where t.kind = 'tag' order by t.endpoints desc, t.term limit 30
          ) f
        )
      )
    on conflict (day) do update set computed_at = excluded.computed_at, figures = excluded.figures
    where d.computed_at <= excluded.computed_at
    returning 1
  )
  select exists (select 1 from stored);
$$;

-- Returns at most p_limit events of the given kinds as a JSON array, latest update first; all kinds for an empty array.
-- p_endpoint_id selects the events of one endpoint, p_host those of one host without p_endpoint_id. The query is planned
-- for the given values, so that it reads the index of the host or of the endpoint and not all events.
-- The events come after the event p_before_id, which was updated at p_before_at; both are null for the first events. If
-- only p_before_at is null, the first event is p_before_id. An event is returned with the endpoint p_endpoint_id, or else
-- with its first endpoint in explore_entries, and with the current grade and recommendation of this endpoint. An event is
-- left out if this endpoint is not in explore_entries, or none of its endpoints is. Changed wallets of an endpoint whose
-- provider opted out are still returned, without a verdict.
-- Everyone can call this function with the rights of its owner, so it limits p_limit.
create function public.ecosystem_events(
  p_kinds text[], p_limit integer, p_before_at timestamptz default null, p_before_id bigint default null,
  p_host text default null, p_endpoint_id text default null
)
returns jsonb
language plpgsql stable security definer
set plan_cache_mode = force_custom_plan
as $$
begin
  return (
    select coalesce(jsonb_agg(to_jsonb(v) order by v.updated_at desc, v.id desc), '[]')
    from (
      select e.id, e.at, e.updated_at, e.kind, e.host, s.slug, s.resource, s.grade, s.recommendation,
        s.listing_status, s.failing_since, e.endpoints
      from public.ecosystem_events e
      cross join lateral (
        select f.slug, f.resource, f.grade, f.recommendation, f.listing_status, f.failing_since, 1 as position
        from public.snapshots f join public.explore_entries x on x.endpoint_id = f.endpoint_id
        where f.endpoint_id = coalesce(p_endpoint_id, e.endpoint_id)
        union all
        (
          select f.slug, f.resource, f.grade, f.recommendation, f.listing_status, f.failing_since, 2
          from public.ecosystem_event_endpoints m
          join public.snapshots f on f.endpoint_id = m.endpoint_id
          join public.explore_entries x on x.endpoint_id = f.endpoint_id
          where p_endpoint_id is null and m.event_id = e.id order by m.endpoint_id limit 1
        )
        union all
        -- An opt-out must not hide a changed wallet.
        select o.slug, o.resource, '?', 'unverified', 'listed', null, 3
        from public.endpoints o
        where o.id = coalesce(p_endpoint_id, e.endpoint_id) and o.opted_out and e.kind = 'takeover-suspected'
        order by position limit 1
      ) s
      where (cardinality(p_kinds) = 0 or e.kind = any (p_kinds))
        and (p_host is null or p_endpoint_id is not null or e.host = p_host)
        and (
          p_endpoint_id is null
          or e.id = any (array(
            select o.event_id from public.ecosystem_event_endpoints o where o.endpoint_id = p_endpoint_id
          ))
        )
        and (
          p_before_id is null or (e.updated_at, e.id) < (p_before_at, p_before_id)
          or p_before_at is null and (e.updated_at, e.id) <= (
            select f.updated_at, f.id from public.ecosystem_events f where f.id = p_before_id
          )
        )
      order by e.updated_at desc, e.id desc
      limit greatest(1, least(coalesce(p_limit, 50), 101))
    ) v
  );
end;
$$;

-- Returns the number of events of each kind as a JSON object, without the kinds that have none. p_endpoint_id and p_host
-- select the events as in ecosystem_events. An event counts if one of its endpoints, or p_endpoint_id, is in
-- explore_entries, or is a changed wallet that ecosystem_events returns after an opt-out. Everyone can call this function
-- with the rights of its owner, and it returns only numbers.
create function public.ecosystem_event_counts(p_host text default null, p_endpoint_id text default null)
returns jsonb
language plpgsql stable security definer
set plan_cache_mode = force_custom_plan
as $$
begin
  return (
    select coalesce(jsonb_object_agg(c.kind, c.n), '{}')
    from (
      select e.kind, count(*) as n
      from public.ecosystem_events e
      where (p_host is null or p_endpoint_id is not null or e.host = p_host)
        and (
          p_endpoint_id is null
          or e.id = any (array(
            select o.event_id from public.ecosystem_event_endpoints o where o.endpoint_id = p_endpoint_id
          ))
        )
        and (
          exists (
            select 1 from public.ecosystem_event_endpoints m
            join public.explore_entries x on x.endpoint_id = m.endpoint_id
            where m.event_id = e.id and (p_endpoint_id is null or m.endpoint_id = p_endpoint_id)
          )
          or e.kind = 'takeover-suspected' and exists (
            select 1 from public.endpoints o where o.id = coalesce(p_endpoint_id, e.endpoint_id) and o.opted_out
          )
        )
      group by e.kind
    ) c
  );
end;
$$;
