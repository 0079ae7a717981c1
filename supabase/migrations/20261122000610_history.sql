-- History of an endpoint, read in one call.

create function internal.to_epoch_ms(p_at timestamptz)
returns bigint
language sql immutable
set search_path = ''
as $$
  select floor(extract(epoch from p_at) * 1000)::bigint;
$$;

-- Returns the history of an endpoint after p_from and until p_to; null if the endpoint is unknown or removed. Each list
-- begins with the oldest entry. Times are milliseconds since the epoch, latencies are milliseconds. A self-inflicted
-- failure has the outcome `self-failure`.
-- `raw` contains the newest observations, at most p_raw_limit. If there are more, it begins at a full hour. Its entries
-- are: [at, outcome, status, latency, compliant, price].
-- `hourly` contains the hours before `raw`, with the most frequent outcome and status, the median latency and the last
-- price. Its entries are: [hour, outcome, status, latency, compliant, price, probes, up].
-- `daily` contains the scored probes, the latency histogram and the score of each day.
-- `events` contains the newest changes of listings and payment terms, at most p_event_limit. Their total size is at
-- most p_event_bytes, because an endpoint can change large payment terms at every probe.
create function public.endpoint_history(
  p_endpoint_id text, p_from timestamptz, p_to timestamptz, p_raw_limit integer, p_event_limit integer,
  p_event_bytes integer
)
returns jsonb
language plpgsql stable
set search_path = ''
as $$
declare
  v_resource text;
  v_raw_from timestamptz := p_from;
  v_cut timestamptz;
begin
  select e.resource into v_resource from public.endpoints e where e.id = p_endpoint_id and e.removed_at is null;
  if not found then return null; end if;

  -- Finds the newest observation beyond the limit. `raw` begins at the next full hour after that observation.
  select o.at into v_cut from public.observations o
  where o.endpoint_id = p_endpoint_id and o.at > p_from and o.at <= p_to
  order by o.at desc offset p_raw_limit limit 1;
  if found then v_raw_from := date_trunc('hour', v_cut, 'UTC') + interval '1 hour'; end if;

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
        round(o.latency_ms), o.compliance in ('pass', 'warnings'), o.amount_usd::text
      ) order by o.at), '[]')
      from public.observations o
      where o.endpoint_id = p_endpoint_id and o.at > p_from and o.at >= v_raw_from and o.at <= p_to
    ),
    'hourly', (
      select coalesce(jsonb_agg(jsonb_build_array(
        internal.to_epoch_ms(h.hour), h.outcome, h.http_status, round(h.latency_ms), h.compliant, h.amount_usd::text,
        h.probes, h.up
      ) order by h.hour), '[]')
      from (
        select date_trunc('hour', o.at, 'UTC') as hour,
          mode() within group (order by case when o.excluded then 'self-failure' else o.outcome end) as outcome,
          mode() within group (order by o.http_status) as http_status,
          percentile_disc(0.5) within group (order by o.latency_ms) as latency_ms,
          bool_and(o.compliance in ('pass', 'warnings')) as compliant,
          (array_agg(o.amount_usd order by o.at desc) filter (where o.amount_usd is not null))[1] as amount_usd,
          count(*) as probes,
          count(*) filter (where o.vitality = 1 and not o.excluded) as up
        from public.observations o
        where o.endpoint_id = p_endpoint_id and o.at > p_from and o.at < v_raw_from and v_cut is not null
        group by 1
      ) h
    ),
    'daily', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'day', d.day, 'probes', coalesce(r.scored, 0), 'up', coalesce(r.up, 0), 'histogram', r.latency_histogram,
        'score', s.score
      ) order by d.day), '[]')
      from (
        select g.day::date as day
        from generate_series(
          (p_from at time zone 'UTC')::date::timestamp, (p_to at time zone 'UTC')::date::timestamp, interval '1 day'
        ) as g (day)
      ) d
      left join public.daily_rollups r on r.endpoint_id = p_endpoint_id and r.day = d.day
      left join public.daily_scores s on s.endpoint_id = p_endpoint_id and s.day = d.day
      where r.day is not null or s.day is not null
    )
  );
end;
$$;
