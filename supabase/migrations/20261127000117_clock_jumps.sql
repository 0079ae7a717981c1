-- One row for each machine with workers, because each machine has its own clock. A machine whose clock is always ahead of
-- the others was not set back. `latest_at`: latest time that the machine reported. `ahead_until`: latest time that was
-- corrected; slots up to this time may have an observation already.
create table public.clocks (
  machine text primary key,
  latest_at timestamptz not null,
  ahead_until timestamptz not null default '-infinity'
);

-- Stores the time of a machine. Returns true if the machine has reported a time that is more than five minutes later.
-- Then its clock was set back, and stored times must be corrected. Smaller corrections of a clock are normal.
-- The first report of a machine deletes the rows of machines that have not reported for a week.
create function public.report_time(p_machine text, p_now timestamptz)
returns boolean
language plpgsql
set search_path = ''
as $$
declare
  v_latest_at timestamptz := (select c.latest_at from public.clocks c where c.machine = p_machine);
begin
  if v_latest_at is null then
    delete from public.clocks c where greatest(c.latest_at, c.ahead_until) < p_now - interval '7 days';
  end if;
  insert into public.clocks as c (machine, latest_at) values (p_machine, p_now)
  on conflict (machine) do update set latest_at = excluded.latest_at where c.latest_at < excluded.latest_at;
  return coalesce(v_latest_at > p_now + interval '5 minutes', false);
end;
$$;

-- Returns p_at, or p_now if p_at is later. Null stays null.
create function internal.not_after(p_at timestamptz, p_now timestamptz)
returns timestamptz
language sql immutable
set search_path = ''
as $$
  select case when p_at > p_now then p_now else p_at end;
$$;

-- Returns true if an endpoint has an observation at a time. This function and the next one are in PL/pgSQL, so that
-- record_observations locks the table only if it calls them. Two workers that have locked it would wait for each other
-- when one of them creates a partition.
create function internal.is_recorded(p_endpoint_id text, p_at timestamptz)
returns boolean
language plpgsql stable
set search_path = ''
as $$
begin
  return exists (select 1 from public.observations o where o.endpoint_id = p_endpoint_id and o.at = p_at);
end;
$$;

-- Returns true if a slot of an endpoint has an observation that is not a recheck.
create function internal.has_observation(p_endpoint_id text, p_slot_at timestamptz)
returns boolean
language plpgsql stable
set search_path = ''
as $$
begin
  return exists (
    select 1 from public.observations o join public.schedules s on s.endpoint_id = o.endpoint_id
    where o.endpoint_id = p_endpoint_id and not o.is_recheck and o.at >= p_slot_at
      and o.at < p_slot_at + make_interval(secs => internal.cadence_seconds(s))
  );
end;
$$;

-- Corrects the leases, states, scoring times and schedules of up to p_limit endpoints after p_after, in the order of
-- their ids. Returns the id of the last one, or '' if there are none.
-- A lease of a later slot is deleted. Any other lease ends in five minutes at the latest, which is the duration of a
-- lease of a batch: a batch that still holds the lease is not interrupted.
-- The times of the latest state become p_now, because its probe was made before p_now. So the next observation is the
-- latest one again.
-- A slot after the next regular slot is replaced by that slot.
create function public.correct_endpoint_times(p_now timestamptz, p_after text, p_limit integer)
returns text
language plpgsql
set search_path = ''
as $$
declare
  v_ids text[];
  v_hosts text[];
begin
  v_ids := array(
    select s.endpoint_id from public.schedules s where s.endpoint_id > p_after order by s.endpoint_id limit p_limit
  );
  with ahead as (
    select l.endpoint_id, l.slot_at from public.leases l
    where l.endpoint_id = any (v_ids) and (l.slot_at > p_now or l.expires_at > p_now + interval '5 minutes')
    for update skip locked
  ),
  deleted as (
    delete from public.leases l using ahead a
    where l.endpoint_id = a.endpoint_id and l.slot_at = a.slot_at and l.slot_at > p_now
  )
  update public.leases l set expires_at = p_now + interval '5 minutes'
  from ahead a where l.endpoint_id = a.endpoint_id and l.slot_at = a.slot_at and l.slot_at <= p_now;

  perform 1 from public.endpoint_states s
  where s.endpoint_id = any (v_ids) and s.last_probed_at > p_now order by s.endpoint_id for update;
  update public.endpoint_states s set
    last_probed_at = p_now,
    last_counted_at = internal.not_after(s.last_counted_at, p_now),
    last_observed_at = internal.not_after(s.last_observed_at, p_now),
    watched_since = internal.not_after(s.watched_since, p_now),
    last_challenged_at = internal.not_after(s.last_challenged_at, p_now),
    last_payable_at = internal.not_after(s.last_payable_at, p_now),
    last_free_at = internal.not_after(s.last_free_at, p_now),
    terms_at = internal.not_after(s.terms_at, p_now),
    compliance_at = internal.not_after(s.compliance_at, p_now),
    down_since = internal.not_after(s.down_since, p_now),
    failing_since = internal.not_after(s.failing_since, p_now),
    last_failure = case when (s.last_failure ->> 'at')::timestamptz > p_now then s.last_failure || jsonb_build_object(
      'at', p_now, 'since', internal.not_after((s.last_failure ->> 'since')::timestamptz, p_now)
    ) else s.last_failure end,
    revision = s.revision + 1
  where s.endpoint_id = any (v_ids) and s.last_probed_at > p_now;
  -- This can end a lease of the scoring job early. The endpoint is then scored twice, with the same result.
  update public.scoring_queue q set due_at = p_now
  from (
    select d.endpoint_id from public.scoring_queue d
    where d.endpoint_id = any (v_ids) and d.due_at > p_now
    for update skip locked
  ) d
  where q.endpoint_id = d.endpoint_id;

  perform 1 from public.schedules s where s.endpoint_id = any (v_ids) order by s.endpoint_id for update;
  with moved as (
    update public.schedules s set next_probe_at = internal.next_due(s, p_now)
    where s.endpoint_id = any (v_ids) and s.next_probe_at > internal.next_due(s, p_now)
    returning s.host
  )
  select array_agg(distinct m.host) into v_hosts from moved m;
  perform internal.update_host_queues(v_hosts);
  return coalesce(v_ids[cardinality(v_ids)], '');
