-- History: causes of failures, all probes of a day, and the metadata of directories.

-- Returns the cause of a failed probe; null for a successful probe, for a self-inflicted failure, and for an
-- observation that was recorded before causes were stored.
create function internal.failure_cause(p_observation public.observations)
returns text
language sql immutable
as $$
  select case when p_observation.vitality is distinct from 1 and not p_observation.excluded
    and p_observation.failure ~ '^[a-z0-9]+(-[a-z0-9]+)*$' then p_observation.failure end;
$$;

-- Returns the time to the last byte of the response, in milliseconds; null without a complete response. The column
-- `latency_ms` is the time to the first byte.
create function internal.response_ms(p_observation public.observations)
returns double precision
language sql immutable
as $$
  select p_observation.latency_ms::double precision + p_observation.transfer_ms;
$$;

-- Returns the figures of the UTC day of p_from, from the observations after p_from only. Returns no row without an
-- observation. `histogram`: histogram of the time to the last byte, with the buckets of daily_rollups.
create function internal.partial_day(p_endpoint_id text, p_from timestamptz)
returns table (day date, probes integer, scored integer, up integer, histogram integer[])
language sql stable
set search_path = ''
as $$
  with given as (
    select not o.is_recheck and not o.excluded as is_counted, o.vitality, internal.response_ms(o) as response_ms
    from public.observations o
    where o.endpoint_id = p_endpoint_id and o.at > p_from
      and o.at < ((p_from at time zone 'UTC')::date + 1)::timestamp at time zone 'UTC'
  ),
  latencies as (
    -- Buckets are logarithmic: 16 for each power of ten, starting at 1 ms.
    select least(63, floor(16 * log(greatest(g.response_ms, 1)::numeric)))::integer as bucket
    from given g where g.is_counted and g.vitality = 1 and g.response_ms is not null
  ),
  counts as (
    select b.bucket, count(l.bucket)::integer as n
    from generate_series(0, 63) as b (bucket) left join latencies l on l.bucket = b.bucket group by 1
  )
  select (p_from at time zone 'UTC')::date, count(*)::integer,
    count(*) filter (where g.is_counted and g.vitality is not null)::integer,
    count(*) filter (where g.is_counted and g.vitality = 1)::integer,
    case when exists (select 1 from latencies) then (select array_agg(c.n order by c.bucket) from counts c) end
  from given g having count(*) > 0;
$$;

-- The function has a new parameter, so it must be dropped first.
drop function public.endpoint_history(text, timestamptz, timestamptz, integer, integer, integer);

-- Returns the history of an endpoint after p_from and until p_to; null if the endpoint is unknown or removed. Each list
-- begins with the oldest entry. Times are milliseconds since the epoch. Latencies are times to the last byte of the
-- response, in milliseconds. A self-inflicted failure has the outcome `self-failure`.
-- `raw` contains the newest observations, at most p_raw_limit. If there are more, it begins at a full hour. Its entries
-- are: [at, outcome, status, latency, compliant, price, cause].
-- `hourly` contains the hours before `raw`, with the most frequent outcome, status and cause, the median latency and
-- the last price. Its entries are: [hour, outcome, status, latency, compliant, price, cause, probes, up]. Both lists
-- are empty if p_daily_only is true.
-- `daily` contains the probes, the scored probes, the latency histogram and the score of each day. The histogram is
-- null for days before it was stored. The first day covers only the time after p_from. `probes` counts all
-- observations, also rechecks and self-inflicted failures.
-- `events` contains the newest changes of listings, texts and payment terms, at most p_event_limit. Their total size is
-- at most p_event_bytes, because an endpoint can change large payment terms at every probe.
-- `lastFailure` is the latest failed probe, or null if no probe failed in the 30 days before p_to. `causes30d` contains
-- the number of failed probes by cause, in the 30 days that end with the day of p_to.
create function public.endpoint_history(
  p_endpoint_id text, p_from timestamptz, p_to timestamptz, p_raw_limit integer, p_event_limit integer,
  p_event_bytes integer, p_daily_only boolean
)
returns jsonb
language plpgsql stable
set search_path = ''
as $$
declare
  v_resource text;
  v_raw_from timestamptz := p_from;
  v_cut timestamptz;
  v_first_day date := (p_from at time zone 'UTC')::date;
  v_last_day date := (p_to at time zone 'UTC')::date;
begin
  select e.resource into v_resource from public.endpoints e where e.id = p_endpoint_id and e.removed_at is null;
  if not found then return null; end if;

  -- Finds the newest observation beyond the limit. `raw` begins at the next full hour after that observation.
  if p_daily_only then
    v_raw_from := 'infinity';
  else
    select o.at into v_cut from public.observations o
    where o.endpoint_id = p_endpoint_id and o.at > p_from and o.at <= p_to
    order by o.at desc offset p_raw_limit limit 1;
    if found then v_raw_from := date_trunc('hour', v_cut, 'UTC') + interval '1 hour'; end if;
  end if;

  return jsonb_build_object(
    'resource', v_resource,
    'events', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'at', internal.to_epoch_ms(c.at), 'event', c.kind, 'before', c.before, 'after', c.after
      ) order by c.at, c.id), '[]')
      from (
        select n.*, sum(coalesce(length(n.before::text), 0) + coalesce(length(n.after::text), 0))
          over (order by n.at desc, n.id desc) as bytes
        from (
          select h.* from public.changes h
          where h.endpoint_id = p_endpoint_id and h.at > p_from and h.at <= p_to and h.kind in (
            'listed', 'delisted', 'relisted', 'price_change', 'payto_change', 'asset_network_change', 'metadata_change'
          )
          order by h.at desc, h.id desc limit p_event_limit
        ) n
      ) c
      where c.bytes <= p_event_bytes
    ),
    'raw', (
      select coalesce(jsonb_agg(jsonb_build_array(
        internal.to_epoch_ms(o.at), case when o.excluded then 'self-failure' else o.outcome end, o.http_status,
        round(internal.response_ms(o)), o.compliance in ('pass', 'warnings'), o.amount_usd::text,
        internal.failure_cause(o)
      ) order by o.at), '[]')
      from public.observations o
      where o.endpoint_id = p_endpoint_id and o.at > p_from and o.at >= v_raw_from and o.at <= p_to
    ),
    'hourly', (
      select coalesce(jsonb_agg(jsonb_build_array(
        internal.to_epoch_ms(h.hour), h.outcome, h.http_status, round(h.latency_ms), h.compliant, h.amount_usd::text,
        h.cause, h.probes, h.up
      ) order by h.hour), '[]')
      from (
        select date_trunc('hour', o.at, 'UTC') as hour,
          mode() within group (order by case when o.excluded then 'self-failure' else o.outcome end) as outcome,
          mode() within group (order by o.http_status) as http_status,
          percentile_disc(0.5) within group (order by internal.response_ms(o)) as latency_ms,
          bool_and(o.compliance in ('pass', 'warnings')) as compliant,
          (array_agg(o.amount_usd order by o.at desc) filter (where o.amount_usd is not null))[1] as amount_usd,
          mode() within group (order by internal.failure_cause(o)) as cause,
          count(*) as probes,
          count(*) filter (where o.vitality = 1 and not o.excluded) as up
        from public.observations o
        where o.endpoint_id = p_endpoint_id and o.at > p_from and o.at < v_raw_from and v_cut is not null
        group by 1
      ) h
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
    )
  );
end;
$$;
