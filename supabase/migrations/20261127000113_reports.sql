-- Reports: the data of paid reports and histories, and adoptions of endpoints by paid reports. Functions that paid
-- requests call are written in PL/pgSQL, because PostgreSQL keeps their query plans for the session. It plans the
-- statements of a SQL function again at each call, which takes longer than running them.

-- Returns the data for a report request: { endpoint, source, related, adoptions, optedOutAt }. `source`: see report_sources.
-- `related`: see find_related. `adoptions`: number of endpoints of the host that were adopted in the last 24 hours.
-- `optedOutAt`: time since which the provider of the host has opted out; null without an opt-out.
-- Extends a provisional adoption to p_provisional_until.
create function public.report_subject(
  p_endpoint_id text, p_host text, p_path_url text, p_now timestamptz, p_provisional_until timestamptz
)
returns jsonb
language plpgsql
as $$
begin
  -- If expire_adoptions is deleting the endpoint, this update waits. The next statement then finds no endpoint.
  update public.endpoints e set provisional_until = greatest(e.provisional_until, p_provisional_until)
  where e.id = p_endpoint_id and e.provisional_until is not null;

  return jsonb_build_object(
    'endpoint', (
      select jsonb_build_object(
        'resource', e.resource, 'host', e.host, 'probeUrl', e.probe_url, 'templated', e.templated,
        'removed', e.removed_at is not null or internal.opted_out_at(e.host) is not null,
        'declaredMethod', e.declared_method, 'challengedMethod', s.method,
        'settledThrough', coalesce(
          (select f.facilitators from internal.settled_through(array[e.id], p_now) f), '{}'
        )
      )
      from public.endpoints e left join public.endpoint_states s on s.endpoint_id = e.id
      where e.id = p_endpoint_id
    ),
    'source', (select r.source from public.report_sources(array[p_endpoint_id]) r),
    'related', internal.find_related(p_endpoint_id, p_host, p_path_url, false),
    'adoptions', (
      select count(*) from public.endpoints e where e.host = p_host and e.adopted_at > p_now - interval '1 day'
    ),
    'optedOutAt', internal.opted_out_at(p_host)
  );
end;
$$;

-- Returns an endpoint of a host with a URL that is similar to a URL: { resource, slug }. Only endpoints in a directory
-- count. Returns null without such an endpoint. Compares at most 2,000 endpoints, because a host can have many more.
create function public.closest_endpoint(p_host text, p_resource text)
returns jsonb
language plpgsql stable
as $$
begin
  return (
    select jsonb_build_object('resource', c.resource, 'slug', c.slug)
    from (
      select s.resource, s.slug
      from public.endpoints e join public.snapshots s on s.endpoint_id = e.id
      where e.host = p_host and s.public and s.listing_status = 'listed' and s.listing_source = 'directory'
      limit 2000
    ) c
    order by extensions.similarity(c.resource, p_resource) desc, c.resource limit 1
  );
end;
$$;

-- Returns the stored data of reports. Endpoints that are not public or have no score are left out.
create function public.report_sources(p_endpoint_ids text[])
returns table (endpoint_id text, source jsonb)
language plpgsql stable
as $$
begin
  return query
  select e.id, jsonb_build_object(
    'endpoint', jsonb_build_object(
      'id', e.id, 'resource', e.resource, 'slug', e.slug, 'templated', e.templated, 'serviceName', e.service_name,
      'source', case when exists (select 1 from public.listings l where l.endpoint_id = e.id)
        then 'directory' else 'adopted' end
    ),
    'payOn', n.pay_on,
    'inputs', d.inputs,
    'facts', d.facts,
    'challenge', c.challenge,
    'sharedWith', (
      select coalesce(jsonb_agg(o.resource order by o.resource), '[]') from (
        select x.resource from internal.find_wallet_sharers(e.id, 20) w join public.endpoints x on x.id = w
        order by x.resource limit 20
      ) o
    )
  )
  from unnest(p_endpoint_ids) as i (id)
  join public.endpoints e on e.id = i.id
  join public.snapshots n on n.endpoint_id = e.id and n.public
  join public.snapshot_details d on d.endpoint_id = e.id
  left join public.challenges c on c.hash = d.facts ->> 'challengeHash';
