-- Operations: exact times of the oldest payments and deliveries above the limit of counted rows, and rates of probed
-- endpoints only.

-- Indexes of the open and of the unchecked payments, oldest first. They are small, because few payments are in these states.
create index payments_open_created on public.payments (state, created_at) where state in ('working', 'settling');
create index payments_unchecked_created on public.payments (created_at)
  where state = 'settling' or (state in ('settled', 'failed') and audited_at is null);

-- Returns the figures of probing. `dueSlots` and `leases` are counted up to p_limit. `dueSlots`: due slots of schedules,
-- and scheduled slots whose lease has expired; `oldestDueAt` is the oldest of them. `expiredLeases` includes rechecks.
-- `scheduled`: number of schedules; above p_limit, it is the estimate of the table statistics.
-- `sample`: probes that the schedules of p_sample endpoints required in the last 30 minutes, and their recorded probes.
-- These are the endpoints with the lowest ids that can be probed. An id is a hash of the URL, so they are a random sample of
-- all endpoints whose rows are adjacent in the indexes. `schedules`: number of schedules among which they were found, also
-- those of removed endpoints and of templates; null if the sample contains all endpoints that can be probed.
create or replace function internal.probe_metrics(p_now timestamptz, p_limit integer, p_sample integer)
returns jsonb
language plpgsql stable
set search_path = ''
-- Plans with the value of p_now contain only the partitions of the last 30 minutes.
set plan_cache_mode = force_custom_plan
as $$
declare
  v_since timestamptz := p_now - interval '30 minutes';
  v_due record;
  v_expired record;
  v_leases integer;
  v_scheduled bigint;
  v_sample jsonb;
begin
  select count(*) as slots, min(d.next_probe_at) as oldest_at into v_due from (
    select s.next_probe_at from public.schedules s where s.next_probe_at <= p_now
    order by s.next_probe_at limit p_limit
  ) d;
  select count(*) as leases, count(*) filter (where not x.is_recheck) as slots,
    min(x.slot_at) filter (where not x.is_recheck) as oldest_at
  into v_expired from (
    select l.slot_at, l.is_recheck from public.leases l where l.expires_at <= p_now
    order by l.expires_at limit p_limit
  ) x;
  select count(*) into v_leases from (select from public.leases l limit p_limit) l;
  select count(*) into v_scheduled from (select from public.schedules s limit p_limit) s;
  if v_scheduled = p_limit then
    select greatest(c.reltuples, p_limit)::bigint into v_scheduled
    from pg_catalog.pg_class c where c.oid = 'public.schedules'::regclass;
  end if;

  with sampled as materialized (
    select s.endpoint_id, internal.cadence_seconds(s) as cadence, e.first_seen_at
    from public.schedules s join public.endpoints e on e.id = s.endpoint_id
    where e.removed_at is null and e.probe_url is not null
    order by s.endpoint_id limit p_sample
  ),
  recorded as (
    select count(*) filter (where o.vitality = 1 and not o.excluded) as up,
      count(*) filter (where o.vitality = 0 and not o.excluded) as down,
      count(*) filter (where o.vitality is null and not o.excluded) as other,
      count(*) filter (where o.excluded) as excluded
    from sampled s cross join lateral (
      select o.vitality, o.excluded from public.observations o
      where o.endpoint_id = s.endpoint_id and o.at > v_since and o.at <= p_now and not o.is_recheck
    ) o
  )
  select jsonb_build_object(
    'endpoints', (select count(*) from sampled),
    'schedules', case when (select count(*) from sampled) = p_sample then (
      select count(*) from public.schedules s where s.endpoint_id <= (select max(m.endpoint_id) from sampled m)
    ) end,
    'required', (
      select coalesce(sum(
        extract(epoch from greatest(p_now - greatest(v_since, s.first_seen_at), interval '0')) / s.cadence
      ), 0)
      from sampled s
    ),
    'recorded', (select to_jsonb(r) from recorded r)
  ) into v_sample;

  return jsonb_build_object(
    'dueSlots', v_due.slots + v_expired.slots,
    'oldestDueAt', least(v_due.oldest_at, v_expired.oldest_at),
    'leases', v_leases, 'expiredLeases', v_expired.leases, 'scheduled', v_scheduled, 'sample', v_sample
  );
end;
$$;

-- Returns the queues: [{ queue, items, oldestAt }]. `items` is counted up to p_limit. `oldestAt` is the time since which
-- the oldest item waits; null for an empty queue, and for texts, whose time is not stored.
create or replace function internal.queue_metrics(p_now timestamptz, p_limit integer)
returns jsonb
language sql stable
set search_path = ''
as $$
  select jsonb_agg(jsonb_build_object('queue', q.name, 'items', q.items, 'oldestAt', q.oldest_at)) from (
    select 'urgent_scores' as name, count(*) as items, min(r.due_at) as oldest_at from (
      select s.due_at from public.scoring_queue s where s.urgent and s.due_at <= p_now order by s.due_at limit p_limit
    ) r
    union all
    select 'scores', count(*), min(r.due_at) from (
      select s.due_at from public.scoring_queue s
      where not s.urgent and s.due_at <= p_now order by s.due_at limit p_limit
    ) r
    union all
    select 'rechecks', count(*), min(r.slot_at) from (
      select l.slot_at from public.leases l where l.is_recheck and l.expires_at <= p_now
      order by l.expires_at limit p_limit
    ) r
    union all
    select 'search_texts', count(*), null from (
      select from public.search_texts t where t.model is null and t.refused_at is null limit p_limit
    ) r
    union all
    select 'watch_deliveries', least(count(*), p_limit), min(r.next_due_at)
    from unnest(array[false, true]) as v (is_slow) cross join lateral (
      select d.next_due_at from public.watch_destinations d where d.is_slow = v.is_slow and d.next_due_at <= p_now
      order by d.next_due_at limit p_limit
    ) r
    union all
    select 'payment_checks', count(*), min(r.created_at) from (
      select p.created_at from public.payments p
      where p.state = 'settling' or (p.state in ('settled', 'failed') and p.audited_at is null)
      order by p.created_at limit p_limit
    ) r
  ) q;
$$;

-- Returns the payments: `open` are those whose outcome is not known yet, and `lastDay` are those that were created in
-- the last 24 hours. At most p_limit payments of each state and of the last day are counted.
create or replace function internal.payment_metrics(p_now timestamptz, p_limit integer)
returns jsonb
language sql stable
set search_path = ''
as $$
  select jsonb_build_object(
    'open', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'state', o.state, 'payments', o.payments, 'oldestAt', o.oldest_at
      ) order by o.state), '[]')
      from (
        select v.state, count(*) as payments, min(r.created_at) as oldest_at
        from unnest(array['working', 'settling']) as v (state) cross join lateral (
          select p.created_at from public.payments p where p.state = v.state and p.state in ('working', 'settling')
          order by p.created_at limit p_limit
        ) r
        group by v.state
      ) o
    ),
    'lastDay', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'operation', d.route, 'state', d.state, 'payments', d.payments
      ) order by d.route, d.state), '[]')
      from (
        select r.route, r.state, count(*) as payments from (
          select p.route, p.state from public.payments p where p.created_at > p_now - interval '1 day'
          order by p.created_at desc limit p_limit
        ) r
        group by r.route, r.state
      ) d
    )
  );
$$;
