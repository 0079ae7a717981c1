-- Probing: schedules, host queues, leases, and claims of due probe slots. Rows of host_queues and schedules are locked
-- in the order of their keys or with `skip locked`, which prevents deadlocks.

-- Next probe time of each endpoint. This is a separate table because its small rows are updated frequently.
create table public.schedules (
  endpoint_id text collate "C" primary key references public.endpoints (id) on delete cascade,
  host text collate "C" not null,
  -- Regular probe interval. `offset_seconds` is the stable offset of the endpoint's slots within this interval.
  interval_seconds integer not null default 1800 check (interval_seconds > 0),
  offset_seconds integer not null check (offset_seconds >= 0),
  -- True if a watch subscription exists. The endpoint is then probed at least every five minutes.
  watched boolean not null default false,
  -- True after 14 days of downtime. The endpoint is then probed at most four times a day until it responds.
  slow boolean not null default false,
  next_probe_at timestamptz not null
);

create index schedules_host_due on public.schedules (host, next_probe_at);

-- Next probe time of each host. A claim selects hosts first, so a host with many due slots cannot block other hosts.
create table public.host_queues (
  host text collate "C" primary key,
  -- Earliest probe time of the host's endpoints, or `not_before` if `not_before` is later.
  next_due_at timestamptz not null,
  -- Earliest time at which slots of this host may be claimed again. Set by the rate limit of the host.
  not_before timestamptz not null default '-infinity'
);

create index host_queues_due on public.host_queues (next_due_at);

-- Adds the hosts of new schedules to the host queues.
create function internal.queue_hosts()
returns trigger
language plpgsql
as $$
begin
  insert into public.host_queues as q (host, next_due_at)
  select a.host, min(a.next_probe_at) from added a group by a.host order by a.host
  on conflict (host) do update set next_due_at = greatest(q.not_before, excluded.next_due_at)
  where q.next_due_at > excluded.next_due_at;
  return null;
end;
$$;

create trigger schedules_queue_hosts after insert on public.schedules
  referencing new table as added for each statement execute function internal.queue_hosts();

-- Leases of probe slots that workers have claimed. Only the owner of a lease may record a probe result for its slot.
-- After the lease has expired, another worker can claim the slot.
-- The table has no foreign key, because its check would read and lock each claimed endpoint. A lease is only inserted
-- while the schedule or the state of its endpoint is locked. Whoever deletes an endpoint deletes its leases afterwards.
create table public.leases (
  endpoint_id text collate "C" not null,
  slot_at timestamptz not null,
  owner text not null,
  expires_at timestamptz not null,
  -- True for a recheck after a miss, which is outside the schedule. The owner is '' until a worker claims the recheck.
  is_recheck boolean not null default false,
  -- Number of slots that this lease covers: the claimed slot and the earlier slots that no worker claimed.
  -- `due_seconds` is the sum of their probe intervals.
  due_slots integer not null default 0,
  due_seconds integer not null default 0,
  primary key (endpoint_id, slot_at)
);

create index leases_expiry on public.leases (expires_at);

create type internal.slot as (endpoint_id text, slot_at timestamptz);

create type internal.claimed_slot as (
  endpoint_id text, slot_at timestamptz, resource text, probe_url text, host text, declared_method text
);

-- Returns the first slot (planned probe time) after p_after. Intervals are counted from the epoch. Each interval has
-- one slot, p_offset seconds after its start. p_after must be later than 1970. PostgreSQL can inline this function:
-- p_offset is read only once, and the conversion of p_after to UTC makes `extract` immutable.
create function internal.next_slot(p_after timestamptz, p_interval integer, p_offset integer)
returns timestamptz
language sql immutable
as $$
  select to_timestamp(
    extract(epoch from p_after at time zone 'UTC') + p_interval
      - mod(extract(epoch from p_after at time zone 'UTC') - p_offset, p_interval)
  );
$$;

-- Returns the current probe interval of a schedule, in seconds. Normally this is the regular interval. A watched
-- schedule has at most five minutes, even after 14 days of downtime, because the owner of the watch waits for the
-- recovery. Any other slow schedule has at least six hours.
create function internal.cadence_seconds(p_schedule public.schedules)
returns integer
language sql immutable
as $$
  select case
    when p_schedule.watched then least(300, p_schedule.interval_seconds)
    else greatest(p_schedule.interval_seconds, case when p_schedule.slow then 21600 end)
  end;
$$;

-- Returns the first slot of a schedule after p_after. A slow schedule keeps only one of its regular slots every six
-- hours. A hash of the endpoint id selects that slot, so slow endpoints are spread evenly over six hours.
create function internal.next_due(p_schedule public.schedules, p_after timestamptz)
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