end;
$$;

create function internal.to_epoch_ms(p_at timestamptz)
returns bigint
language sql immutable
as $$
  select floor(extract(epoch from p_at) * 1000)::bigint;
$$;

-- Returns the figures of the UTC day of p_from, from the observations after p_from only. Returns no row without an
-- observation. `histogram`: histogram of the time to the last byte, with the buckets of daily_rollups.
create function internal.partial_day(p_endpoint_id text, p_from timestamptz)
returns table (day date, probes integer, scored integer, up integer, histogram smallint[])
language sql stable
as $$
  with given as (
    select not o.is_recheck and not o.excluded as is_counted, o.vitality, o.response_ms::double precision
    from internal.read_observations(
      p_endpoint_id, p_from, date_trunc('day', p_from, 'UTC') + interval '1 day' - interval '1 microsecond'
    ) o
  ),
  latencies as (
    -- Buckets are logarithmic: 16 for each power of ten, starting at 1 ms.
    select least(63, floor(16 * log(greatest(g.response_ms, 1)::numeric)))::integer as bucket
    from given g where g.is_counted and g.vitality = 1 and g.response_ms is not null
  ),
  counts as (
    select b.bucket, count(l.bucket)::smallint as n
    from generate_series(0, 63) as b (bucket) left join latencies l on l.bucket = b.bucket group by 1
  )
  select (p_from at time zone 'UTC')::date, count(*)::integer,
    count(*) filter (where g.is_counted and g.vitality is not null)::integer,
    count(*) filter (where g.is_counted and g.vitality = 1)::integer,
    case when exists (select 1 from latencies) then (select array_agg(c.n order by c.bucket) from counts c) end
  from given g having count(*) > 0;
$$;

-- Returns the lists `raw` and `hourly` of endpoint_history.
create function internal.history_probes(
  p_endpoint_id text, p_from timestamptz, p_to timestamptz, p_raw_limit integer
)
returns jsonb
language sql stable
as $$
  with observed as materialized (
    select o.at, o.http_status, o.response_ms, o.amount_usd, o.is_recheck,
      case when o.excluded then 'self-failure' else o.outcome end as outcome,
      o.compliance in ('pass', 'warnings') as compliant, o.vitality = 1 and not o.excluded as is_up,
      case when o.vitality is distinct from 1 and not o.excluded then o.failure end as cause,
      row_number() over (order by o.at desc) as newness
    from internal.read_observations(p_endpoint_id, p_from, p_to) o
  ),
  -- `raw` begins at the next full hour after the newest observation beyond the limit.
  cut as (
    select date_trunc('hour', o.at, 'UTC') + interval '1 hour' as at from observed o
    where o.newness = p_raw_limit + 1
  )
  select jsonb_build_object(
    'raw', (
      select coalesce(jsonb_agg(jsonb_build_array(
        internal.to_epoch_ms(o.at), o.outcome, o.http_status, round(o.response_ms), o.compliant, o.amount_usd::text,
        o.cause
      ) order by o.at, o.is_recheck), '[]')
      from observed o where not exists (select from cut c where o.at < c.at)
    ),
    'hourly', (
      select coalesce(jsonb_agg(jsonb_build_array(
        internal.to_epoch_ms(h.hour), h.outcome, h.http_status, round(h.latency_ms), h.compliant, h.amount_usd::text,
        h.cause, h.probes, h.up
      ) order by h.hour), '[]')
      from (
        select date_trunc('hour', o.at, 'UTC') as hour,
          mode() within group (order by o.outcome) as outcome,
          mode() within group (order by o.http_status) as http_status,
          percentile_disc(0.5) within group (order by o.response_ms) as latency_ms,
          bool_and(o.compliant) as compliant,
          (array_agg(o.amount_usd order by o.at desc) filter (where o.amount_usd is not null))[1] as amount_usd,
          mode() within group (order by o.cause) as cause,
          count(*) as probes,
          count(*) filter (where o.is_up) as up
        from observed o join cut c on o.at < c.at
        group by 1
      ) h
    )
  );
