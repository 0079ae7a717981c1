-- Observing: keep the day partitions, claim due slots.

-- Makes the day partitions of observations for every day from p_from to p_to, and drops those that end before
-- p_keep_from. Returns how many were made and dropped.
create function public.maintain_observation_partitions(p_from date, p_to date, p_keep_from date default null)
returns table (made integer, dropped integer)
-- Partitions belong to the owner of their parent, not to the role that calls.
language plpgsql security definer
set search_path = ''
as $$
declare
  v_day date;
  v_name text;
  v_made integer := 0;
  v_dropped integer := 0;
begin
  for v_day in select d::date from generate_series(p_from, p_to, interval '1 day') d loop
    v_name := 'observations_' || to_char(v_day, 'YYYYMMDD');
    if to_regclass('internal.' || v_name) is null then
      begin
        execute format(
          'create table internal.%I partition of public.observations for values from (%L) to (%L)',
          v_name, v_day::text || ' 00:00:00+00', (v_day + 1)::text || ' 00:00:00+00'
        );
        v_made := v_made + 1;
      exception when duplicate_table then
        -- Another worker made it in the meantime.
        null;
      end;
    end if;
  end loop;

  for v_name in
    select c.relname from pg_catalog.pg_inherits i
    join pg_catalog.pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'public.observations'::regclass
      and to_date(right(c.relname, 8), 'YYYYMMDD') < p_keep_from
  loop
    execute format('drop table internal.%I', v_name);
    v_dropped := v_dropped + 1;
  end loop;

  return query select v_made, v_dropped;
end;
$$;

-- Whether an endpoint may be probed by a worker that reaches hosts with this suffix: not when it was removed, and not
-- when its literal URL is a template without example values.
create function internal.probeable(p_endpoint_id text, p_host_suffix text)
returns boolean
language sql stable
set search_path = ''
as $$
  select exists (
    select 1 from public.endpoints e
    where e.id = p_endpoint_id and e.removed_at is null and e.probe_url is not null
      and (p_host_suffix is null or right(e.host, length(p_host_suffix)) = p_host_suffix)
  );
$$;

-- Claims up to p_limit due slots for p_owner until p_now + p_lease_seconds: first those whose lease ran out, then
-- those that are due, one slot an endpoint. A slot that was missed while nobody worked is not made up for: the latest
-- one is handed out. p_host_suffix limits the claim to hosts that end with it (a worker that can reach no others).
create function public.claim_due_endpoints(
  p_owner text, p_now timestamptz, p_limit integer, p_lease_seconds integer, p_host_suffix text default null
)
returns table (
  endpoint_id text, slot_at timestamptz, resource text, probe_url text, host text,
  declared_method text, challenged_method text
)
language sql
set search_path = ''
as $$
  with expired as (
    select l.endpoint_id, l.slot_at from public.leases l
    where l.expires_at <= p_now and internal.probeable(l.endpoint_id, p_host_suffix)
    order by l.expires_at limit p_limit
    for update skip locked
  ),
  latest as (
    select x.endpoint_id, max(x.slot_at) as slot_at from expired x group by 1
  ),
  overtaken as (
    delete from public.leases l using expired x, latest t
    where l.endpoint_id = x.endpoint_id and l.slot_at = x.slot_at
      and t.endpoint_id = x.endpoint_id and x.slot_at < t.slot_at
  ),
  retaken as (
    update public.leases l set owner = p_owner, expires_at = p_now + make_interval(secs => p_lease_seconds)
    from latest t where l.endpoint_id = t.endpoint_id and l.slot_at = t.slot_at
    returning l.endpoint_id, l.slot_at
  ),
  due as (
    select s.endpoint_id from public.schedules s
    where s.next_probe_at <= p_now and internal.probeable(s.endpoint_id, p_host_suffix)
      and not exists (select 1 from latest t where t.endpoint_id = s.endpoint_id)
    order by s.next_probe_at limit greatest(p_limit - (select count(*) from latest), 0)
    for update skip locked
  ),
  advanced as (
    update public.schedules s
    set next_probe_at = internal.next_slot(p_now, s.interval_seconds, s.offset_seconds)
    from due d where s.endpoint_id = d.endpoint_id
    returning s.endpoint_id, s.next_probe_at - make_interval(secs => s.interval_seconds) as slot_at
  ),
  taken as (
    insert into public.leases (endpoint_id, slot_at, owner, expires_at)
    select a.endpoint_id, a.slot_at, p_owner, p_now + make_interval(secs => p_lease_seconds) from advanced a
    on conflict do nothing
    returning leases.endpoint_id, leases.slot_at
  ),
  claimed as (
    select * from retaken union all select * from taken
  )
  select c.endpoint_id, c.slot_at, e.resource, e.probe_url, e.host, e.declared_method, s.method
  from claimed c
  join public.endpoints e on e.id = c.endpoint_id
  left join public.endpoint_states s on s.endpoint_id = c.endpoint_id
  order by c.slot_at, c.endpoint_id;
$$;

-- Gives back what an owner that is known to be gone had claimed (the one worker of a database, restarted): its slots
-- are due again.
create function public.release_leases(p_owner text)
returns integer
language sql
set search_path = ''
as $$
  with released as (
    delete from public.leases where owner = p_owner returning endpoint_id, slot_at
  ),
  again as (
    update public.schedules s set next_probe_at = least(s.next_probe_at, r.slot_at)
    from (select endpoint_id, min(slot_at) as slot_at from released group by 1) r
    where s.endpoint_id = r.endpoint_id
  )
  select count(*)::integer from released;
$$;
