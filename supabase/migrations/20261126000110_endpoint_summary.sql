-- Endpoint summary: the public snapshot of an endpoint, and the history of one wallet in its payment options.

-- Returns true if one of the payment options pays to the wallet. Addresses of EVM networks are compared without case.
-- p_options: [{ network, payTo }]. p_network null: options of all networks.
create function internal.has_wallet(p_options jsonb, p_network text, p_pay_to text)
returns boolean
language sql immutable
set search_path = ''
as $$
  select exists (
    select 1 from jsonb_to_recordset(p_options) as o (network text, "payTo" text)
    where (p_network is null or o.network = p_network)
      and internal.normalize_wallet(o.network, o."payTo") = internal.normalize_wallet(o.network, p_pay_to)
  );
$$;

-- Returns { observed, current } of a wallet. `current`: p_options, the present payment options, pay to it. `observed`: it
-- is current, or was in one of the earlier payment options.
-- Each change of the wallets has the kind `payto_change` or `asset_network_change` and contains the complete terms before
-- it. A wallet that is not current was therefore observed if the terms before one of these changes have it. Only the
-- latest 100 changes are read, because an endpoint can change its terms with each probe, and the call is free.
create function internal.find_wallet(p_endpoint_id text, p_options jsonb, p_network text, p_pay_to text)
returns jsonb
language sql stable
set search_path = ''
as $$
  select jsonb_build_object('current', w.is_current, 'observed', w.is_current or exists (
    select 1 from (
      select h.before from public.changes h
      where h.endpoint_id = p_endpoint_id and h.kind in ('payto_change', 'asset_network_change')
      order by h.at desc limit 100
    ) c
    where internal.has_wallet(c.before -> 'options', p_network, p_pay_to)
  ))
  from (select internal.has_wallet(p_options, p_network, p_pay_to) as is_current) w;
$$;

-- Returns the endpoints of find_related in another order, at most 200: endpoints with the same path precede URL
-- templates, then the strictest recommendation and the lowest score are first. A provider with an unsafe endpoint can
-- list any number of healthy ones with the same path. They must not hide the unsafe endpoint.
-- Unverified and free endpoints precede those with the recommendation `caution`: a payment client limits the price at
-- the former, because no price was observed.
create function internal.find_strictest_related(p_endpoint_id text, p_host text, p_path_url text)
returns jsonb
language sql stable
set search_path = ''
as $$
  with candidates as (
    select e.id from public.endpoints e
    where split_part(e.resource, '?', 1) = p_path_url and e.host = p_host
    union
    select e.id from public.endpoints e where e.host = p_host and e.templated
  ),
  related as (
    select s.*, row_number() over (order by
      split_part(e.resource, '?', 1) = p_path_url desc,
      array_position(array['avoid', 'unverified', 'free', 'caution', 'parameterize', 'proceed'], s.recommendation),
      s.score, s.endpoint_id
    ) as n
    from candidates c
    join public.endpoints e on e.id = c.id
    join public.snapshots s on s.endpoint_id = c.id
    where s.public and s.listing_status = 'listed' and s.endpoint_id <> p_endpoint_id
      and (e.provisional_until is null or s.listing_source = 'directory')
  )
  select coalesce(jsonb_agg(jsonb_build_object(
    'resource', r.resource, 'slug', r.slug, 'templated', r.templated, 'source', r.listing_source,
    'score', r.score, 'grade', r.grade, 'recommendation', r.recommendation, 'confidence', r.confidence
  ) order by r.n), '[]')
  from related r where r.n <= 200;
$$;

-- Returns the data of an endpoint summary in one call.
-- `snapshot`: the public snapshot; null if the endpoint is unknown, not public or not scored yet. `payTo`: see
-- find_wallet; null without a snapshot or without p_pay_to. The wallet is compared with the latest observed terms, which
-- can be some seconds newer than the snapshot. Before the first challenge, it is compared with the options of the
-- directory. `related`: see find_strictest_related; empty with a snapshot, and without p_host.
create function public.endpoint_summary(
  p_endpoint_id text, p_host text default null, p_path_url text default null, p_network text default null,
  p_pay_to text default null
)
returns jsonb
language sql stable
set search_path = ''
as $$
  select jsonb_build_object(
    'snapshot', to_jsonb(s),
    'payTo', case when s.endpoint_id is not null and p_pay_to is not null then
      internal.find_wallet(s.endpoint_id, coalesce(t.terms -> 'options', s.pay_on), p_network, p_pay_to)
    end,
    'related', case when s.endpoint_id is not null or p_host is null then '[]'
      else internal.find_strictest_related(p_endpoint_id, p_host, p_path_url)
    end
  )
  from (select p_endpoint_id as id) i
  left join public.snapshots s on s.endpoint_id = i.id and s.public
  left join public.endpoint_states t on t.endpoint_id = s.endpoint_id;
$$;
