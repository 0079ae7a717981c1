-- Ecosystem totals: statistics of all public snapshots in one stored row. To compute them takes more than a second with
-- a million snapshots, and a public key may read for three seconds.

create table public.ecosystem_totals (
  -- There is one row.
  id boolean primary key default true check (id),
  figures jsonb not null
);
alter table public.ecosystem_totals enable row level security;
revoke all on public.ecosystem_totals from public, anon, authenticated;
grant select on public.ecosystem_totals to anon, authenticated;
grant all on public.ecosystem_totals to service_role;
create policy ecosystem_totals_public on public.ecosystem_totals for select to anon, authenticated using (true);

-- Computes the statistics of all public snapshots. `listed` counts the endpoints that a directory lists, `adopted` those
-- that no directory has listed. The snapshots are scanned once. Most counts come from the groups, of which there are a
-- few hundred. `explore_terms` contains the hosts of all public endpoints.
create function internal.compute_ecosystem()
returns jsonb
language sql stable
set search_path = ''
as $$
  with groups as materialized (
    select s.listing_status, s.listing_source, s.grade, s.recommendation, coalesce(s.is_compliant, false) as is_compliant,
      s.last_probed_at is not null and s.failing_since is null as is_reachable,
      count(*) as n, sum(s.probes_30d) as probes, max(s.last_probed_at) as last_probed_at
    from public.snapshots s where s.public group by 1, 2, 3, 4, 5, 6
  )
  select jsonb_build_object(
    'endpoints', coalesce(sum(g.n), 0),
    'listed', coalesce(sum(g.n) filter (where g.listing_status = 'listed' and g.listing_source = 'directory'), 0),
    'delisted', coalesce(sum(g.n) filter (where g.listing_status = 'delisted'), 0),
    'adopted', coalesce(sum(g.n) filter (where g.listing_source = 'adopted'), 0),
    'reachable', coalesce(sum(g.n) filter (where g.is_reachable), 0),
    'compliant', coalesce(sum(g.n) filter (where g.is_compliant), 0),
    'providers', (select count(*) from public.explore_terms t where t.kind = 'host'),
    'probes30d', coalesce(sum(g.probes), 0),
    'grades', (
      select jsonb_object_agg(l.grade, (select coalesce(sum(r.n), 0) from groups r where r.grade = l.grade))
      from unnest(array['A', 'B', 'C', 'D', 'F', '?']) as l (grade)
    ),
    'recommendations', (
      select jsonb_object_agg(l.name, (select coalesce(sum(r.n), 0) from groups r where r.recommendation = l.name))
      from unnest(array['proceed', 'caution', 'parameterize', 'avoid', 'unverified', 'free']) as l (name)
    ),
    'lastProbedAt', max(g.last_probed_at)
  )
  from groups g;
$$;

insert into public.ecosystem_totals (figures) values (internal.compute_ecosystem());

-- Computes the statistics of all public snapshots again and stores them. Returns true if they changed. Does nothing while
-- another call is running, because that one could otherwise store older statistics later.
create function public.refresh_ecosystem()
returns boolean
language plpgsql
set search_path = ''
as $$
begin
  perform 1 from public.ecosystem_totals for update skip locked;
  if not found then
    return false;
  end if;
  update public.ecosystem_totals t set figures = c.figures
  from (select internal.compute_ecosystem() as figures) c
  where t.figures <> c.figures;
  return found;
end;
$$;

-- Returns the stored statistics of all public snapshots.
create or replace function public.ecosystem()
returns jsonb
language sql stable
set search_path = ''
as $$
  select t.figures from public.ecosystem_totals t;
$$;

revoke execute on function internal.compute_ecosystem() from public;
grant execute on function internal.compute_ecosystem() to service_role;
revoke execute on function public.refresh_ecosystem() from public, anon, authenticated;
grant execute on function public.refresh_ecosystem() to service_role;
