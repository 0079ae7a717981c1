-- Claiming: which slots are due, who holds them, and how they come back.

create type internal.slot as (endpoint_id text, slot_at timestamptz);

-- Takes over up to p_limit slots whose lease ran out, second looks with p_confirming and slots of the schedule without:
-- one an endpoint and p_host_limit a host, and none of a host that is left in peace or that somebody else claims from at
-- this moment. They count towards the pace of their host like any others. What is not asked now expires again when the
-- pace of its host allows it, so that it hides nobody else's; it is returned without a time. The latest slot of an
-- endpoint answers for those it lost before. A second look that nobody made within minutes is given up: the next slot
-- tells the same.
create function internal.retake_slots(
  p_owner text, p_now timestamptz, p_until timestamptz, p_limit integer, p_host_suffix text, p_host_limit integer,
  p_host_per_second numeric, p_confirming boolean
)
returns setof internal.slot
language sql
set search_path = ''
as $$
  with expired as materialized (
    select l.endpoint_id, l.slot_at, l.due_slots, l.due_seconds, e.host,
      e.removed_at is null and e.probe_url is not null
        and (not l.confirms or l.slot_at > p_now - interval '10 minutes') as wanted
    from public.leases l join public.endpoints e on e.id = l.endpoint_id
    where l.expires_at <= p_now and l.confirms = p_confirming
      and (p_host_suffix is null or right(e.host, length(p_host_suffix)) = p_host_suffix)
    order by l.expires_at limit p_limit
    for update of l skip locked
  ),
  hosts as materialized (
    select q.host, greatest(q.not_before, p_now) as free_at from public.host_queues q
    where q.host in (select x.host from expired x where x.wanted)
    order by q.host
    for update skip locked
  ),
  latest as (
    select x.endpoint_id, x.host, max(x.slot_at) as slot_at,
      sum(x.due_slots)::integer as due_slots, sum(x.due_seconds)::integer as due_seconds
    from expired x where x.wanted group by 1, 2
  ),
  ranked as (
    select t.*, h.free_at, row_number() over (partition by t.host order by t.slot_at, t.endpoint_id) as place
    from latest t join hosts h on h.host = t.host
  ),
  decided as (
    select r.*, r.free_at <= p_now and r.place <= p_host_limit as now,
      r.free_at + make_interval(secs => ((r.place - 1) / p_host_per_second)::double precision) as later
    from ranked r
  ),
  dropped as (
    delete from public.leases l using expired x left join decided d on d.endpoint_id = x.endpoint_id
    where l.endpoint_id = x.endpoint_id and l.slot_at = x.slot_at
      and (not x.wanted or x.slot_at < d.slot_at)
  ),
  paced as (
    update public.host_queues q set
      not_before = p_now + make_interval(secs => (t.slots / p_host_per_second)::double precision)
    from (select d.host, count(*) as slots from decided d where d.now group by d.host) t
    where q.host = t.host
  )
  update public.leases l set
    due_slots = d.due_slots,
    due_seconds = d.due_seconds,
    owner = case when d.now then p_owner else l.owner end,
    expires_at = case when d.now then p_until else d.later end
  from decided d where l.endpoint_id = d.endpoint_id and l.slot_at = d.slot_at
  returning l.endpoint_id, case when d.now then l.slot_at end;
$$;

-- Takes up to p_limit due slots of hosts that nobody else claims from at this moment, in turns: the first of each
-- host, then the second of each. A host waits then as long as it takes to ask it that much at its pace.
create function internal.take_due_slots(
  p_owner text, p_now timestamptz, p_until timestamptz, p_limit integer, p_host_suffix text,
  p_host_limit integer, p_host_per_second numeric, p_busy text[]
)
returns setof internal.slot
language plpgsql
set search_path = ''
as $$
declare
  v_hosts text[];
  v_share integer;
  v_taken internal.slot[];