$$;

-- Returns the history of an endpoint after p_from and until p_to; null if the endpoint is unknown or removed. Each list
-- begins with the oldest entry. Times are milliseconds since the epoch. Latencies are times to the last byte of the
-- response, in milliseconds. A self-inflicted failure has the outcome `self-failure`.
-- `raw` contains the newest observations, at most p_raw_limit. If there are more observations, the list begins at a
-- full hour. Its entries are: [at, outcome, status, latency, compliant, price, cause].
-- `hourly` contains the hours before `raw`, with the most frequent outcome, status and cause, the median latency and
-- the last price. Its entries are: [hour, outcome, status, latency, compliant, price, cause, probes, up]. Both lists
-- are empty if p_daily_only is true.
-- `daily` contains the probes, the scored probes, the latency histogram and the score of each day. The first day covers
-- only the time after p_from. `probes` counts all observations, also rechecks and self-inflicted failures.
-- `events` contains the newest changes of listings, texts and payment terms, at most p_event_limit. Their total size is
-- at most p_event_bytes, because an endpoint can change large payment terms at every probe. A payTo that varies has one
-- event when it begins to vary: `varies` is then true.
-- `lastFailure` is the latest failed probe, or null if no probe failed in the 30 days before p_to. `causes30d` contains
-- the number of failed probes by cause, in the 30 days that end with the day of p_to. `purchases` contains the newest 50
-- published test purchases.
create function public.endpoint_history(
  p_endpoint_id text, p_from timestamptz, p_to timestamptz, p_raw_limit integer, p_event_limit integer,
  p_event_bytes integer, p_daily_only boolean
)
returns jsonb
language plpgsql stable
as $$
declare
  v_resource text;
  v_first_day date := (p_from at time zone 'UTC')::date;
  v_last_day date := (p_to at time zone 'UTC')::date;
begin
  select e.resource into v_resource from public.endpoints e where e.id = p_endpoint_id and e.removed_at is null;
  if not found then return null; end if;

  return jsonb_build_object(
    'resource', v_resource,
    'events', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'at', internal.to_epoch_ms(c.at), 'event', c.kind, 'before', c.before, 'after', c.after,
        'varies', c.variation is not null
      ) order by c.at, c.id), '[]')
      from (
        select n.*, sum(coalesce(length(n.before::text), 0) + coalesce(length(n.after::text), 0))
          over (order by n.at desc, n.id desc) as bytes
        from (
          select h.* from public.changes h
          where h.endpoint_id = p_endpoint_id and h.at > p_from and h.at <= p_to and h.kind in (
            'listed', 'delisted', 'relisted', 'price_change', 'payto_change', 'asset_network_change', 'metadata_change'
          ) and h.variation is distinct from 'continues'
          order by h.at desc, h.id desc limit p_event_limit
        ) n
      ) c
      where c.bytes <= p_event_bytes
    ),
    'daily', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'day', d.day, 'probes', coalesce(r.probes, 0), 'scored', coalesce(r.scored, 0), 'up', coalesce(r.up, 0),
        'histogram', r.histogram, 'score', s.score
      ) order by d.day), '[]')
      from (
        select g.day::date as day
        from generate_series(v_first_day::timestamp, v_last_day::timestamp, interval '1 day') as g (day)
      ) d
      left join (
        select f.* from internal.partial_day(p_endpoint_id, p_from) f
        union all
        select u.day, u.probes + u.rechecks, u.scored, u.up, u.response_histogram from public.daily_rollups u
        where u.endpoint_id = p_endpoint_id and u.day > v_first_day and u.day <= v_last_day
      ) r on r.day = d.day
      left join public.daily_scores s on s.endpoint_id = p_endpoint_id and s.day = d.day
      where r.day is not null or s.day is not null
    ),
    'lastFailure', (
      select s.last_failure || jsonb_build_object(
        'at', internal.to_epoch_ms((s.last_failure ->> 'at')::timestamptz),
        'since', internal.to_epoch_ms((s.last_failure ->> 'since')::timestamptz)
      )
      from public.endpoint_states s
      where s.endpoint_id = p_endpoint_id and (s.last_failure ->> 'at')::timestamptz > p_to - interval '30 days'
    ),
    'causes30d', (
      select coalesce(jsonb_object_agg(n.cause, n.n), '{}') from (
        select c.key as cause, sum(c.value::integer) as n
        from public.daily_rollups u cross join lateral jsonb_each_text(u.causes) c
        where u.endpoint_id = p_endpoint_id and u.day > v_last_day - 30 and u.day <= v_last_day
        group by 1
      ) n
    ),
    'purchases', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', n.id, 'at', internal.to_epoch_ms(n.reserved_at), 'outcome', n.outcome, 'amountUsd', n.amount_usd::text,
        'httpStatus', n.http_status, 'bodyBytes', case when n.failure is null then n.body_bytes end,
        'schemaFindings', jsonb_array_length(n.schema_findings), 'totalMs', n.total_ms,
        'transaction', n.transaction
      ) order by n.reserved_at, n.id), '[]')
      from (
        select * from public.purchases u
        where u.endpoint_id = p_endpoint_id and u.published_at <= p_to and u.reserved_at > p_from
          and u.reserved_at <= p_to
        order by u.reserved_at desc, u.id desc limit 50
      ) n
    )
  ) || case when p_daily_only then '{"raw": [], "hourly": []}'
    else internal.history_probes(p_endpoint_id, p_from, p_to, p_raw_limit) end;
