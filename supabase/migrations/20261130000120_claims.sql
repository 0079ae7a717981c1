-- Claims: the rows of host queues are written once, and short functions are inlined. The results are the same.

-- The next three functions have no `set search_path`, so that PostgreSQL inlines them into the statements that call them.
-- For this, `next_slot` also reads p_offset only once, and converts p_after to UTC first, which makes `extract` immutable.

-- Returns the first slot strictly after p_after. Intervals are counted from the epoch. Each interval has one slot,
-- p_offset seconds after its start. p_after must be later than 1970.
create or replace function internal.next_slot(p_after timestamptz, p_interval integer, p_offset integer)
returns timestamptz
language sql immutable
as $$
  select to_timestamp(
    extract(epoch from p_after at time zone 'UTC') + p_interval
      - mod(extract(epoch from p_after at time zone 'UTC') - p_offset, p_interval)
  );
$$;

-- Returns the current probe interval of a schedule, in seconds. Normally this is the regular interval. A watched
-- schedule has at most five minutes, even after 14 days of downtime: the owner of the watch waits for the recovery. Any
-- other slow schedule has at least six hours.
create or replace function internal.cadence_seconds(p_schedule public.schedules)
returns integer
language sql immutable
as $$
  select case
    when p_schedule.watched then least(300, p_schedule.interval_seconds)
    when p_schedule.slow then greatest(21600, p_schedule.interval_seconds)
    else p_schedule.interval_seconds
  end;
$$;

-- Returns the first slot of a schedule after p_after. A slow schedule keeps one of its regular slots in six hours. A
-- hash of the endpoint id selects that slot, so slow endpoints are spread evenly over six hours.
create or replace function internal.next_due(p_schedule public.schedules, p_after timestamptz)
returns timestamptz
language sql immutable
as $$
  select internal.next_slot(
    p_after,
    internal.cadence_seconds(p_schedule),
    p_schedule.offset_seconds + case when p_schedule.slow and not p_schedule.watched then
      p_schedule.interval_seconds
      * (internal.stable_hash(p_schedule.endpoint_id) % greatest(21600 / p_schedule.interval_seconds, 1))
    else 0 end
  );
$$;

-- Claims up to p_limit due slots of hosts that no other claim has locked. First claims one slot of each host, then a
-- second slot of each host, and so on. Afterwards delays the next claim of each host according to its rate limit.
create or replace function internal.claim_due_slots(
  p_owner text, p_now timestamptz, p_until timestamptz, p_limit integer, p_host_suffix text,
  p_host_limit integer, p_host_per_second numeric, p_skipped_ids text[]
)
returns setof internal.slot
language plpgsql
set search_path = ''
as $$
declare
  v_hosts text[];
  -- Hosts that may have more due slots than were chosen.
  v_open_hosts text[];
  v_host_share integer;
  -- Maximum number of slots of one open host that were read before.
  v_host_read integer := 0;
  v_slots internal.slot[];
  v_claimed internal.slot[] := '{}';
  v_slot_hosts text[];
  -- Host of each claimed slot, in any order.
  v_claimed_hosts text[] := '{}';
begin
  -- This is a separate statement, so the next statement sees all schedules that were committed before the hosts were
  -- locked.
  select coalesce(array_agg(q.host), '{}') into v_hosts from (
    select h.host from public.host_queues h
    where h.next_due_at <= p_now and (p_host_suffix is null or right(h.host, length(p_host_suffix)) = p_host_suffix)
    order by h.next_due_at limit p_limit
    for update skip locked
  ) q;

  v_open_hosts := v_hosts;
  while cardinality(v_open_hosts) > 0 and cardinality(v_claimed) < p_limit and v_host_read < p_host_limit loop
    -- Maximum number of slots read per host: twice the missing number divided by the number of hosts. So few unneeded
    -- rows are read. If most hosts have fewer due slots, the next iteration reads more slots of the other hosts.
    v_host_share := least(
      p_host_limit - v_host_read, ceil(2.0 * (p_limit - cardinality(v_claimed)) / cardinality(v_open_hosts))
    );
    with due as materialized (
      select d.*, row_number() over (partition by d.host order by d.next_probe_at) as host_rank
      from unnest(v_open_hosts) as h (host) cross join lateral (
        select s.endpoint_id, s.host, s.next_probe_at from public.schedules s
        where s.host = h.host and s.next_probe_at <= p_now and s.endpoint_id <> all (p_skipped_ids)
        order by s.next_probe_at limit v_host_share
        for update skip locked
      ) d
    ),
    chosen as (
      select d.endpoint_id, d.next_probe_at from due d
      order by d.host_rank, d.next_probe_at limit p_limit - cardinality(v_claimed)
    ),
    advanced as (
      update public.schedules s set next_probe_at = internal.next_due(s, p_now)
      from chosen c where s.endpoint_id = c.endpoint_id
      returning s.endpoint_id, s.host, internal.cadence_seconds(s) as cadence, c.next_probe_at as due_at,
        s.next_probe_at - make_interval(secs => internal.cadence_seconds(s)) as slot_at
    ),
    counted as (
      select a.*, 1 + greatest(floor(extract(epoch from a.slot_at - a.due_at) / a.cadence), 0)::integer as slots
      from advanced a join public.endpoints e on e.id = a.endpoint_id
      -- Endpoints that were removed on request, and templates without example values, get no lease. Their schedule
      -- advances without a probe.
      where e.removed_at is null and e.probe_url is not null
    ),
    inserted as (
      insert into public.leases as l (endpoint_id, slot_at, owner, expires_at, due_slots, due_seconds)
      select c.endpoint_id, c.slot_at, p_owner, p_until, c.slots, c.slots * c.cadence from counted c
      on conflict do nothing
      returning l.endpoint_id, l.slot_at
    )
    select
      (select coalesce(array_agg(row(t.endpoint_id, t.slot_at)::internal.slot), '{}') from inserted t),
      array(select a.host from inserted t join advanced a on a.endpoint_id = t.endpoint_id),
      array(
        select d.host from due d left join chosen c on c.endpoint_id = d.endpoint_id
        group by d.host having count(*) = v_host_share or count(c.endpoint_id) < count(*)
      )
    into v_slots, v_slot_hosts, v_open_hosts;
    v_claimed := v_claimed || v_slots;
    v_claimed_hosts := v_claimed_hosts || v_slot_hosts;
    v_host_read := v_host_read + v_host_share;
  end loop;

  -- The rows are locked since the start of the claim, so their order here cannot cause a deadlock.
  update public.host_queues q set not_before = t.not_before, next_due_at = greatest(t.not_before, t.due_at)
  from (
    select o.host, d.due_at, case when c.slots is null then o.not_before else
      greatest(o.not_before, p_now + make_interval(secs => (c.slots / p_host_per_second)::double precision))
    end as not_before
    from unnest(v_hosts) as h (host)
    join public.host_queues o on o.host = h.host
    left join (select n.host, count(*) as slots from unnest(v_claimed_hosts) as n (host) group by 1) c on c.host = h.host
    cross join lateral (
      select coalesce(min(s.next_probe_at), 'infinity') as due_at from public.schedules s where s.host = h.host
    ) d
  ) t
  where q.host = t.host
    and (q.not_before, q.next_due_at) is distinct from (t.not_before, greatest(t.not_before, t.due_at));
  return query select * from unnest(v_claimed);
end;
$$;
