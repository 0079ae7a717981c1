-- Deliveries: the outbox of messages to the destinations of watches, and the attempts to deliver.

-- Result of a delivery attempt, with the range of the sent log entries and the new state of the destination.
create type internal.delivery_result as (
  destination_id bigint, first_sequence integer, last_sequence integer, at timestamptz, duration_ms real, phase text,
  http_status smallint, reply text, error text, outcome text, next_attempt_at timestamptz,
  watch_id text, channel text, label text, failing_since timestamptz, disabled_reason text
);

-- Counts p_cost messages of a watch to a receiver. A receiver gets at most 600 messages in 24 hours, including
-- connection tests, and one watch sends at most 100 of them. libs/contract has both limits for texts. Returns null if the
-- messages were counted. Otherwise nothing is counted, and the result is the time when the watch can send again. All
-- callers count several receivers in the order of their names, so that two callers never wait for each other.
create function internal.count_messages(p_receiver text, p_watch_id text, p_cost integer, p_now timestamptz)
returns timestamptz
language plpgsql
as $$
declare
  v_key text := 'delivery:' || p_receiver;
  v_count record;
begin
  select * into v_count from public.consume_rate_limit(v_key, p_cost, 600, 86400, p_now);
  if not v_count.allowed then return v_count.ends_at; end if;
  select * into v_count from public.consume_rate_limit(v_key || ':' || p_watch_id, p_cost, 100, 86400, p_now);
  if v_count.allowed then return null; end if;
  perform public.consume_rate_limit(v_key, -p_cost, 600, 86400, p_now);
  return v_count.ends_at;
end;
$$;

-- Claims up to p_limit due destinations for p_lease_seconds, so each destination has one attempt at a time. At most
-- p_slow_limit of them are slow, so slow receivers cannot occupy all slots of a worker. Returns the first pending
-- log entry of each destination. A chat gets all consecutive pending liveness entries (at most 20) in one message. A
-- destination that was limited gets one digest of all pending entries (at most 10,000), if there are two or more:
-- `counts` then has the number of entries by type, and `entries` is empty. A repeated digest has the same entries.
-- `attempt` is the number of the attempt for the first entry, from 1. After the lease, the same entry is due again.
-- Counts the message of each destination. The destination that has waited longest comes first. `limited_until` is the
-- time when a message can be sent; null if it can be sent at once.
-- `has_unscored_changes` is true if the snapshot of the endpoint may lack observations or changes that are stored.
create function public.claim_deliveries(
  p_owner text, p_now timestamptz, p_lease_seconds integer, p_limit integer, p_slow_limit integer
)
returns table (
  destination_id bigint, channel text, url text, signing_key text, watch_id text, endpoint_id text, resource text,
  slug text, has_unscored_changes boolean, attempt integer, is_slow boolean, limited_until timestamptz,
  first_sequence integer, last_sequence integer, last_at timestamptz, counts jsonb, entries jsonb
)
language plpgsql
as $$
#variable_conflict use_column
declare
  v_until timestamptz := p_now + make_interval(secs => p_lease_seconds);
  v_ids bigint[];
