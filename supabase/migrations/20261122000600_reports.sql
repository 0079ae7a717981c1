-- Reports: the stored data of endpoints, read in one call.

-- Returns the data from which reports are assembled: the endpoint, its last score with its inputs, the challenge at the
-- time of that score, and other endpoints with the same wallets. If that challenge is not stored (yet), `challenge` is
-- null; an earlier challenge would be outdated. Endpoints that are not public or have no score are left out.
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

-- Returns three sample endpoints with their ranks, starting at 1: the best, the median and the worst. They are selected
-- from the graded, listed endpoints with a confidence of at least 0.3. If there are fewer than three such endpoints, as
-- in the first days of a service, all graded, listed endpoints are used.
create function public.sample_ranks()
returns table (role text, endpoint_id text, rank integer, population integer)
language sql stable
set search_path = ''
as $$
  with confident as (
    select count(*)::integer as population from public.snapshots s
    where s.public and s.listing_status = 'listed' and s.grade <> '?' and s.confidence >= 0.3
  ),
  -- This count has no index, so it runs only if fewer than three endpoints have enough confidence.
  counted as (
    select k.population, true as is_confident from confident k where k.population >= 3
    union all
    select a.population, false from confident k cross join lateral (
      select count(*)::integer as population from public.snapshots s
      where s.public and s.listing_status = 'listed' and s.grade <> '?'
    ) a
    where k.population < 3
  ),
  ranks as (
    select w.role, w.rank, c.population, c.is_confident from counted c cross join lateral (
      values ('best', 1), ('median', (c.population + 1) / 2), ('worst', c.population)
    ) as w (role, rank)
    where c.population > 0
  )
  select w.role, r.endpoint_id, w.rank, w.population
  from ranks w cross join lateral (
    (
      select s.endpoint_id from public.snapshots s
      where w.is_confident and s.public and s.listing_status = 'listed' and s.grade <> '?' and s.confidence >= 0.3
      order by s.score desc, s.endpoint_id offset w.rank - 1 limit 1
    )
    union all
    (
      select s.endpoint_id from public.snapshots s
      where not w.is_confident and s.public and s.listing_status = 'listed' and s.grade <> '?'
      order by s.score desc, s.endpoint_id offset w.rank - 1 limit 1
    )
  ) r
  order by w.rank;
$$;