begin
  -- A statement of its own: the one after it sees what was scheduled for these hosts until they were locked.
  select coalesce(array_agg(q.host), '{}') into v_hosts from (
    select h.host from public.host_queues h
    where h.next_due_at <= p_now and (p_host_suffix is null or right(h.host, length(p_host_suffix)) = p_host_suffix)
    order by h.next_due_at limit p_limit
    for update skip locked
  ) q;
  -- Twice what each would get if all had enough: few rows are read in vain, and few claims are left short.
  v_share := least(p_host_limit, ceil(2.0 * p_limit / greatest(cardinality(v_hosts), 1)));

  with due as (
    select d.*, row_number() over (partition by d.host order by d.next_probe_at) as place
    from unnest(v_hosts) as h (host) cross join lateral (
      select s.endpoint_id, s.host, s.next_probe_at from public.schedules s
      where s.host = h.host and s.next_probe_at <= p_now and s.endpoint_id <> all (p_busy)
      order by s.next_probe_at limit v_share
      for update skip locked
    ) d
  ),
  chosen as (
    select d.endpoint_id, d.next_probe_at from due d order by d.place, d.next_probe_at limit p_limit
  ),
  advanced as (
    update public.schedules s set next_probe_at = internal.next_due(s, p_now)
    from chosen c where s.endpoint_id = c.endpoint_id
    returning s.endpoint_id, internal.cadence_seconds(s) as cadence, c.next_probe_at as due_at,
      s.next_probe_at - make_interval(secs => internal.cadence_seconds(s)) as slot_at
  ),
  counted as (
    select a.*, 1 + greatest(floor(extract(epoch from a.slot_at - a.due_at) / a.cadence), 0)::integer as slots
    from advanced a join public.endpoints e on e.id = a.endpoint_id
    -- Neither what was removed nor a template without example values; their turn passes all the same.
    where e.removed_at is null and e.probe_url is not null
  ),
  taken as (
    insert into public.leases as l (endpoint_id, slot_at, owner, expires_at, due_slots, due_seconds)
    select c.endpoint_id, c.slot_at, p_owner, p_until, c.slots, c.slots * c.cadence from counted c
    on conflict do nothing
    returning l.endpoint_id, l.slot_at
  )
  select coalesce(array_agg(row(t.endpoint_id, t.slot_at)::internal.slot), '{}') into v_taken from taken t;

  update public.host_queues q set
    not_before = greatest(q.not_before, p_now + make_interval(secs => (t.slots / p_host_per_second)::double precision))
  from (
    select s.host, count(*) as slots from unnest(v_taken) k join public.schedules s on s.endpoint_id = k.endpoint_id
    group by s.host
  ) t
  where q.host = t.host;
  perform internal.wake_hosts(v_hosts);
  return query select * from unnest(v_taken);
end;
$$;

-- Claims up to p_limit due slots for p_owner until p_now + p_lease_seconds: first those whose lease ran out, then
-- those that are due, one slot an endpoint. A slot that was missed while nobody worked is not made up for: the latest
-- one is handed out. p_host_suffix limits the claim to hosts that end with it (a worker that can reach no others).
-- One host gives p_host_limit slots a claim at most, and p_host_per_second over all claims. With p_confirming second
-- looks at misses are claimed and nothing else, and without it none of them: they cannot wait for the rest of a sweep.
create function public.claim_due_endpoints(
  p_owner text, p_now timestamptz, p_limit integer, p_lease_seconds integer, p_host_suffix text default null,
  p_host_limit integer default 60, p_host_per_second numeric default 2, p_confirming boolean default false
)
returns table (
  endpoint_id text, slot_at timestamptz, confirms boolean, resource text, probe_url text, host text,
  declared_method text, challenged_method text
)
language plpgsql
set search_path = ''
as $$
#variable_conflict use_column
declare
  v_until timestamptz := p_now + make_interval(secs => p_lease_seconds);
  v_retaken internal.slot[];
  v_taken internal.slot[] := '{}';
begin
  select coalesce(array_agg(r), '{}') into v_retaken
  from internal.retake_slots(
    p_owner, p_now, v_until, p_limit, p_host_suffix, p_host_limit, p_host_per_second, p_confirming
  ) r;
  perform internal.wake_hosts(array(
    select distinct e.host from unnest(v_retaken) r join public.endpoints e on e.id = r.endpoint_id
    where r.slot_at is not null
  ));
  if not p_confirming then
    select coalesce(array_agg(t), '{}') into v_taken
    from internal.take_due_slots(
      p_owner, p_now, v_until, greatest(p_limit - (select count(r.slot_at) from unnest(v_retaken) r), 0)::integer,
      p_host_suffix, p_host_limit, p_host_per_second, array(select r.endpoint_id from unnest(v_retaken) r)
    ) t;
  end if;

  return query
  select c.endpoint_id, c.slot_at, l.confirms, e.resource, e.probe_url, e.host, e.declared_method, s.method
  from unnest(v_retaken || v_taken) c
  join public.leases l on l.endpoint_id = c.endpoint_id and l.slot_at = c.slot_at
  join public.endpoints e on e.id = c.endpoint_id
  left join public.endpoint_states s on s.endpoint_id = c.endpoint_id
  order by c.slot_at, c.endpoint_id;
