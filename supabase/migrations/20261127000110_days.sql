-- Days: figures of an endpoint and of all endpoints for each UTC day, for the charts of the public pages.

-- Returns the days of a public endpoint that have probes, oldest first: the 30 UTC days that end with the day of the
-- snapshot. These are the days of the figures `uptime_30d` and `latency_ms` of the snapshot. Returns an empty array
-- without a public snapshot. `latencyMs`: mean time to the last byte of the response. `amountUsd`: last advertised price
-- of the day. Runs as the owner, because the table of the daily rollups is not public.
create function public.endpoint_days(p_endpoint_id text)
returns jsonb
language sql stable security definer
set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'day', d.day, 'probes', d.probes, 'scored', d.scored, 'up', d.up,
    'latencyMs', case when d.response_n > 0 then round((d.response_sum_ms / d.response_n)::numeric) end,
    'amountUsd', d.amount_usd::text
  ) order by d.day), '[]')
  from public.snapshots s
  cross join lateral (select (s.computed_at at time zone 'UTC')::date as last_day) w
  join public.daily_rollups d on d.endpoint_id = s.endpoint_id and d.day between w.last_day - 29 and w.last_day
  where s.endpoint_id = p_endpoint_id and s.public;
$$;

-- Figures of all public snapshots, one row per UTC day. `computed_at`: time of the last computation on this day.
create table public.ecosystem_days (
  day date primary key,
  computed_at timestamptz not null,
  figures jsonb not null
);
alter table public.ecosystem_days enable row level security;
revoke all on public.ecosystem_days from anon, authenticated;
grant all on public.ecosystem_days to service_role;
grant select on public.ecosystem_days to anon, authenticated;
create policy ecosystem_days_public on public.ecosystem_days for select to anon, authenticated using (true);

-- Computes the figures of all public snapshots and stores them for the UTC day of p_now. Returns false, and stores
-- nothing, if the figures of this day were computed after p_now.
-- `listed`, `networks` and `prices` count endpoints that a directory lists. `networks`: main network; `none` without a
-- network, and `other` for networks that are not among the 30 most frequent. `prices`: percentiles of the prices above
-- zero in US dollars, without URL templates, whose price depends on the item. `causes`: endpoints whose latest probe
-- failed, by the cause of the failure. `tags`: the 30 most frequent tags.
-- The snapshots are scanned once. Most counts come from the groups, of which there are a few thousand. The numbers of
-- hosts and tags come from `explore_terms`, which contains the hosts and tags of all public endpoints.
create function public.record_ecosystem_day(p_now timestamptz)
returns boolean
language sql
set search_path = ''
as $$
  with scanned as materialized (
    select s.grade, s.recommendation,
      s.listing_status = 'listed' and s.listing_source = 'directory' as is_listed,
      s.listing_status = 'delisted' as is_delisted,
      s.last_probed_at is not null and s.failing_since is null as is_reachable,
      coalesce(s.is_compliant, false) as is_compliant,
      coalesce(s.network, 'none') as network,
      case when s.failing_since is not null then coalesce(s.last_failure ->> 'error', 'unknown') end as cause,
      case when not s.templated then s.amount_usd::numeric end as price
    from public.snapshots s where s.public
  ),
  groups as materialized (
    select s.grade, s.recommendation, s.is_listed, s.is_delisted, s.is_reachable, s.is_compliant, s.network, s.cause,
      count(*) as n
    from scanned s group by 1, 2, 3, 4, 5, 6, 7, 8
  ),
  networks as (
    select case when c.rank <= 30 or c.network = 'none' then c.network else 'other' end as network, sum(c.n) as n
    from (
      select g.network, sum(g.n) as n, row_number() over (order by sum(g.n) desc, g.network collate "C") as rank
      from groups g where g.is_listed group by g.network
    ) c
    group by 1
  ),
  causes as (
    select g.cause, sum(g.n) as n from groups g where g.cause is not null group by g.cause
  ),
  prices as (
    select count(*) as n, percentile_disc(array[0.1, 0.25, 0.5, 0.75, 0.9]) within group (order by s.price) as p
    from scanned s where s.is_listed and s.price > 0
  ),
  totals as (
    select jsonb_build_object(
      'endpoints', coalesce(sum(g.n), 0),
      'listed', coalesce(sum(g.n) filter (where g.is_listed), 0),
      'delisted', coalesce(sum(g.n) filter (where g.is_delisted), 0),
      'reachable', coalesce(sum(g.n) filter (where g.is_reachable), 0),
      'compliant', coalesce(sum(g.n) filter (where g.is_compliant), 0)
    ) as counts
    from groups g
  ),
  stored as (
    insert into public.ecosystem_days as d (day, computed_at, figures)
    select (p_now at time zone 'UTC')::date, p_now, t.counts || jsonb_build_object(
      'providers', (select count(*) from public.explore_terms t where t.kind = 'host'),
      'grades', (
        select jsonb_object_agg(l.grade, (select coalesce(sum(g.n), 0) from groups g where g.grade = l.grade))
        from unnest(array['A', 'B', 'C', 'D', 'F', '?']) as l (grade)
      ),
      'recommendations', (
        select jsonb_object_agg(l.name, (select coalesce(sum(g.n), 0) from groups g where g.recommendation = l.name))
        from unnest(array['proceed', 'caution', 'parameterize', 'avoid', 'unverified', 'free']) as l (name)
      ),
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
    from totals t
    on conflict (day) do update set computed_at = excluded.computed_at, figures = excluded.figures
    where d.computed_at <= excluded.computed_at
    returning 1
  )
  select exists (select 1 from stored);
$$;

-- Deletes the figures of days before p_keep_from. Returns the number of deleted days.
create function public.prune_ecosystem_days(p_keep_from date)
returns integer
language sql
set search_path = ''
as $$
  with deleted as (
    delete from public.ecosystem_days d where d.day < p_keep_from returning 1
  )
  select count(*)::integer from deleted;
$$;

-- Function access. `endpoint_days` returns only public rows.
revoke execute on function public.endpoint_days(text) from public, anon, authenticated;
revoke execute on function public.record_ecosystem_day(timestamptz) from public, anon, authenticated;
revoke execute on function public.prune_ecosystem_days(date) from public, anon, authenticated;
grant execute on function public.endpoint_days(text) to service_role, anon, authenticated;
grant execute on function public.record_ecosystem_day(timestamptz) to service_role;
grant execute on function public.prune_ecosystem_days(date) to service_role;
