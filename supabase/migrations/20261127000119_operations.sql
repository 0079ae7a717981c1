-- Operations: retention, metrics and the applied migrations.

-- Deletes rows that are older than a time, at most p_limit rows of each table, so that locks are short. p_before: the
-- time for each table, { table: time }. Returns the number of deleted rows of each table. The caller repeats the call
-- while a number equals p_limit.
create function public.prune_rows(p_before jsonb, p_limit integer)
returns jsonb
language plpgsql
as $$
declare
  -- Column with the time of a row, for each table. A `day` is compared with the date of p_before, so the rows
  -- of that date are kept.
  c_columns constant jsonb := '{
    "buyer_outcomes": "paid_at", "challenges": "last_seen_at", "changes": "at", "checks": "checked_at", "daily_rollups": "day",
    "daily_scores": "day",
    "ecosystem_days": "day", "ecosystem_events": "day", "maintenance_windows": "ends_at",
    "packed_observations": "day", "rate_limits": "ends_at",
    "wallet_facilitators": "settled_at", "wallet_payer_days": "day", "wallet_sent_days": "day", "watch_attempts": "at"
  }';
  v_table text;
  v_deleted integer;
  v_counts jsonb := '{}';
begin
  for v_table in select jsonb_object_keys(p_before) order by 1 loop
    execute format(
      'delete from public.%1$I where ctid = any (array(
        select ctid from public.%1$I where %2$I < $1::%3$s limit $2 for update skip locked
      ))',
      v_table, c_columns ->> v_table, case c_columns ->> v_table when 'day' then 'date' else 'timestamptz' end
    ) using p_before ->> v_table, p_limit;
    get diagnostics v_deleted = row_count;
    v_counts := v_counts || jsonb_build_object(v_table, v_deleted);
  end loop;
  return v_counts;
end;
$$;

-- Returns the figures of probing. `dueSlots` and `leases` are counted up to p_limit. `dueSlots`: due slots of hosts that
-- are not rate-limited, and scheduled slots whose lease has expired; `oldestDueAt` is the time of the oldest of them.
-- `expiredLeases` includes rechecks. `scheduled`: number of schedules; above p_limit, an estimate from the table
-- statistics.
-- `sample`: probes that the schedules of p_sample endpoints required in the last 30 minutes, and their recorded probes.
-- The sample consists of the endpoints with the lowest ids that can be probed. An id is a hash of the URL, so the
-- sample is random, and its rows are adjacent in the indexes. `schedules`: number of schedules that were searched for
-- the sample, including the schedules of removed endpoints and of templates; null if the sample contains all endpoints
-- that can be probed.
create function internal.probe_metrics(p_now timestamptz, p_limit integer, p_sample integer)
returns jsonb
language plpgsql stable
-- Makes PostgreSQL plan each call with the value of p_now. Such a plan reads only the partitions of the last 30
-- minutes.
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
    select s.next_probe_at from public.host_queues q join public.schedules s on s.host = q.host
    where q.next_due_at <= p_now and s.next_probe_at <= p_now
    order by q.next_due_at limit p_limit
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

-- Returns the queues: [{ queue, items, oldestAt }]. `items` is counted up to p_limit. `oldestAt` is the time since
-- which the oldest item has been waiting; null for an empty queue, and for texts, whose time is not stored.
create function internal.queue_metrics(p_now timestamptz, p_limit integer)
returns jsonb
language sql stable
as $$
  select jsonb_agg(jsonb_build_object('queue', q.name, 'items', q.items, 'oldestAt', q.oldest_at)) from (
    select 'scores' as name, count(*) as items, min(r.due_at) as oldest_at from (
      select s.due_at from public.scoring_queue s where s.due_at <= p_now order by s.due_at limit p_limit
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
    union all
    select 'purchases', count(*), min(r.reserved_at) from (
      select u.reserved_at from public.purchases u where u.outcome is null order by u.lease_until limit p_limit
    ) r
    union all
    select 'disputes', count(*), min(r.created_at) from (
      select d.created_at from public.disputes d where d.state = 'open' limit p_limit
    ) r
  ) q;
$$;

-- Returns figures of payments: `open` for payments whose outcome is not known yet, `lastDay` for payments that were
-- created in the last 24 hours. `disputedLastDay` is the number of payments that were found to be disputed in the last
-- 24 hours. At most p_limit payments of each kind are counted.
create function internal.payment_metrics(p_now timestamptz, p_limit integer)
returns jsonb
language sql stable
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
    ),
    'disputedLastDay', (
      select count(*) from (
        select from public.payments p where p.state = 'disputed' and p.audited_at > p_now - interval '1 day'
        order by p.audited_at desc limit p_limit
      ) d
    )
  );
$$;