-- Updates `next_due_at` of hosts from the schedules of their endpoints.
create function internal.update_host_queues(p_hosts text[])
returns void
language plpgsql
as $$
begin
  perform 1 from public.host_queues q where q.host = any (p_hosts) order by q.host for update;
  update public.host_queues q set next_due_at = greatest(q.not_before, d.at)
  from (
    select h.host, coalesce(
      (select s.next_probe_at from public.schedules s where s.host = h.host order by s.next_probe_at limit 1),
      'infinity'
    ) as at
    from unnest(p_hosts) as h (host)
  ) d
  where d.host = q.host and q.next_due_at is distinct from greatest(q.not_before, d.at);
end;
$$;

-- Claims up to p_limit slots whose lease has expired. With p_rechecks_only, claims only rechecks; otherwise, claims
-- only scheduled slots. Claims one slot per endpoint and at most p_host_limit per host. Skips hosts that are
-- rate-limited or locked by another claim. Claimed slots count toward the rate limit of their host.
-- A slot that must wait for its host gets a new expiry time that the rate limit permits, so it does not block other
-- slots. Its row is returned with slot_at null.
-- The latest slot of an endpoint replaces its earlier expired slots. A recheck that is 10 minutes late is dropped,
-- because the next scheduled slot gives the same information.
create function internal.claim_expired_slots(
  p_owner text, p_now timestamptz, p_until timestamptz, p_limit integer, p_host_suffix text, p_host_limit integer,
  p_host_per_second numeric, p_rechecks_only boolean
)
returns setof internal.slot
language plpgsql
as $$
begin
  return query
  with expired as materialized (
    select l.endpoint_id, l.slot_at, l.due_slots, l.due_seconds, e.host,
      (e.removed_at is null or e.opted_out) and e.probe_url is not null
        and (
          not exists (select from public.opt_outs o where o.host = e.host)
          or exists (select from public.schedules s where s.endpoint_id = e.id and s.watched)
        )
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
create function internal.claim_due_slots(
  p_owner text, p_now timestamptz, p_until timestamptz, p_limit integer, p_host_suffix text,
  p_host_limit integer, p_host_per_second numeric, p_skipped_ids text[]
)
returns setof internal.claimed_slot
language plpgsql
as $$
declare
  v_hosts text[];
  -- End of the rate limit of each host in v_hosts.
  v_not_before timestamptz[];
  v_claimed internal.claimed_slot[];
  -- Host of each claimed slot, in any order. Also contains the hosts of slots that already had a lease.
  v_claimed_hosts text[];
begin
  -- This is a separate statement, so the next statement sees all schedules that were committed before the hosts were
  -- locked.
  select coalesce(array_agg(q.host), '{}'), array_agg(q.not_before) into v_hosts, v_not_before from (
    select h.host, h.not_before from public.host_queues h
    where h.next_due_at <= p_now and (p_host_suffix is null or right(h.host, length(p_host_suffix)) = p_host_suffix)
    order by h.next_due_at limit p_limit
    for update skip locked
  ) q;

  with due as (
    select d.* from unnest(v_hosts) as h (host) cross join lateral (
      select s.ctid as row_id, s.next_probe_at, row_number() over (order by s.next_probe_at) as host_rank
      from public.schedules s
      where s.host = h.host and s.next_probe_at <= p_now and s.endpoint_id <> all (p_skipped_ids)
      order by s.next_probe_at limit p_host_limit
    ) d
  ),
  chosen as (
    select d.row_id from due d order by d.host_rank, d.next_probe_at limit p_limit
  ),
  -- A row that another transaction has changed or locked stays due for the next claim.
  locked as materialized (
    select s.ctid as row_id, s.next_probe_at from public.schedules s
    where s.ctid = any (array(select c.row_id from chosen c))
    for update skip locked
  ),
  advanced as (
    update public.schedules s set next_probe_at = internal.next_due(s, p_now)
    from locked l where s.ctid = l.row_id
    returning s.endpoint_id, s.host, s.watched, internal.cadence_seconds(s) as cadence, l.next_probe_at as due_at,
      s.next_probe_at - make_interval(secs => internal.cadence_seconds(s)) as slot_at
  ),
  counted as (
    select a.*, 1 + greatest(floor(extract(epoch from a.slot_at - a.due_at) / a.cadence), 0)::integer as slots,
      e.resource, e.probe_url, e.declared_method
    from advanced a join public.endpoints e on e.id = a.endpoint_id
    -- Endpoints that were removed on request, endpoints of a host that opted out, and templates without example values
    -- get no lease. Their schedule advances without a probe. A paid watch was sold before the opt-out, so its endpoint is
    -- probed until the watch ends.
    where (e.removed_at is null or e.opted_out) and e.probe_url is not null
      and (a.watched or not exists (select from public.opt_outs o where o.host = e.host))
  ),
  inserted as (
    insert into public.leases as l (endpoint_id, slot_at, owner, expires_at, due_slots, due_seconds)
    select c.endpoint_id, c.slot_at, p_owner, p_until, c.slots, c.slots * c.cadence from counted c
    on conflict do nothing
    returning l.endpoint_id
  )
  select array(
    select row(c.endpoint_id, c.slot_at, c.resource, c.probe_url, c.host, c.declared_method)::internal.claimed_slot
    from inserted t join counted c on c.endpoint_id = t.endpoint_id
  ), array(select n.host from counted n)
  into v_claimed, v_claimed_hosts;

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
-- With p_rechecks_only it claims only rechecks, otherwise only scheduled slots. Rechecks are claimed separately,
-- because a recheck cannot wait until a large batch ends.
-- p_host_suffix limits the claim to hosts with that suffix, for a worker that can reach no other hosts. p_host_limit is
-- the maximum number of slots of one host in this claim. p_host_per_second is the rate limit of one host over all
-- claims.
create function public.claim_due_endpoints(
  p_owner text, p_now timestamptz, p_limit integer, p_lease_seconds integer, p_host_suffix text default null,
  p_host_limit integer default 60, p_host_per_second numeric default 2, p_rechecks_only boolean default false
)
returns table (
  endpoint_id text, slot_at timestamptz, is_recheck boolean, resource text, probe_url text, host text,
  declared_method text, challenged_method text, settled_through text[]
)
language plpgsql
as $$
#variable_conflict use_column
declare
  v_until timestamptz := p_now + make_interval(secs => p_lease_seconds);
  v_expired internal.slot[];
  v_claimed internal.claimed_slot[];
begin
  select coalesce(array_agg(r), '{}') into v_expired
  from internal.claim_expired_slots(
    p_owner, p_now, v_until, p_limit, p_host_suffix, p_host_limit, p_host_per_second, p_rechecks_only
  ) r;
  v_claimed := array(
    select row(e.id, r.slot_at, e.resource, e.probe_url, e.host, e.declared_method)::internal.claimed_slot
    from unnest(v_expired) r join public.endpoints e on e.id = r.endpoint_id
    -- Slots that must wait for their host have no time.
    where r.slot_at is not null
  );
  perform internal.update_host_queues(array(select distinct c.host from unnest(v_claimed) c));
  if not p_rechecks_only then
    v_claimed := v_claimed || array(
      select t from internal.claim_due_slots(
        p_owner, p_now, v_until, p_limit - cardinality(v_claimed), p_host_suffix, p_host_limit, p_host_per_second,
        array(select r.endpoint_id from unnest(v_expired) r)
      ) t
    );
  end if;

  return query
  select c.endpoint_id, c.slot_at, p_rechecks_only, c.resource, c.probe_url, c.host, c.declared_method, s.method,
    coalesce(f.facilitators, '{}')
  from unnest(v_claimed) c
  left join public.endpoint_states s on s.endpoint_id = c.endpoint_id
  left join internal.settled_through(array(select o.endpoint_id from unnest(v_claimed) o), p_now) f
    on f.endpoint_id = c.endpoint_id
  order by c.slot_at, c.endpoint_id;
end;
$$;

-- Resets slots to their regular time if they are more than two probe intervals and more than an hour in the future.
-- Such slots were planned before the clock was set back. Rate limits of hosts that end in more than ten minutes are
-- reset too, because no claim sets such a limit. Returns the number of slots.
create function public.reset_distant_slots(p_now timestamptz)
returns integer
language plpgsql
as $$
declare
  v_count integer;
  v_hosts text[];
  v_ids text[] := array(
    select s.endpoint_id from public.schedules s
    where s.next_probe_at > p_now + interval '1 hour'
      and s.next_probe_at > p_now + make_interval(secs => 2 * internal.cadence_seconds(s))
    order by s.endpoint_id for update
  );
  v_limited text[] := array(
    select q.host from public.host_queues q where q.not_before > p_now + interval '10 minutes'
    order by q.host for update
  );
begin
  with moved as (
    update public.schedules s set next_probe_at = internal.next_due(s, p_now) where s.endpoint_id = any (v_ids)
    returning s.host
  )
  select count(*), array_agg(distinct m.host) into v_count, v_hosts from moved m;
  update public.host_queues q set not_before = p_now where q.host = any (v_limited);
  perform internal.update_host_queues(v_hosts || v_limited);
  return v_count;
end;
$$;

-- Returns the number of slots that could be claimed now: due slots of hosts that are not rate-limited, at most
-- p_host_limit per host, and scheduled slots with an expired lease. A claim can return fewer slots, because some
-- endpoints may not be probeable.
create function public.count_due_slots(p_now timestamptz, p_host_limit integer)
returns integer
language sql stable
as $$
  select (
    (
      select count(*) from public.host_queues q cross join lateral (
        select 1 from public.schedules s where s.host = q.host and s.next_probe_at <= p_now limit p_host_limit
      ) d
      where q.next_due_at <= p_now
    ) + (select count(*) from public.leases l where l.expires_at <= p_now and not l.is_recheck)
  )::integer;
$$;

-- Releases slots that p_owner holds and did not probe: the slots in p_endpoint_ids and p_slots, or all slots of p_owner
-- if p_endpoint_ids is null. With p_requeue, the slots are due again, like slots that were never claimed. Without
-- p_requeue, for example after a host requested a pause, the slots are skipped and count as due but not probed. Slots
-- that another worker holds are not changed. Returns the number of released slots.
create function public.release_slots(
  p_owner text, p_requeue boolean, p_endpoint_ids text[] default null, p_slots timestamptz[] default null
)
returns integer
language plpgsql
as $$
declare
  v_count integer;
  v_ids text[];
  v_hosts text[];
  v_released public.leases[];
begin
  with held as (
    select l.endpoint_id, l.slot_at from public.leases l
    where l.owner = p_owner and (p_endpoint_ids is null or (l.endpoint_id, l.slot_at) in (
      select i.id, i.slot_at from unnest(p_endpoint_ids, p_slots) as i (id, slot_at)
    ))
    for update skip locked
  ),
  -- Rechecks are not part of a schedule. A requeued recheck keeps its lease, so another worker can claim it.
  requeued_rechecks as (
    update public.leases l set owner = '', expires_at = l.slot_at
    from held m where l.endpoint_id = m.endpoint_id and l.slot_at = m.slot_at and l.is_recheck and p_requeue
  ),
  released as (
    delete from public.leases l using held m
    where l.endpoint_id = m.endpoint_id and l.slot_at = m.slot_at and not (l.is_recheck and p_requeue)
    returning l
  )
  select (select count(*) from held), array(select r.l from released r) into v_count, v_released;

  if not p_requeue then
    -- Every transaction that writes `daily_rollups` first locks `endpoint_states`.
    perform 1 from public.endpoint_states s
    where s.endpoint_id in (select b.endpoint_id from unnest(v_released) b)
    order by s.endpoint_id for update;
    insert into public.daily_rollups as d (endpoint_id, day, slots_due, due_seconds)
    select b.endpoint_id, (b.slot_at at time zone 'UTC')::date, sum(b.due_slots), sum(b.due_seconds)
    from unnest(v_released) b where not b.is_recheck group by 1, 2 order by 1, 2
    on conflict (endpoint_id, day) do update set
      slots_due = d.slots_due + excluded.slots_due, due_seconds = d.due_seconds + excluded.due_seconds;
    return v_count;
  end if;

  select array_agg(b.endpoint_id) into v_ids from unnest(v_released) b;
  perform 1 from public.schedules s where s.endpoint_id = any (v_ids) order by s.endpoint_id for update;
  with requeued as (
    update public.schedules s set next_probe_at = least(s.next_probe_at, r.slot_at)
    from (
      -- Sets the schedule back to the first slot that the lease covered, so all covered slots are due again.
      select b.endpoint_id, min(
        b.slot_at - make_interval(secs => b.due_seconds - b.due_seconds / greatest(b.due_slots, 1))
      ) as slot_at
      from unnest(v_released) b group by 1
    ) r
    where s.endpoint_id = r.endpoint_id
    returning s.host
  )
  select array_agg(distinct a.host) into v_hosts from requeued a;
  perform internal.update_host_queues(v_hosts);
  return v_count;
end;
$$;

-- Deletes the queues of hosts whose last schedule was deleted. No claim locks such a queue, because its next_due_at is
-- infinity. If such a host gets a new schedule at the same moment, PostgreSQL checks the condition again after it has
-- locked the row, and the queue stays. Returns the number of deleted queues.
create function public.prune_host_queues()
returns integer
language sql
as $$
  with deleted as (
    delete from public.host_queues q
    where q.next_due_at = 'infinity' and not exists (select 1 from public.schedules s where s.host = q.host)
    returning 1
  )
  select count(*)::integer from deleted;
$$;
