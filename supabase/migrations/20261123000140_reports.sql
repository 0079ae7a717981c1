-- Reports: source of the endpoint, version of the score, related endpoints, and adoptions without a listing.

-- Searches for related endpoints use these indexes.
create index endpoints_path_url on public.endpoints (split_part(resource, '?', 1));
create index endpoints_templated on public.endpoints (host) where templated;

-- Returns listed endpoints that may be the requested one in another form, at most 200: first those of directories, then
-- adopted ones. Within each group, endpoints whose URL without its query is p_path_url precede the URL templates of the
-- host. Returns [{ resource, slug, templated, source, score, grade, recommendation, confidence }]. The caller compares
-- the templates with the requested URL.
-- A provisional adoption is left out unless a directory lists it, because its URL may be known to its buyer only.
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
    select s.*, c.is_same_path, s.listing_source = 'directory' as is_in_directory
    from candidates c
    join public.endpoints e on e.id = c.id
    join public.snapshots s on s.endpoint_id = c.id
    where s.public and s.listing_status = 'listed' and s.endpoint_id <> p_endpoint_id
      and (e.provisional_until is null or s.listing_source = 'directory')
    order by is_in_directory desc, c.is_same_path desc, s.score_low desc, s.score desc, s.endpoint_id limit 200
  )
  select coalesce(jsonb_agg(jsonb_build_object(
    'resource', r.resource, 'slug', r.slug, 'templated', r.templated, 'source', r.listing_source,
    'score', r.score, 'grade', r.grade, 'recommendation', r.recommendation, 'confidence', r.confidence
  ) order by r.is_in_directory desc, r.is_same_path desc, r.score_low desc, r.score desc, r.endpoint_id), '[]')
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

-- The first release recorded the event `listed` at the adoption. It becomes the first listing by a directory. Without
-- one, it is deleted.
delete from public.changes c using public.endpoints e
where e.id = c.endpoint_id and c.kind = 'listed' and c.at = e.adopted_at
  and not exists (select 1 from public.listings l where l.endpoint_id = e.id);
update public.changes c
set at = (select min(l.first_listed_at) from public.listings l where l.endpoint_id = e.id)
from public.endpoints e
where e.id = c.endpoint_id and c.kind = 'listed' and c.at = e.adopted_at;

-- Adds an endpoint that no directory lists to the catalog, with its first observation. The endpoint is then scheduled
-- and queued for scoring. The event `listed` follows when a directory lists the endpoint, see record_listings. The
-- adoption is provisional until p_provisional_until, see expire_adoptions.
-- p_endpoint: { id, resource, host, slug, serviceName, description, intervalSeconds, offsetSeconds }. p_row has the
-- format of record_live_probe, and is stored only with the outcome `adopted`.
-- The outcome is `adopted`; `known` if the endpoint already exists, or if another endpoint has its id; `full` if
-- p_host_limit endpoints of its host were adopted in the last 24 hours.
create or replace function public.adopt_endpoint(
  p_now timestamptz, p_endpoint jsonb, p_row jsonb, p_host_limit integer, p_provisional_until timestamptz
)
returns table (outcome text, missing text[])
language plpgsql
set search_path = ''
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
  elsif internal.count_adoptions(v_host, p_now) >= p_host_limit then
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
  select r.missing into missing from internal.record_unscheduled(v_row, p_now) r;
  return next;
end;
$$;
