-- Reports: source of the endpoint, version of the score, and related endpoints.

-- Searches for related endpoints use these indexes.
create index endpoints_path_url on public.endpoints (split_part(resource, '?', 1));
create index endpoints_templated on public.endpoints (host) where templated;

-- Returns listed endpoints that may be the requested one in another form, at most 200: first those whose URL without
-- its query is p_path_url, then URL templates of the host. Returns [{ resource, slug, templated, score, grade,
-- recommendation, confidence }]. The caller compares the templates with the requested URL.
create function internal.find_related(p_endpoint_id text, p_host text, p_path_url text)
returns jsonb
language sql stable
set search_path = ''
as $$
  with candidates as (
    select e.id, true as is_same_path from public.endpoints e
    where split_part(e.resource, '?', 1) = p_path_url and e.host = p_host
    union
    select e.id, split_part(e.resource, '?', 1) = p_path_url from public.endpoints e
    where e.host = p_host and e.templated
  ),
  related as (
    select s.*, c.is_same_path from candidates c join public.snapshots s on s.endpoint_id = c.id
    where s.public and s.listing_status = 'listed' and s.endpoint_id <> p_endpoint_id
    order by c.is_same_path desc, s.score_low desc, s.score desc, s.endpoint_id limit 200
  )
  select coalesce(jsonb_agg(jsonb_build_object(
    'resource', r.resource, 'slug', r.slug, 'templated', r.templated, 'score', r.score, 'grade', r.grade,
    'recommendation', r.recommendation, 'confidence', r.confidence
  ) order by r.is_same_path desc, r.score_low desc, r.score desc, r.endpoint_id), '[]')
  from related r;
$$;

-- Returns the data from which reports are assembled: the endpoint, its last score with its inputs, the challenge at the
-- time of that score, and other endpoints with the same wallets. If that challenge is not stored (yet), `challenge` is
-- null; an earlier challenge would be outdated. Endpoints that are not public or have no score are left out.
create or replace function public.report_sources(p_endpoint_ids text[])
returns table (endpoint_id text, source jsonb)
language sql stable
set search_path = ''
as $$
  select e.id, jsonb_build_object(
    'endpoint', jsonb_build_object(
      'id', e.id, 'resource', e.resource, 'slug', e.slug, 'templated', e.templated, 'serviceName', e.service_name,
      'description', e.description, 'listingStatus', e.listing_status, 'firstSeenAt', e.first_seen_at,
      'delistedAt', e.delisted_at, 'source', internal.listing_source(e.id)
    ),
    'payOn', n.pay_on,
    'computedAt', n.computed_at,
    'scoringVersion', d.scoring_version,
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
$$;

-- The function has a new parameter, so it must be dropped first.
drop function public.report_subject(text, text, timestamptz, timestamptz);

-- Returns the data for a report request in one call. Extends a provisional adoption to p_provisional_until, so the
-- endpoint is not deleted before the report is paid.
-- `endpoint`: data for probing the endpoint; null if the endpoint is unknown. `source`: report data from
-- report_sources; null before the first score. `related`: see find_related; p_path_url is the canonical URL without its
-- query. `adoptions`: number of endpoints of p_host that were adopted in the 24 hours before p_now.
create function public.report_subject(
  p_endpoint_id text, p_host text, p_path_url text, p_now timestamptz, p_provisional_until timestamptz
)
returns jsonb
language sql
set search_path = ''
as $$
  -- If expire_adoptions is deleting the endpoint, this update waits. The next statement then finds no endpoint.
  update public.endpoints e set provisional_until = greatest(e.provisional_until, p_provisional_until)
  where e.id = p_endpoint_id and e.provisional_until is not null;

  select jsonb_build_object(
    'endpoint', (
      select jsonb_build_object(
        'resource', e.resource, 'host', e.host, 'probeUrl', e.probe_url, 'templated', e.templated,
        'removed', e.removed_at is not null, 'declaredMethod', e.declared_method, 'challengedMethod', s.method
      )
      from public.endpoints e left join public.endpoint_states s on s.endpoint_id = e.id
      where e.id = p_endpoint_id
    ),
    'source', (select r.source from public.report_sources(array[p_endpoint_id]) r),
    'related', internal.find_related(p_endpoint_id, p_host, p_path_url),
    'adoptions', internal.count_adoptions(p_host, p_now)
  );
$$;