-- Returns the deliveries of watches: active watches, attempts of the last hour by outcome, and deliveries that were
-- given up in the last 24 hours by state. Each figure is counted up to p_limit.
create function internal.watch_metrics(p_now timestamptz, p_limit integer)
returns jsonb
language sql stable
as $$
  select jsonb_build_object(
    'active', (select count(*) from (select from public.watches w where w.status = 'active' limit p_limit) r),
    'attemptsLastHour', (
      select jsonb_build_object(
        'delivered', count(*) filter (where r.outcome = 'delivered'),
        'failed', count(*) filter (where r.outcome = 'failed')
      )
      from (
        select a.outcome from public.watch_attempts a where a.at > p_now - interval '1 hour'
        order by a.at desc limit p_limit
      ) r
    ),
    'givenUpLastDay', (
      select jsonb_build_object(
        'exhausted', count(*) filter (where r.state = 'exhausted'),
        'dropped', count(*) filter (where r.state = 'dropped')
      )
      from (
        select v.state from public.watch_deliveries v
        where v.state in ('exhausted', 'dropped') and v.finished_at > p_now - interval '1 day'
        order by v.finished_at desc limit p_limit
      ) r
    )
  );
$$;

-- Returns the latest stored time of each job. `directories`: last complete run of each directory that had a run in the
-- last seven days. `chains`: time of the last block that was read, last time when all blocks had been read, and number
-- of wallet groups that are behind. `partitionsUntil`: end of the last daily partition of observations.
create function internal.job_metrics(p_now timestamptz)
returns jsonb
language sql stable
as $$
  with recursive directories as (
    (select r.directory from public.discovery_runs r order by r.directory limit 1)
    union all
    select (
      select r.directory from public.discovery_runs r where r.directory > d.directory order by r.directory limit 1
    )
    from directories d where d.directory is not null
  )
  select jsonb_build_object(
    'newestScoreAt', (select max(s.computed_at) from public.snapshots s),
    'oldestScoreAt', (select min(s.computed_at) from public.snapshots s),
    'statisticsAt', (select e.computed_at from public.ecosystem_days e order by e.day desc limit 1),
    'partitionsUntil', (
      select ((max(to_date(right(c.relname, 8), 'YYYYMMDD')) + 1)::timestamp at time zone 'UTC')
      from pg_catalog.pg_inherits i join pg_catalog.pg_class c on c.oid = i.inhrelid
      where i.inhparent = 'public.observations'::regclass
    ),
    'directories', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'directory', d.directory,
        'startedAt', l.started_at,
        'completedAt', (
          select r.finished_at from public.discovery_runs r
          where r.directory = d.directory and r.complete order by r.id desc limit 1
        )
      ) order by d.directory), '[]')
      from directories d
      cross join lateral (
        select r.started_at from public.discovery_runs r where r.directory = d.directory order by r.id desc limit 1
      ) l
      where l.started_at > p_now - interval '7 days'
    ),
    'chains', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'network', c.network, 'readUntil', c.through_at, 'caughtUpAt', c.caught_up_at,
        'groupsBehind', (
          select count(*) from public.chain_cursors g
          where g.network = c.network and g.wallet_group > 0
        )
      ) order by c.network), '[]')
      from public.chain_cursors c where c.wallet_group = 0
    )
  );
$$;

-- Returns the figures for monitoring. A call stays cheap with a million endpoints: each part reads a bounded number of
-- rows, or a table that stays small, such as the cursors of chains.
create function public.operational_metrics(p_now timestamptz, p_limit integer, p_sample integer)
returns jsonb
language sql stable
as $$
  select jsonb_build_object(
    'probes', internal.probe_metrics(p_now, p_limit, p_sample),
    'queues', internal.queue_metrics(p_now, p_limit),
    'payments', internal.payment_metrics(p_now, p_limit),
    'watches', internal.watch_metrics(p_now, p_limit),
    'jobs', internal.job_metrics(p_now),
    'databaseBytes', pg_catalog.pg_database_size(pg_catalog.current_database())
  );
$$;

-- Returns false while the database accepts no writes, for example because its disk is full. The function is volatile,
-- because the API calls all other functions in read-only transactions.
create function public.is_writable()
returns boolean
language sql volatile
as $$
  select current_setting('transaction_read_only') = 'off';
$$;

-- Returns the versions of the applied migrations. Returns null if the versions are not known, because the migrations
-- were not applied with the Supabase CLI or by the embedded database. Runs as the owner, because the API does not
-- expose this schema.
create function public.applied_migrations()
returns text[]
language plpgsql stable security definer
as $$
begin
  if to_regclass('supabase_migrations.schema_migrations') is null then return null; end if;
  return array(select m.version from supabase_migrations.schema_migrations m order by m.version);
end;
$$;