begin
  -- Each of the two statements reads one range of the index in the order of the due times.
  with slow as (
    select d.id from public.watch_destinations d
    where d.is_slow and d.next_due_at <= p_now and (d.lease_until is null or d.lease_until <= p_now)
    order by d.next_due_at, d.limited_since limit least(p_limit, p_slow_limit)
    for no key update skip locked
  ),
  fast as (
    select d.id from public.watch_destinations d
    where not d.is_slow and d.next_due_at <= p_now and (d.lease_until is null or d.lease_until <= p_now)
    order by d.next_due_at, d.limited_since limit p_limit - (select count(*) from slow)
    for no key update skip locked
  ),
  leased as (
    update public.watch_destinations d set lease_owner = p_owner, lease_until = v_until, next_due_at = v_until
    where d.id in (select s.id from slow s union all select f.id from fast f)
    returning d.id
  )
  select array_agg(l.id) into v_ids from leased l;

  -- This is a separate statement, so it sees all deliveries that were recorded before the destinations were locked. The
  -- messages are counted in the order of the statement.
  return query
  select d.id, d.channel, d.url, w.signing_key, w.id::text, e.id::text, e.resource, e.slug,
    exists (select from public.scoring_queue q where q.endpoint_id = e.id), h.attempts + 1, d.is_slow,
    internal.count_messages(d.receiver, w.id::text, 1, p_now),
    p.first_sequence, p.last_sequence, p.last_at, p.counts, case when p.counts is null then p.entries else '[]' end
  from public.watch_destinations d
  join public.watches w on w.id = d.watch_id
  join public.endpoints e on e.id = w.endpoint_id
  cross join lateral (
    select v.attempts::integer from public.watch_deliveries v
    where v.destination_id = d.id and v.state = 'pending' order by v.sequence limit 1
  ) h
  cross join lateral (
    select min(r.sequence) as first_sequence,
      max(r.sequence) as last_sequence, max(r.at) as last_at,
      case when d.limited_since is not null and count(*) > 1 then (
        select jsonb_object_agg(t.type, t.entries) from (
          select u.type, count(*) as entries from unnest(array_agg(r.type)) as u (type) group by u.type
        ) t
      ) end as counts,
      -- A digest needs no entries, and there can be many of them.
      jsonb_agg(jsonb_build_object(
        'sequence', r.sequence, 'kind', r.kind, 'type', r.type, 'at', r.at, 'data', r.data
      ) order by r.sequence) filter (where d.limited_since is null or r.number = 1) as entries
    from (
      select l.*, row_number() over o as number, bool_and(case
        when d.limited_since is null then d.channel <> 'webhook' and internal.is_liveness(l.type)
        -- Entries that came after a failed attempt are not part of its repetition.
        else h.attempts = 0 or v.attempts > 0
      end) over o as is_merged
      from public.watch_deliveries v
      join public.watch_log l on l.watch_id = v.watch_id and l.sequence = v.sequence
      where v.destination_id = d.id and v.state = 'pending'
      window o as (order by v.sequence)
      order by v.sequence
      limit case when d.limited_since is not null then 10000 when d.channel = 'webhook' then 1 else 20 end
    ) r
    where r.number = 1 or r.is_merged
  ) p
  where d.id = any (v_ids)
  order by d.receiver collate "C", d.limited_since, d.id;
end;
$$;

-- Returns the results whose destination p_owner still holds. The other results are dropped, because another worker may
-- have sent the same entry in the meantime. A destination is disabled if it responded with status 410 (Gone), or if it
-- has been failing for p_disable_after_seconds, or if its host refuses messages. The time of failing starts again after
-- 30 hours without an attempt, because only hours with attempts count. The longest delay between two attempts of an
-- entry is shorter (24 hours plus 10 percent). The caller holds the locks of the watches.
create function internal.assess_deliveries(p_owner text, p_disable_after_seconds integer, p_attempts jsonb)
returns internal.delivery_result[]
language sql
as $$
  select array(
    select row(
      a."destinationId", a."firstSequence", a."lastSequence", a.at, a."durationMs", a.phase, a."httpStatus",
      left(a.reply, 1000), left(a.error, 1000), a.outcome, a."nextAttemptAt", d.watch_id, d.channel, d.label,
      f.failing_since,
      case
        when a.outcome in ('gone', 'refused') then a.outcome
        when a.outcome in ('retry', 'exhausted')
          and f.failing_since + make_interval(secs => p_disable_after_seconds) <= a.at then 'failing'
      end
    )::internal.delivery_result
    from jsonb_to_recordset(p_attempts) as a (
      "destinationId" bigint, "firstSequence" integer, "lastSequence" integer, at timestamptz, "durationMs" real,
      phase text, "httpStatus" smallint, reply text, error text, outcome text, "nextAttemptAt" timestamptz
    )
    join public.watch_destinations d on d.id = a."destinationId" and d.lease_owner = p_owner
    cross join lateral (
      select (
        select t.at from public.watch_attempts t where t.destination_id = d.id order by t.id desc limit 1
      ) as at
    ) l
    cross join lateral (
      select case
        when a.outcome in ('self-failure', 'limited') then d.failing_since
        when a.outcome <> 'delivered'
          then coalesce(case when l.at >= a.at - interval '30 hours' then d.failing_since end, a.at)
      end as failing_since
    ) f
    order by d.watch_id, d.id
    -- Another worker may be claiming the destination after the end of the lease. The lock makes this statement wait for
    -- that claim, and check the owner again.
    for no key update of d
  );
