-- Reports: everything that is known of an endpoint, read in one call.

-- What reports of endpoints are assembled from: the endpoint, its last score with what it was computed from, the
-- challenge it had then, and who else is paid at its wallets. The challenge is null where that one is not stored (yet): an earlier one would say what is over. Endpoints that are not public, or were never scored,
-- are left out.
create function public.report_sources(p_endpoint_ids text[])
returns table (endpoint_id text, source jsonb)
language sql stable
set search_path = ''
as $$
  select e.id, jsonb_build_object(
    'endpoint', jsonb_build_object(
      'id', e.id, 'resource', e.resource, 'slug', e.slug, 'templated', e.templated, 'serviceName', e.service_name,
      'description', e.description, 'listingStatus', e.listing_status, 'firstSeenAt', e.first_seen_at,
      'delistedAt', e.delisted_at
    ),
    'payOn', n.pay_on,
    'computedAt', n.computed_at,
    'inputs', d.inputs,
    'facts', d.facts,
    'challenge', c.challenge,
    'sharedWith', (
      select coalesce(jsonb_agg(o.resource order by o.resource), '[]') from (
        select x.resource from internal.wallet_sharers(e.id, 20) w join public.endpoints x on x.id = w
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

-- The best, the median and the worst of the graded, listed endpoints of which enough is known not to be flagged for it,
-- with their ranks from 1. While there are not three of those, as in a service's first days, of all that are graded.
create function public.sample_ranks()
returns table (role text, endpoint_id text, rank integer, population integer)
language sql stable
set search_path = ''
as $$
  with known as (
    select count(*)::integer as population from public.snapshots s
    where s.public and s.listing_status = 'listed' and s.grade <> '?' and s.confidence >= 0.3
  ),
  -- The other count, which no index has, is only taken where the first is not enough.
  counted as (
    select k.population, true as well_known from known k where k.population >= 3
    union all
    select a.population, false from known k cross join lateral (
      select count(*)::integer as population from public.snapshots s
      where s.public and s.listing_status = 'listed' and s.grade <> '?'
    ) a
    where k.population < 3
  ),
  wanted as (
    select w.role, w.rank, c.population, c.well_known from counted c cross join lateral (
      values ('best', 1), ('median', (c.population + 1) / 2), ('worst', c.population)
    ) as w (role, rank)
    where c.population > 0
  )
  select w.role, r.endpoint_id, w.rank, w.population
  from wanted w cross join lateral (
    (
      select s.endpoint_id from public.snapshots s
      where w.well_known and s.public and s.listing_status = 'listed' and s.grade <> '?' and s.confidence >= 0.3
      order by s.score desc, s.endpoint_id offset w.rank - 1 limit 1
    )
    union all
    (
      select s.endpoint_id from public.snapshots s
      where not w.well_known and s.public and s.listing_status = 'listed' and s.grade <> '?'
      order by s.score desc, s.endpoint_id offset w.rank - 1 limit 1
    )
  ) r
  order by w.rank;
$$;
