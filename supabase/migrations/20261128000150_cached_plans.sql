-- Functions that paid requests call, in PL/pgSQL. PostgreSQL plans the statements of a function in SQL again at each call,
-- and keeps the plans of PL/pgSQL for the session. Planning was two thirds of the time of a report. The results are the
-- same.

create or replace function internal.find_wallet_sharers(p_endpoint_id text, p_limit integer)
returns setof text
language plpgsql stable
set search_path = ''
as $$
begin
  return query
  select distinct o.endpoint_id
  from public.endpoint_wallets w cross join lateral (
    (
      select b.endpoint_id from public.endpoint_wallets b
      where b.network = w.network and b.pay_to = w.pay_to and b.host < w.host and b.challenged
      order by b.host desc limit p_limit
    )
    union all
    (
      select a.endpoint_id from public.endpoint_wallets a
      where a.network = w.network and a.pay_to = w.pay_to and a.host > w.host and a.challenged
      order by a.host limit p_limit
    )
  ) o
  where w.endpoint_id = p_endpoint_id;
end;
$$;

create or replace function internal.count_adoptions(p_host text, p_now timestamptz)
returns integer
language plpgsql stable
set search_path = ''
as $$
begin
  return (
    select count(*)::integer from public.endpoints e
    where e.host = p_host and e.adopted_at > p_now - interval '1 day'
  );
end;
$$;

create or replace function internal.listing_source(p_endpoint_id text)
returns text
language plpgsql stable
set search_path = ''
as $$
begin
  return case when exists (select 1 from public.listings l where l.endpoint_id = p_endpoint_id)
    then 'directory' else 'adopted' end;
end;
$$;

create or replace function internal.find_related(p_endpoint_id text, p_host text, p_path_url text)
returns jsonb
language plpgsql stable
set search_path = ''
as $$
begin
  return (
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
    from related r
  );
end;
$$;

create or replace function public.report_sources(p_endpoint_ids text[])
returns table (endpoint_id text, source jsonb)
language plpgsql stable
set search_path = ''
as $$
begin
  return query
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
end;
$$;

create or replace function public.report_subject(
  p_endpoint_id text, p_host text, p_path_url text, p_now timestamptz, p_provisional_until timestamptz
)
returns jsonb
language plpgsql
set search_path = ''
as $$
begin
  -- If expire_adoptions is deleting the endpoint, this update waits. The next statement then finds no endpoint.
  update public.endpoints e set provisional_until = greatest(e.provisional_until, p_provisional_until)
  where e.id = p_endpoint_id and e.provisional_until is not null;

  return jsonb_build_object(
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
end;
$$;

create or replace function public.store_payment_result(
  p_network text, p_asset text, p_payer text, p_nonce text, p_owner text, p_result text, p_now timestamptz,
  p_lease_seconds integer
)
returns boolean
language plpgsql
set search_path = ''
as $$
begin
  update public.payments p
  set state = 'settling', result = p_result, lease_until = p_now + make_interval(secs => p_lease_seconds),
    attempts = 1
  where p.network = p_network and p.asset = p_asset and p.payer = p_payer and p.nonce = p_nonce
    and p.owner = p_owner and p.state = 'working';
  return found;
end;
$$;

create or replace function public.settle_payment(
  p_network text, p_asset text, p_payer text, p_nonce text, p_transaction text, p_receipt text, p_audited boolean,
  p_now timestamptz
)
returns text
language plpgsql
set search_path = ''
as $$
declare
  v_receipt text;
begin
  update public.payments p
  set state = 'settled', transaction = p_transaction, receipt = p_receipt, settled_at = p_now, lease_until = p_now,
    audited_at = case when p_audited then p_now end
  where p.network = p_network and p.asset = p_asset and p.payer = p_payer and p.nonce = p_nonce
    and p.state in ('settling', 'failed')
  returning p.receipt into v_receipt;
  if not found then
    select p.receipt into v_receipt from public.payments p
    where p.network = p_network and p.asset = p_asset and p.payer = p_payer and p.nonce = p_nonce
      and p.state in ('settled', 'disputed');
  end if;
  return v_receipt;
end;
$$;
