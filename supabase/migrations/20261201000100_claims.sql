-- Claims read fewer rows and keep their query plans. The results are the same, except that a due slot whose lease
-- exists already counts toward the rate limit of its host.

-- Only a worker that stops needs all leases of one owner, and the table is small.
drop index public.leases_owner;

-- Claims up to p_limit slots whose lease has expired: rechecks with p_rechecks_only, otherwise scheduled slots. Claims
-- one slot per endpoint and at most p_host_limit per host. Skips hosts that are rate-limited or locked by another
-- claim. Claimed slots count toward the rate limit of their host.
-- A slot that must wait for its host gets a new expiry time that the rate limit permits, so it does not block other
-- slots. Its row is returned with slot_at null.
-- The latest slot of an endpoint replaces its earlier expired slots. A recheck that is 10 minutes late is dropped,
-- because the next scheduled slot gives the same information.
create or replace function internal.claim_expired_slots(
  p_owner text, p_now timestamptz, p_until timestamptz, p_limit integer, p_host_suffix text, p_host_limit integer,
  p_host_per_second numeric, p_rechecks_only boolean
)
returns setof internal.slot
language plpgsql
set search_path = ''
as $$
begin
  return query
  with expired as materialized (
    select l.endpoint_id, l.slot_at, l.due_slots, l.due_seconds, e.host,
      e.removed_at is null and e.probe_url is not null
        and (not l.is_recheck or l.slot_at > p_now - interval '10 minutes') as is_probeable
    from public.leases l join public.endpoints e on e.id = l.endpoint_id
    where l.expires_at <= p_now and l.is_recheck = p_rechecks_only
      and (p_host_suffix is null or right(e.host, length(p_host_suffix)) = p_host_suffix)
    order by l.expires_at limit p_limit
    for update of l skip locked
  ),
  hosts as materialized (
    select q.host, greatest(q.not_before, p_now) as free_at from public.host_queues q
    where q.host in (select x.host from expired x where x.is_probeable)
    order by q.host
    for update skip locked
  ),
  latest as (
    select x.endpoint_id, x.host, max(x.slot_at) as slot_at,
      sum(x.due_slots)::integer as due_slots, sum(x.due_seconds)::integer as due_seconds
    from expired x where x.is_probeable group by 1, 2
  ),
  ranked as (
    select t.*, h.free_at, row_number() over (partition by t.host order by t.slot_at, t.endpoint_id) as host_rank
    from latest t join hosts h on h.host = t.host
  ),
  planned as (
    select r.*, r.free_at <= p_now and r.host_rank <= p_host_limit as is_claimed,
      r.free_at + make_interval(secs => ((r.host_rank - 1) / p_host_per_second)::double precision) as retry_at
    from ranked r
  ),
  deleted as (
    delete from public.leases l using expired x left join planned d on d.endpoint_id = x.endpoint_id
    where l.endpoint_id = x.endpoint_id and l.slot_at = x.slot_at
      and (not x.is_probeable or x.slot_at < d.slot_at)
  ),
  delayed_hosts as (
    update public.host_queues q set
      not_before = p_now + make_interval(secs => (t.slots / p_host_per_second)::double precision)
    from (select d.host, count(*) as slots from planned d where d.is_claimed group by d.host) t
    where q.host = t.host
  )
  update public.leases l set
    due_slots = d.due_slots,
    due_seconds = d.due_seconds,
    owner = case when d.is_claimed then p_owner else l.owner end,
    expires_at = case when d.is_claimed then p_until else d.retry_at end
  from planned d where l.endpoint_id = d.endpoint_id and l.slot_at = d.slot_at
  returning l.endpoint_id, case when d.is_claimed then l.slot_at end;
end;
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
  -- End of the rate limit of each host in v_hosts.
  v_not_before timestamptz[];
  -- Hosts that may have more due slots than were chosen.
  v_open_hosts text[];
  v_host_share integer;
  -- Maximum number of slots of one open host that were read before.
  v_host_read integer := 0;
  v_slots internal.slot[];
  v_claimed internal.slot[] := '{}';
  v_slot_hosts text[];
  -- Host of each claimed slot, in any order. Includes slots whose lease existed already.
  v_claimed_hosts text[] := '{}';