end;
$$;

-- Makes hosts whose rate limit allows no claim before p_until claimable at p_until. Returns the number of these hosts.
create function public.limit_host_waits(p_until timestamptz)
returns integer
language plpgsql
set search_path = ''
as $$
declare
  v_hosts text[];
begin
  perform 1 from public.host_queues q where q.not_before > p_until order by q.host for update;
  with limited as (
    update public.host_queues q set not_before = p_until where q.not_before > p_until returning q.host
  )
  select coalesce(array_agg(l.host), '{}') into v_hosts from limited l;
  perform internal.update_host_queues(v_hosts);
  return cardinality(v_hosts);
end;
$$;

-- Corrects the times of deliveries. A delivery that was planned by the wrong clock is due now. A lease ends in one
-- minute at the latest. That is the whole duration of such a lease, so no destination gets two attempts at a time.
create function internal.correct_delivery_times(p_now timestamptz)
returns void
language plpgsql
set search_path = ''
as $$
declare
  v_until timestamptz := p_now + interval '1 minute';
  v_ids bigint[];
begin
  select coalesce(array_agg(d.id), '{}') into v_ids from public.watch_destinations d
  where d.next_due_at > p_now or d.liveness_sent_at > p_now;
  perform 1 from public.watches w
  where w.id in (select d.watch_id from public.watch_destinations d where d.id = any (v_ids))
  order by w.id for no key update;
  update public.watch_deliveries v set next_attempt_at = p_now
  where v.destination_id = any (v_ids) and v.state = 'pending' and v.next_attempt_at > p_now
    and (v.created_at > p_now or exists (
      select 1 from public.watch_attempts a where a.destination_id = v.destination_id and a.at > p_now
    ));
  update public.watch_destinations d set
    liveness_sent_at = internal.not_after(d.liveness_sent_at, p_now),
    failing_since = internal.not_after(d.failing_since, p_now),
    lease_until = internal.not_after(d.lease_until, v_until),
    next_due_at = case when d.lease_owner is null then d.next_due_at
      else internal.not_after(d.next_due_at, v_until) end
  where d.id = any (v_ids);
  perform internal.plan_deliveries(v_ids);
end;
$$;

-- Corrects all other times, and ends the correction. It is called after limit_host_waits, and after
-- correct_endpoint_times for all endpoints.
-- A lease of a payment ends in five minutes at the latest. That is longer than every lease of a payment (at most 45
-- seconds), so no lease is shortened. If a lease ended early, two requests could settle the payment at the same time,
-- and the one that the chain refuses could mark the payment as failed although the buyer has paid.
-- A payment that was settled while the clock was ahead counts as settled now. Otherwise, its time would end the limit of
-- refused settlements of its payer, and extend the time in which its result is kept, by the length of the jump.
-- A watch that ended while the clock was ahead is active again, because its remaining time is paid.
-- A count of a rate limit whose window does not end within a minute is deleted. At most the counts of an hour are lost.
create function public.finish_clock_correction(p_machine text, p_now timestamptz)
returns void
language plpgsql
set search_path = ''
as $$
declare
  v_lease_until timestamptz := p_now + interval '5 minutes';
  v_resumed_ids text[];
begin
  update public.payments p set
    lease_until = internal.not_after(p.lease_until, v_lease_until),
    settled_at = internal.not_after(p.settled_at, p_now),
    refused_at = internal.not_after(p.refused_at, p_now)
  where (p.state in ('working', 'settling') and p.lease_until > v_lease_until) or p.refused_at > p_now
    or p.settled_at > p_now;
  perform internal.correct_delivery_times(p_now);
  with resumed as (
    update public.watches w set status = 'active' where w.status = 'expired' and w.expires_at > p_now
    returning w.endpoint_id
  )
  select array_agg(r.endpoint_id) into v_resumed_ids from resumed r;
  perform internal.update_watched_schedules(v_resumed_ids, p_now);
  delete from public.rate_limits r where r.ends_at > p_now + interval '1 minute';
  update public.discovery_runs r set
    started_at = internal.not_after(r.started_at, p_now),
    progressed_at = p_now,
    resume_at = internal.not_after(r.resume_at, p_now)
  where r.finished_at is null and r.progressed_at > p_now;
  update public.clocks c set latest_at = p_now, ahead_until = greatest(c.ahead_until, c.latest_at)
  where c.machine = p_machine;
end;
$$;