end;
$$;

-- Returns the days of a public endpoint that have probes, oldest first: the 30 UTC days that end with the day of the
-- snapshot. These are the days of the figures `uptime_30d` and `latency_ms` of the snapshot. Returns an empty array
-- without a public snapshot. `histogram`: histogram of the time to the last byte, with the buckets of daily_rollups.
-- `amountUsd`: last advertised price of the day. Runs as the owner, because the table of the daily rollups is not public.
create function public.endpoint_days(p_endpoint_id text)
returns jsonb
language sql stable security definer
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'day', d.day, 'probes', d.probes, 'scored', d.scored, 'up', d.up,
    'histogram', d.response_histogram, 'amountUsd', d.amount_usd::text
  ) order by d.day), '[]')
  from public.snapshots s
  cross join lateral (select (s.computed_at at time zone 'UTC')::date as last_day) w
  join public.daily_rollups d on d.endpoint_id = s.endpoint_id and d.day between w.last_day - 29 and w.last_day
  where s.endpoint_id = p_endpoint_id and s.public;
$$;

-- Returns the daily uptime of public endpoints as { endpoint id: [percent, …] }: the 30 UTC days of endpoint_days, oldest
-- first. A percentage has one decimal and is rounded down. Null for a day without a scored probe. At most 100 ids are
-- read. Runs as the owner, because the table of the daily rollups is not public.
create function public.uptime_days(p_endpoint_ids text[])
returns jsonb
language sql stable security definer
as $$
  select coalesce(jsonb_object_agg(u.endpoint_id, u.days), '{}')
  from (
    select s.endpoint_id,
      jsonb_agg(floor(1000 * d.up::numeric / nullif(d.scored, 0)) / 10 order by n.day) as days
    from public.snapshots s
    cross join lateral (
      select (s.computed_at at time zone 'UTC')::date - g.age as day from generate_series(0, 29) as g (age)
    ) n
    left join public.daily_rollups d on d.endpoint_id = s.endpoint_id and d.day = n.day
    where s.endpoint_id = any (p_endpoint_ids[:100]) and s.public
    group by s.endpoint_id
  ) u;
$$;

-- Adds an endpoint that no directory lists to the catalog, with its first observation. The endpoint is then scheduled
-- and queued for scoring. The event `listed` follows when a directory lists the endpoint, see record_listings. The
-- adoption is provisional until p_provisional_until, see expire_adoptions.
-- p_endpoint: { id, resource, host, slug, serviceName, description, intervalSeconds, offsetSeconds }. p_row has the
-- format of record_live_probe, and is stored only with the outcome `adopted`.
-- The outcome is `adopted`; `known` if the endpoint already exists, or if another endpoint has its id; `full` if
-- p_host_limit endpoints of its host were adopted in the last 24 hours.
create function public.adopt_endpoint(
  p_now timestamptz, p_endpoint jsonb, p_row jsonb, p_host_limit integer, p_provisional_until timestamptz
)
returns table (outcome text, missing text[])
language plpgsql
as $$
declare
  v_row internal.observation_row := jsonb_populate_record(null::internal.observation_row, p_row);
  v_host text := p_endpoint ->> 'host';