begin
  -- This is a separate statement, so the next statement sees all schedules that were committed before the hosts were
  -- locked.
  select coalesce(array_agg(q.host), '{}'), array_agg(q.not_before) into v_hosts, v_not_before from (
    select h.host, h.not_before from public.host_queues h
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
        select s.ctid as row_id, s.endpoint_id, s.host, s.next_probe_at from public.schedules s
        where s.host = h.host and s.next_probe_at <= p_now and s.endpoint_id <> all (p_skipped_ids)
        order by s.next_probe_at limit v_host_share
        for update skip locked
      ) d
    ),
    chosen as (
      select d.row_id, d.endpoint_id, d.next_probe_at from due d
      order by d.host_rank, d.next_probe_at limit p_limit - cardinality(v_claimed)
    ),
    advanced as (
      -- The rows are locked, so they stay at their physical positions (ctid). A row that another transaction changed
      -- after this statement began is not found there. Its slot stays due for the next claim.
      update public.schedules s set next_probe_at = internal.next_due(s, p_now)
      from chosen c where s.ctid = c.row_id
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
      -- These are the hosts of `counted` and not of `inserted`: a join would compare all pairs, because a cached plan
      -- expects few rows.
      array(select n.host from counted n),
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
    from unnest(v_hosts, v_not_before) as o (host, not_before)
    left join (
      select n.host, count(*) as slots from unnest(v_claimed_hosts) as n (host) group by 1
    ) c on c.host = o.host
    cross join lateral (
      select coalesce(min(s.next_probe_at), 'infinity') as due_at from public.schedules s where s.host = o.host
    ) d
  ) t
  where q.host = t.host
    and (q.not_before, q.next_due_at) is distinct from (t.not_before, greatest(t.not_before, t.due_at));
  return query select * from unnest(v_claimed);
end;
$$;

-- Claims up to p_limit probe slots for p_owner until p_now + p_lease_seconds, at most one per endpoint: first slots
-- with an expired lease, then due slots. If an endpoint has several unclaimed slots, only the latest one is returned.
-- With p_rechecks_only it claims only rechecks, otherwise only scheduled slots. The two are claimed separately, because
-- a recheck cannot wait until a large batch ends.
-- p_host_suffix limits the claim to hosts with that suffix, for a worker that can reach no other hosts. p_host_limit is
-- the maximum number of slots of one host in this claim. p_host_per_second is the rate limit of one host over all
-- claims.
create or replace function public.claim_due_endpoints(
  p_owner text, p_now timestamptz, p_limit integer, p_lease_seconds integer, p_host_suffix text default null,
  p_host_limit integer default 60, p_host_per_second numeric default 2, p_rechecks_only boolean default false
)
returns table (
  endpoint_id text, slot_at timestamptz, is_recheck boolean, resource text, probe_url text, host text,
  declared_method text, challenged_method text
)
language plpgsql
set search_path = ''
as $$
#variable_conflict use_column
declare
  v_until timestamptz := p_now + make_interval(secs => p_lease_seconds);
  v_expired internal.slot[];
  v_claimed internal.slot[] := '{}';
begin
  select coalesce(array_agg(r), '{}') into v_expired
  from internal.claim_expired_slots(
    p_owner, p_now, v_until, p_limit, p_host_suffix, p_host_limit, p_host_per_second, p_rechecks_only
  ) r;
  perform internal.update_host_queues(array(
    select distinct e.host from unnest(v_expired) r join public.endpoints e on e.id = r.endpoint_id
    where r.slot_at is not null
  ));
  if not p_rechecks_only then
    select coalesce(array_agg(t), '{}') into v_claimed
    from internal.claim_due_slots(
      p_owner, p_now, v_until, greatest(p_limit - (select count(r.slot_at) from unnest(v_expired) r), 0)::integer,
      p_host_suffix, p_host_limit, p_host_per_second, array(select r.endpoint_id from unnest(v_expired) r)
    ) t;
  end if;

  return query
  select c.endpoint_id, c.slot_at, p_rechecks_only, e.resource, e.probe_url, e.host, e.declared_method, s.method
  from unnest(v_expired || v_claimed) c
  join public.endpoints e on e.id = c.endpoint_id
  left join public.endpoint_states s on s.endpoint_id = c.endpoint_id
  -- Slots that must wait for their host have no time.
  where c.slot_at is not null
  order by c.slot_at, c.endpoint_id;
end;
$$;
