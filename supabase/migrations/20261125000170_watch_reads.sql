-- Reading of watches.

-- Returns the endpoint that a watch of this resource would observe, or null if it is not in the public catalog.
-- `isProbed` is false for a URL template without example values.
create function public.find_watch_target(p_resource text)
returns jsonb
language sql stable
set search_path = ''
as $$
  select jsonb_build_object(
    'endpointId', e.id, 'slug', e.slug, 'resource', e.resource, 'templated', e.templated, 'isProbed',
    e.probe_url is not null and exists (select 1 from public.schedules s where s.endpoint_id = e.id)
  )
  from public.endpoints e where e.resource = p_resource and e.removed_at is null;
$$;

-- Returns the destinations of a watch with the number of pending deliveries and the latest attempt of each.
create function internal.list_destinations(p_watch_id text)
returns jsonb
language sql stable
set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', d.id, 'channel', d.channel, 'url', d.url, 'label', d.label, 'createdAt', d.created_at,
    'disabledAt', d.disabled_at, 'disabledReason', d.disabled_reason, 'failingSince', d.failing_since,
    'pending', (
      select count(*) from public.watch_deliveries v where v.destination_id = d.id and v.state = 'pending'
    ),
    'lastAttempt', (
      select jsonb_build_object('at', a.at, 'httpStatus', a.http_status, 'error', a.error, 'outcome', a.outcome)
      from public.watch_attempts a where a.destination_id = d.id order by a.id desc limit 1
    )
  ) order by d.id), '[]')
  from public.watch_destinations d where d.watch_id = p_watch_id and d.removed_at is null;
$$;

-- Returns a watch with its endpoint and its destinations; null if it is unknown.
create function public.find_watch(p_id text)
returns jsonb
language sql stable
set search_path = ''
as $$
  select jsonb_build_object(
    'id', w.id, 'status', w.status, 'secretHash', w.secret_hash, 'signingKey', w.signing_key,
    'endpointId', w.endpoint_id, 'slug', e.slug, 'resource', e.resource, 'templated', e.templated,
    'isProbed', e.probe_url is not null and exists (select 1 from public.schedules s where s.endpoint_id = e.id),
    'events', w.events, 'livenessSensitivityN', w.liveness_sensitivity_n, 'createdAt', w.created_at,
    'activatedAt', w.activated_at, 'expiresAt', w.expires_at, 'cancelledAt', w.cancelled_at,
    'downSince', w.down_since, 'lastSequence', w.last_sequence,
    'destinations', internal.list_destinations(w.id)
  )
  from public.watches w join public.endpoints e on e.id = w.endpoint_id where w.id = p_id;
$$;

-- Returns the latest attempts of a watch, newest first.
create function public.read_watch_attempts(p_watch_id text, p_limit integer)
returns table (
  at timestamptz, label text, channel text, sequence integer, type text, duration_ms real, phase text,
  http_status smallint, reply text, error text, outcome text, next_attempt_at timestamptz
)
language sql stable
set search_path = ''
as $$
  select a.at, d.label, d.channel, a.sequence, l.type, a.duration_ms, a.phase, a.http_status, a.reply, a.error,
    a.outcome, a.next_attempt_at
  from public.watch_attempts a
  join public.watch_destinations d on d.id = a.destination_id
  join public.watch_log l on l.watch_id = a.watch_id and l.sequence = a.sequence
  where a.watch_id = p_watch_id
  order by a.id desc limit p_limit;
$$;

-- Returns the outcome of a provisional adoption:
-- `kept`: a payment for the endpoint was settled since the adoption, a directory lists the endpoint, it has a paid
-- watch, or it was removed from public view on request.
-- `pending`: a payment for the endpoint or for a watch of it is open.
-- `unpaid`: all other cases.
-- Payments for all operations count, because the buyer of a history needs the endpoint too.
create or replace function internal.adoption_outcome(p_endpoint public.endpoints, p_now timestamptz)
returns text
language sql stable
set search_path = ''
as $$
  select case
    when p_endpoint.removed_at is not null
      or exists (select 1 from public.listings l where l.endpoint_id = p_endpoint.id)
      or exists (select 1 from public.watches w where w.endpoint_id = p_endpoint.id and w.status <> 'pending')
      or exists (
        select 1 from public.payments p
        where p.resource = p_endpoint.resource and p.state in ('settled', 'disputed')
          and p.settled_at >= p_endpoint.adopted_at
      )
    then 'kept'
    when exists (select 1 from public.watches w where w.endpoint_id = p_endpoint.id)
      or exists (
        select 1 from public.payments p
        where p.resource = p_endpoint.resource
          and (p.state = 'settling' or (p.state = 'working' and p.lease_until > p_now))
      )
    then 'pending'
    else 'unpaid'
  end;
$$;