begin
  -- Serializes the adoptions of one host, so concurrent calls cannot exceed p_host_limit.
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('adopt ' || v_host, 0));
  missing := '{}';
  if exists (select 1 from public.endpoints e where e.id = v_row."endpointId") then
    outcome := 'known';
  elsif p_host_limit <= (
    select count(*) from public.endpoints e where e.host = v_host and e.adopted_at > p_now - interval '1 day'
  ) then
    outcome := 'full';
  else
    insert into public.endpoints (
      id, resource, probe_url, host, slug, templated, service_name, description, first_seen_at, adopted_at,
      provisional_until
    )
    select e.id, e.resource, e.resource, e.host, e.slug, false, e."serviceName", e.description, p_now, p_now,
      p_provisional_until
    from jsonb_to_record(p_endpoint) as e (
      id text, resource text, host text, slug text, "serviceName" text, description text
    )
    -- A directory may add the same endpoint at the same moment; the outcome is then `known`.
    on conflict do nothing;
    outcome := case when found then 'adopted' else 'known' end;
  end if;
  if outcome <> 'adopted' then
    return next;
    return;
  end if;

  insert into public.endpoint_states (endpoint_id) values (v_row."endpointId");
  insert into public.schedules (endpoint_id, host, interval_seconds, offset_seconds, next_probe_at)
  select v_row."endpointId", v_host, e."intervalSeconds", e."offsetSeconds",
    internal.next_slot(p_now, e."intervalSeconds", e."offsetSeconds")
  from jsonb_to_record(p_endpoint) as e ("intervalSeconds" integer, "offsetSeconds" integer);

  v_row.ordinal := 1;
  v_row.is_recheck := false;
  missing := internal.record_unscheduled(v_row, p_now);
  return next;
end;
$$;

-- Returns the outcome of a provisional adoption:
-- `kept`: a payment for the endpoint was settled since the adoption, a directory lists the endpoint, it has a paid
-- watch, or it was removed from public view on request.
-- `pending`: a payment for the endpoint or for a watch of it is open.
-- `unpaid`: all other cases.
-- Payments for all operations count, because the buyer of a history needs the endpoint too.
create function internal.adoption_outcome(p_endpoint public.endpoints, p_now timestamptz)
returns text
language sql stable
as $$
  select case
    when (p_endpoint.removed_at is not null and not p_endpoint.opted_out)
      or exists (select 1 from public.listings l where l.endpoint_id = p_endpoint.id)
      or exists (
        select 1 from public.watches w
        where w.endpoint_id = p_endpoint.id and w.status <> 'pending' and w.claim_id is null
      )
      or exists (
        select 1 from public.payments p
        where p.resource = p_endpoint.resource and p.state in ('settled', 'disputed')
          and p.settled_at >= p_endpoint.adopted_at
      )
    then 'kept'
    when exists (select 1 from public.watches w where w.endpoint_id = p_endpoint.id and w.claim_id is null)
      or exists (
        select 1 from public.payments p
        where p.resource = p_endpoint.resource
          and (p.state = 'settling' or (p.state = 'working' and p.lease_until > p_now))
      )
    then 'pending'
    else 'unpaid'
  end;
$$;

-- Ends up to p_limit provisional adoptions that have expired. Endpoints with the outcome `kept` stay in the catalog.
-- Endpoints with an open payment stay provisional until p_extend_until. Unpaid endpoints are deleted with their
-- observations. Endpoints that another transaction has locked are left to the next call. Returns the deleted
-- endpoints: [{ endpointId, host }].
create function public.expire_adoptions(p_now timestamptz, p_extend_until timestamptz, p_limit integer)
returns jsonb
language plpgsql
as $$
declare
  v_endpoint public.endpoints;
  v_leases integer;
  v_outcome text;
  v_deleted jsonb := '[]';