end;
$$;

-- How many slots a sweep could claim now: of hosts that are left in peace none, of others p_host_limit at most, and those
-- whose lease ran out. It may count a few that no worker may probe, so a claim can come back with fewer.
create function public.count_due_slots(p_now timestamptz, p_host_limit integer)
returns integer
language sql stable
set search_path = ''
as $$
  select (
    (
      select count(*) from public.host_queues q cross join lateral (
        select 1 from public.schedules s where s.host = q.host and s.next_probe_at <= p_now limit p_host_limit
      ) d
      where q.next_due_at <= p_now
    ) + (select count(*) from public.leases l where l.expires_at <= p_now and not l.confirms)
  )::integer;
$$;

-- Takes slots from their owner, those that are named or all of them. With p_again they are due again as if they had
-- never been claimed; without, they are let go, and count as due and not probed. Returns how many there were.
create function internal.release(p_owner text, p_endpoint_ids text[], p_slots timestamptz[], p_again boolean)
returns integer
language plpgsql
set search_path = ''
as $$
declare
  v_count integer;
  v_ids text[];
  v_hosts text[];
  v_back public.leases[];
begin
  with mine as (
    select l.endpoint_id, l.slot_at from public.leases l
    where l.owner = p_owner and (p_endpoint_ids is null or (l.endpoint_id, l.slot_at) in (
      select i.id, i.slot_at from unnest(p_endpoint_ids, p_slots) as i (id, slot_at)
    ))
    for update skip locked
  ),
  -- A confirming probe belongs to no schedule: it waits for another worker.
  offered as (
    update public.leases l set owner = '', expires_at = l.slot_at
    from mine m where l.endpoint_id = m.endpoint_id and l.slot_at = m.slot_at and l.confirms and p_again
  ),
  released as (
    delete from public.leases l using mine m
    where l.endpoint_id = m.endpoint_id and l.slot_at = m.slot_at and not (l.confirms and p_again)
    returning l
  )
  select (select count(*) from mine), array(select r.l from released r) into v_count, v_back;

  if not p_again then
    -- Whoever writes rollups holds the locks of their states, taken in this order.
    perform 1 from public.endpoint_states s
    where s.endpoint_id in (select b.endpoint_id from unnest(v_back) b)
    order by s.endpoint_id for update;
    insert into public.daily_rollups as d (endpoint_id, day, slots_due, due_seconds)
    select b.endpoint_id, (b.slot_at at time zone 'UTC')::date, sum(b.due_slots), sum(b.due_seconds)
    from unnest(v_back) b where not b.confirms group by 1, 2 order by 1, 2
    on conflict (endpoint_id, day) do update set
      slots_due = d.slots_due + excluded.slots_due, due_seconds = d.due_seconds + excluded.due_seconds;
    return v_count;
  end if;

  select array_agg(b.endpoint_id) into v_ids from unnest(v_back) b;
  perform 1 from public.schedules s where s.endpoint_id = any (v_ids) order by s.endpoint_id for update;
  with again as (
    update public.schedules s set next_probe_at = least(s.next_probe_at, r.slot_at)
    from (
      -- Back to the first of the slots it answered for, so that they are still owed.
      select b.endpoint_id, min(
        b.slot_at - make_interval(secs => b.due_seconds - b.due_seconds / greatest(b.due_slots, 1))
      ) as slot_at
      from unnest(v_back) b group by 1
    ) r
    where s.endpoint_id = r.endpoint_id
    returning s.host
  )
  select array_agg(distinct a.host) into v_hosts from again a;
  perform internal.wake_hosts(v_hosts);
  return v_count;
end;
$$;

-- Gives back what an owner that is known to be gone had claimed (the one worker of a database, restarted): its slots
-- are due again.
create function public.release_leases(p_owner text)
returns integer
language sql
set search_path = ''
as $$
  select internal.release(p_owner, null, null, true);
$$;
