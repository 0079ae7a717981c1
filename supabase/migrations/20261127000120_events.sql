-- Ecosystem events: what changed at the endpoints of a host on one UTC day, without evidence.

-- One row per kind, host and UTC day, so an outage of a host with 400 endpoints is one event.
create table public.ecosystem_events (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('takeover-suspected', 'price-spike', 'delisted', 'outage')),
  host text not null,
  day date not null,
  -- Time of the score that first found the state.
  at timestamptz not null,
  -- Time at which the number of endpoints last rose.
  updated_at timestamptz not null,
  -- First endpoint with this event.
  endpoint_id text collate "C" not null,
  -- Number of rows in `ecosystem_event_endpoints`.
  endpoints integer not null,
  unique (kind, host, day)
);
create index ecosystem_events_newest on public.ecosystem_events (updated_at desc, id desc);
create index ecosystem_events_day on public.ecosystem_events (day);

-- Endpoints of each event. An endpoint that enters a state several times a day is counted once. There is no foreign key
-- to `endpoints`, which would need another index. An event whose endpoints are all deleted is not returned. It is pruned
-- with its day.
create table public.ecosystem_event_endpoints (
  event_id bigint not null references public.ecosystem_events (id) on delete cascade,
  endpoint_id text collate "C" not null,
  primary key (event_id, endpoint_id)
);

-- Trigger function: records an event for each alert of a stored score that the previous score of the endpoint did not
-- have. `facts -> 'alerts'` contains what applies to the endpoint: [{ kind, since }]. An alert with another `since` is
-- another one. The first score of an endpoint, its first score after the upgrade to this migration, and its first score
-- with another formula record no event, because the state may have begun before this score. The trigger runs after the
-- statement, so `snapshots` already contains the time of the score.
create function internal.record_ecosystem_events()
returns trigger
language plpgsql
set search_path = ''
as $$
declare
  v_event record;
  v_id bigint;
  v_added integer;
begin
  -- The events are inserted in the order of their key, which prevents deadlocks.
  for v_event in
    select a.alert ->> 'kind' as kind, s.host, (s.computed_at at time zone 'UTC')::date as day, min(s.computed_at) as at,
      array_agg(n.endpoint_id order by s.computed_at, n.endpoint_id) as endpoint_ids
    from scored n
    join previous o on o.endpoint_id = n.endpoint_id and o.scoring_version = n.scoring_version
    cross join lateral jsonb_array_elements(n.facts -> 'alerts') as a (alert)
    join public.snapshots s on s.endpoint_id = n.endpoint_id and s.public
    where o.facts ? 'alerts' and not (o.facts -> 'alerts') @> jsonb_build_array(a.alert)
    group by 1, 2, 3
    order by 1, 2, 3
  loop
    insert into public.ecosystem_events as e (kind, host, day, at, updated_at, endpoint_id, endpoints)
    values (v_event.kind, v_event.host, v_event.day, v_event.at, v_event.at, v_event.endpoint_ids[1], 0)
    on conflict (kind, host, day) do update set endpoints = e.endpoints
    returning e.id into v_id;

    insert into public.ecosystem_event_endpoints (event_id, endpoint_id)
    select v_id, u.id from unnest(v_event.endpoint_ids) as u (id) order by u.id
    on conflict do nothing;
    get diagnostics v_added = row_count;

    update public.ecosystem_events e
    set endpoints = e.endpoints + v_added, updated_at = greatest(e.updated_at, v_event.at)
    where e.id = v_id and v_added > 0;
  end loop;
  return null;
end;
$$;
create trigger snapshot_details_record_events after update on public.snapshot_details
  referencing old table as previous new table as scored
  for each statement execute function internal.record_ecosystem_events();

-- Returns at most p_limit events of the given kinds as a JSON array, latest update first; all kinds for an empty array.
-- The events come after the event p_before_id, which was updated at p_before_at; both are null for the first events. An
-- event is returned with its first endpoint that has a public snapshot and with the current grade and recommendation of
-- this endpoint. It is left out if no endpoint of it has a public snapshot.
-- Everyone can call this function with the rights of its owner, so it limits p_limit.
create function public.ecosystem_events(
  p_kinds text[], p_limit integer, p_before_at timestamptz default null, p_before_id bigint default null
)
returns jsonb
language sql stable security definer
set search_path = ''
as $$
  select coalesce(jsonb_agg(to_jsonb(v) order by v.updated_at desc, v.id desc), '[]')
  from (
    select e.id, e.at, e.updated_at, e.kind, e.host, s.slug, s.resource, s.grade, s.recommendation, e.endpoints
    from public.ecosystem_events e
    cross join lateral (
      select f.slug, f.resource, f.grade, f.recommendation, 1 as position
      from public.snapshots f where f.endpoint_id = e.endpoint_id and f.public
      union all
      (
        select f.slug, f.resource, f.grade, f.recommendation, 2
        from public.ecosystem_event_endpoints m
        join public.snapshots f on f.endpoint_id = m.endpoint_id and f.public
        where m.event_id = e.id order by m.endpoint_id limit 1
      )
      order by position limit 1
    ) s
    where (cardinality(p_kinds) = 0 or e.kind = any (p_kinds))
      and (p_before_at is null or (e.updated_at, e.id) < (p_before_at, p_before_id))
    order by e.updated_at desc, e.id desc
    limit greatest(1, least(coalesce(p_limit, 50), 101))
  ) v;
$$;

-- Deletes at most p_limit events of days before p_keep_from. Returns the number of deleted events.
create function public.prune_ecosystem_events(p_keep_from date, p_limit integer)
returns integer
language sql
set search_path = ''
as $$
  with deleted as (
    delete from public.ecosystem_events e using (
      select o.id from public.ecosystem_events o where o.day < p_keep_from limit p_limit for update skip locked
    ) x
    where e.id = x.id
    returning 1
  )
  select count(*)::integer from deleted;
$$;

alter table public.ecosystem_events enable row level security;
alter table public.ecosystem_event_endpoints enable row level security;
revoke all on public.ecosystem_events, public.ecosystem_event_endpoints from public, anon, authenticated;
grant all on public.ecosystem_events, public.ecosystem_event_endpoints to service_role;
revoke execute on function public.ecosystem_events(text[], integer, timestamptz, bigint) from public;
grant execute on function public.ecosystem_events(text[], integer, timestamptz, bigint)
  to anon, authenticated, service_role;
revoke execute on function public.prune_ecosystem_events(date, integer) from public, anon, authenticated;
grant execute on function public.prune_ecosystem_events(date, integer) to service_role;
revoke execute on function internal.record_ecosystem_events() from public;
grant execute on function internal.record_ecosystem_events() to service_role;