begin
  for v_endpoint in
    select * from public.endpoints e where e.provisional_until <= p_now order by e.provisional_until limit p_limit
  loop
    -- Takes the locks in the same order as the probing functions, and skips locked rows instead of waiting. So no
    -- deadlock is possible. The statements after the locks see all payments that were committed before them.
    perform 1 from public.schedules c where c.endpoint_id = v_endpoint.id for update skip locked;
    continue when not found;
    select count(*) into v_leases from (
      select 1 from public.leases l where l.endpoint_id = v_endpoint.id for update skip locked
    ) locked;
    continue when v_leases <> (select count(*) from public.leases l where l.endpoint_id = v_endpoint.id);
    perform 1 from public.endpoint_states s where s.endpoint_id = v_endpoint.id for update skip locked;
    continue when not found;
    select * into v_endpoint from public.endpoints e
    where e.id = v_endpoint.id and e.provisional_until <= p_now for update skip locked;
    continue when not found;

    v_outcome := internal.adoption_outcome(v_endpoint, p_now);
    if v_outcome <> 'unpaid' then
      update public.endpoints e set provisional_until = case v_outcome when 'pending' then p_extend_until end
      where e.id = v_endpoint.id;
    else
      delete from public.endpoints e where e.id = v_endpoint.id;
      delete from public.leases l where l.endpoint_id = v_endpoint.id;
      delete from public.observations o
      where o.endpoint_id = v_endpoint.id and o.at > v_endpoint.adopted_at - interval '1 day';
      delete from public.packed_observations p
      where p.endpoint_id = v_endpoint.id and p.day = any (array(
        select (d at time zone 'UTC')::date
        from generate_series(v_endpoint.adopted_at - interval '1 day', p_now, interval '1 day') d
      ));
      delete from public.scoring_queue q where q.endpoint_id = v_endpoint.id;
      v_deleted := v_deleted || jsonb_build_object('endpointId', v_endpoint.id, 'host', v_endpoint.host);
    end if;
  end loop;
  return v_deleted;
end;
$$;

-- Results of live checks, one row for each requested URL and method. They are kept for the pages of the checks, and
-- enter no score, no list and no other table.
create table public.checks (
  resource text not null check (length(resource) <= 2048),
  -- Empty for a check that chose the method itself.
  method text not null check (method ~ '^[A-Z]{0,6}$'),
  checked_at timestamptz not null,
  result jsonb not null check (octet_length(result::text) <= 65536),
  primary key (resource, method)
);
create index checks_checked_at on public.checks (checked_at);

-- Stores the result of a check in place of an older result. If the table has more than p_row_limit rows, the oldest
-- rows are deleted, so that checks of many URLs cannot fill the disk.
create function public.store_check(
  p_resource text, p_method text, p_checked_at timestamptz, p_result jsonb, p_row_limit integer
)
returns void
language plpgsql
as $$
begin
  insert into public.checks as c (resource, method, checked_at, result)
  values (p_resource, p_method, p_checked_at, p_result)
  on conflict (resource, method) do update set checked_at = excluded.checked_at, result = excluded.result
  where c.checked_at <= excluded.checked_at;

  -- Compares times instead of selecting rows for update, which would lock every kept row.
  delete from public.checks k where k.checked_at < (
    select c.checked_at from public.checks c order by c.checked_at desc offset p_row_limit - 1 limit 1
  );
end;
$$;

-- Returns the result of a check after p_after; null without such a check.
create function public.find_check(p_resource text, p_method text, p_after timestamptz)
returns jsonb
language sql stable
as $$
  select c.result from public.checks c
  where c.resource = p_resource and c.method = p_method and c.checked_at > p_after;
$$;

-- Returns true if no check may be sent: the endpoint was removed on request, or the provider of the host opted out of
-- probing.
create function public.refuses_checks(p_endpoint_id text, p_host text)
returns boolean
language plpgsql stable
as $$
begin
  return exists (select from public.endpoints e where e.id = p_endpoint_id and e.removed_at is not null)
    or exists (select from public.opt_outs o where o.host = p_host);
end;
$$;
