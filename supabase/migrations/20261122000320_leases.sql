-- Leases: slots that a worker releases without a probe result.

-- Releases slots of an owner: the slots in p_endpoint_ids and p_slots, or all slots if p_endpoint_ids is null. With
-- p_requeue the slots are due again, as if they had never been claimed. Without p_requeue they are skipped: they count
-- as due but not probed. Returns the number of released slots.
create function internal.release_claimed_slots(
  p_owner text, p_endpoint_ids text[], p_slots timestamptz[], p_requeue boolean
)
returns integer
language plpgsql
set search_path = ''
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
    -- Every transaction that writes `daily_rollups` first locks the rows of `endpoint_states` in this order, which
    -- prevents deadlocks.
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

-- Releases slots that p_owner holds and did not probe. With p_requeue the slots are due again at once. Without
-- p_requeue they are skipped, for example after a host requested a pause; the next slot of the endpoint is due at its
-- normal time. Slots that another worker holds are not changed. Returns the number of released slots.
create function public.release_slots(
  p_owner text, p_endpoint_ids text[], p_slots timestamptz[], p_requeue boolean
)
returns integer
language sql
set search_path = ''
as $$
  select internal.release_claimed_slots(p_owner, p_endpoint_ids, p_slots, p_requeue);
$$;

-- Releases all slots of an owner that has stopped, so the slots are due again. For example, the only worker of a
-- database calls it after a restart.
create function public.release_leases(p_owner text)
returns integer
language sql
set search_path = ''
as $$
  select internal.release_claimed_slots(p_owner, null, null, true);
$$;
