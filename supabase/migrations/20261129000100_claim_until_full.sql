-- Claims: a claim is full while enough slots are due.

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
    -- rows are read. If most hosts have fewer due slots, the next round reads more slots of the others.
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
      returning s.endpoint_id, internal.cadence_seconds(s) as cadence, c.next_probe_at as due_at,
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
      array(
        select d.host from due d left join chosen c on c.endpoint_id = d.endpoint_id
        group by d.host having count(*) = v_host_share or count(c.endpoint_id) < count(*)
      )
    into v_slots, v_open_hosts;
    v_claimed := v_claimed || v_slots;
    v_host_read := v_host_read + v_host_share;
  end loop;

  update public.host_queues q set
    not_before = greatest(q.not_before, p_now + make_interval(secs => (t.slots / p_host_per_second)::double precision))
  from (
    select s.host, count(*) as slots from unnest(v_claimed) k join public.schedules s on s.endpoint_id = k.endpoint_id
    group by s.host
  ) t
  where q.host = t.host;
  perform internal.update_host_queues(v_hosts);
  return query select * from unnest(v_claimed);
end;
$$;