$$;

-- Stores the attempts, and the new states of the deliveries. A self-inflicted failure and a message over the daily limit
-- do not count as an attempt. An entry that is limited begins again, so that the digest includes all pending entries. The
-- attempts of a digest stay, because its repetition has the same entries.
-- After the last attempt of an entry, the entries that were merged with it stay pending if they had fewer attempts.
create function internal.store_delivery_results(p_results internal.delivery_result[])
returns void
language plpgsql
as $$
begin
  insert into public.watch_attempts (
    destination_id, watch_id, sequence, at, duration_ms, phase, http_status, reply, error, outcome, next_attempt_at
  )
  select r.destination_id, r.watch_id, r.first_sequence, r.at, r.duration_ms, r.phase, r.http_status, r.reply, r.error,
    case r.outcome when 'delivered' then 'delivered' else 'failed' end,
    case when r.outcome in ('retry', 'limited') and r.disabled_reason is null then r.next_attempt_at end
  from unnest(p_results) r where r.outcome <> 'self-failure';

  update public.watch_deliveries v set
    attempts = case
      when r.outcome = 'limited' and r.first_sequence = r.last_sequence then 0
      when r.outcome in ('self-failure', 'limited') then v.attempts
      else v.attempts + 1
    end,
    state = s.state,
    finished_at = case when s.state <> 'pending' then r.at end,
    next_attempt_at = coalesce(r.next_attempt_at, r.at)
  from unnest(p_results) r
  join public.watch_deliveries h on h.destination_id = r.destination_id and h.sequence = r.first_sequence
  join public.watch_deliveries m
    on m.destination_id = r.destination_id and m.sequence between r.first_sequence and r.last_sequence
  cross join lateral (
    select case
      when r.outcome = 'delivered' then 'delivered'
      when r.outcome = 'exhausted' and m.attempts >= h.attempts then 'exhausted'
      when r.disabled_reason is not null then 'dropped'
      else 'pending'
    end as state
  ) s
  where v.destination_id = m.destination_id and v.sequence = m.sequence and v.state = 'pending';
end;
$$;

-- Records the results of attempts, and ends the leases of their destinations. p_attempts: [{ destinationId,
-- firstSequence, lastSequence, at, durationMs, phase, httpStatus, reply, error, outcome, nextAttemptAt }], with the range
-- of the sent log entries. The outcomes are:
-- `delivered`.
-- `retry`: failed; the next attempt is at nextAttemptAt.
-- `exhausted`: the last attempt failed. The next entry of the destination follows.
-- `gone`: the receiver requested no further deliveries.
-- `refused`: the host of the receiver refuses deliveries. No message was sent.
-- `limited`: the receiver or the watch has its maximum of messages. No message was sent. If two or more entries are
-- pending at nextAttemptAt, they become one digest.
-- `self-failure`: failed because of our own network; it does not count.
-- The message of the claim does not count after the outcomes `refused` and `self-failure`.
-- Returns the number of results by outcome. A disabled destination counts only as disabled.
create function public.record_deliveries(
  p_owner text, p_now timestamptz, p_disable_after_seconds integer, p_attempts jsonb
)
returns table (delivered integer, retried integer, limited integer, exhausted integer, disabled integer)
language plpgsql
as $$
declare
  v_results internal.delivery_result[];
