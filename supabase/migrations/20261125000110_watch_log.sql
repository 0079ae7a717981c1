-- Log of a watch: appended entries, their deliveries, and reading.

-- One entry to append.
create type internal.watch_entry as (watch_id text collate "C", kind text, type text, at timestamptz, data jsonb);

-- Sets the due time of destinations from their first pending delivery. Leased destinations and destinations that were
-- removed or disabled stay unchanged. While only liveness entries are pending, a chat gets at most one message a
-- minute. The caller holds the locks of the watches.
create function internal.plan_deliveries(p_destination_ids bigint[])
returns void
language sql
set search_path = ''
as $$
  update public.watch_destinations d set next_due_at = p.due_at
  from (
    select t.id, case
      when t.channel = 'webhook' or exists (
        select 1 from public.watch_deliveries v
        join public.watch_log l on l.watch_id = v.watch_id and l.sequence = v.sequence
        where v.destination_id = t.id and v.state = 'pending' and l.type not in ('liveness_down', 'liveness_recovered')
      ) then h.next_attempt_at
      when h.next_attempt_at is not null then greatest(h.next_attempt_at, t.liveness_sent_at + interval '1 minute')
    end as due_at
    from public.watch_destinations t
    cross join lateral (
      select (
        select v.next_attempt_at from public.watch_deliveries v
        where v.destination_id = t.id and v.state = 'pending' order by v.sequence limit 1
      ) as next_attempt_at
    ) h
    where t.id = any (p_destination_ids)
  ) p
  -- These conditions are on the updated row, so they are checked again after a concurrent claim.
  where d.id = p.id and d.lease_owner is null and d.removed_at is null and d.disabled_at is null
    and d.next_due_at is distinct from p.due_at;
$$;

-- Appends entries to the logs of watches, in the given order, and adds the deliveries of pushed entries. The owner made
-- the entries `created` and `edited`, so they are not pushed. The caller holds the locks of the watches, so the
-- sequences have no gap.
create function internal.append_watch_log(p_entries internal.watch_entry[])
returns void
language plpgsql
set search_path = ''
as $$
declare
  v_destination_ids bigint[];
begin
  with numbered as (
    select e.*, row_number() over (partition by e.watch_id order by e.position)::integer as number
    from unnest(p_entries) with ordinality as e (watch_id, kind, type, at, data, position)
  ),
  counted as (
    update public.watches w set last_sequence = w.last_sequence + c.entries
    from (select n.watch_id, count(*)::integer as entries from numbered n group by n.watch_id) c
    where w.id = c.watch_id
    returning w.id, w.last_sequence - c.entries as base
  ),
  logged as (
    insert into public.watch_log (watch_id, sequence, kind, type, at, data)
    select c.id, c.base + n.number, n.kind, n.type, n.at, n.data
    from numbered n join counted c on c.id = n.watch_id
    returning watch_id, sequence, type, at
  ),
  pushed as (
    insert into public.watch_deliveries (destination_id, sequence, watch_id, next_attempt_at, created_at)
    select d.id, l.sequence, l.watch_id, l.at, l.at
    from logged l join public.watch_destinations d on d.watch_id = l.watch_id
    where l.type not in ('created', 'edited') and d.removed_at is null and d.disabled_at is null
    returning destination_id
  )
  select array_agg(distinct p.destination_id) into v_destination_ids from pushed p;
  if v_destination_ids is not null then perform internal.plan_deliveries(v_destination_ids); end if;
end;
$$;

-- Returns the next entries of a log: alerts after p_alerts_after and lifecycle events after p_lifecycle_after, at most
-- p_limit of each. `hasMore` is true if either list has further entries.
create function public.read_watch_log(
  p_watch_id text, p_alerts_after integer, p_lifecycle_after integer, p_limit integer
)
returns jsonb
language sql stable
set search_path = ''
as $$
  with found as (
    select l.*, row_number() over (partition by l.kind order by l.sequence) as number from (
      (
        select * from public.watch_log a
        where a.watch_id = p_watch_id and a.kind = 'alert' and a.sequence > p_alerts_after
        order by a.sequence limit p_limit + 1
      )
      union all
      (
        select * from public.watch_log b
        where b.watch_id = p_watch_id and b.kind = 'lifecycle' and b.sequence > p_lifecycle_after
        order by b.sequence limit p_limit + 1
      )
    ) l
  )
  select jsonb_build_object(
    'entries', coalesce(jsonb_agg(to_jsonb(f) - 'watch_id' - 'number' order by f.sequence)
      filter (where f.number <= p_limit), '[]'),
    'hasMore', coalesce(bool_or(f.number > p_limit), false)
  )
  from found f;
$$;