begin
  perform 1 from public.watches w
  where w.id in (select d.watch_id from public.watch_destinations d where d.lease_owner = p_owner)
  order by w.id for no key update;
  v_results := internal.assess_deliveries(p_owner, p_disable_after_seconds, p_attempts);
  perform internal.store_delivery_results(v_results);
  update public.watch_destinations d set
    lease_owner = null, lease_until = null, failing_since = r.failing_since,
    disabled_at = case when r.disabled_reason is not null then r.at end, disabled_reason = r.disabled_reason,
    next_due_at = case when r.disabled_reason is null then d.next_due_at end,
    is_slow = case when r.outcome in ('self-failure', 'limited') then d.is_slow else r.duration_ms >= 2000 end,
    limited_since = case
      when r.outcome = 'limited' then coalesce(d.limited_since, r.at)
      when r.outcome not in ('delivered', 'exhausted') then d.limited_since
    end,
    liveness_sent_at = case when r.outcome = 'delivered' and exists (
      select 1 from public.watch_log l
      where l.watch_id = r.watch_id and l.sequence between r.first_sequence and r.last_sequence
        and internal.is_liveness(l.type)
    ) then p_now else d.liveness_sent_at end
  from unnest(v_results) r where d.id = r.destination_id;
  update public.watch_deliveries v set state = 'dropped', finished_at = r.at
  from unnest(v_results) r
  where v.destination_id = r.destination_id and v.state = 'pending' and r.disabled_reason is not null;
  -- Logs the disabled destinations. The other destinations of the watch get this entry.
  perform internal.append_watch_log(array(
    select row(r.watch_id, 'lifecycle', 'delivery_disabled', r.at, jsonb_build_object(
      'channel', r.channel, 'label', r.label, 'reason', r.disabled_reason
    ))::internal.watch_entry
    from unnest(v_results) r where r.disabled_reason is not null
  ));
  perform internal.plan_deliveries(array(select r.destination_id from unnest(v_results) r));
  perform internal.count_messages(d.receiver, d.watch_id, -1, p_now)
  from unnest(v_results) r join public.watch_destinations d on d.id = r.destination_id
  where r.outcome in ('refused', 'self-failure')
  order by d.receiver collate "C";
  return query
  select count(*) filter (where r.outcome = 'delivered')::integer,
    count(*) filter (where r.outcome in ('retry', 'self-failure') and r.disabled_reason is null)::integer,
    count(*) filter (where r.outcome = 'limited')::integer,
    count(*) filter (where r.outcome = 'exhausted' and r.disabled_reason is null)::integer,
    count(*) filter (where r.disabled_reason is not null)::integer
  from unnest(v_results) r;
end;
$$;

-- Ends all leases of an owner that has stopped, so the leased entries are due again. Returns the number of leases.
create function public.release_deliveries(p_owner text)
returns integer
language plpgsql
as $$
declare
  v_ids bigint[];
begin
  perform 1 from public.watches w
  where w.id in (select d.watch_id from public.watch_destinations d where d.lease_owner = p_owner)
  order by w.id for no key update;
  with released as (
    update public.watch_destinations d set lease_owner = null, lease_until = null where d.lease_owner = p_owner
    returning d.id
  )
  select coalesce(array_agg(r.id), '{}') into v_ids from released r;
  perform internal.plan_deliveries(v_ids);
  return cardinality(v_ids);
end;
$$;

-- Returns the latest attempts of a watch, newest first.
create function public.read_watch_attempts(p_watch_id text, p_limit integer)
returns table (
  at timestamptz, label text, channel text, sequence integer, type text, duration_ms real, phase text,
  http_status smallint, reply text, error text, outcome text, next_attempt_at timestamptz
)
language sql stable
as $$
  select a.at, d.label, d.channel, a.sequence, l.type, a.duration_ms, a.phase, a.http_status, a.reply, a.error,
    a.outcome, a.next_attempt_at
  from public.watch_attempts a
  join public.watch_destinations d on d.id = a.destination_id
  join public.watch_log l on l.watch_id = a.watch_id and l.sequence = a.sequence
  where a.watch_id = p_watch_id
  order by a.id desc limit p_limit;
$$;
