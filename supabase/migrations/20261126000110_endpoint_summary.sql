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

-- Returns { observed, current, replacedAt } of a wallet. `current`: p_options, the present payment options, pay to it.
-- `replacedAt`: time of the last change that removed it; null while it is current, and if it was never observed.
-- Each change of the wallets has the kind `payto_change` or `asset_network_change` and contains the complete terms before
-- it. A wallet that is not current was therefore observed if the terms before one of these changes have it. Only the
-- latest 1,000 changes are read, because an endpoint can change its terms with each probe.
create function internal.find_wallet(p_endpoint_id text, p_options jsonb, p_network text, p_pay_to text)
returns jsonb
language sql stable
set search_path = ''
as $$
  select jsonb_build_object('observed', w.is_current or r.at is not null, 'current', w.is_current, 'replacedAt', r.at)
  from (select internal.has_wallet(p_options, p_network, p_pay_to) as is_current) w
  left join lateral (
    select c.at from (
      select h.at, h.before from public.changes h
      where h.endpoint_id = p_endpoint_id and h.kind in ('payto_change', 'asset_network_change')
      order by h.at desc limit 1000
    ) c
    where not w.is_current and internal.has_wallet(c.before -> 'options', p_network, p_pay_to)
    order by c.at desc limit 1
  ) r on true;
$$;

-- Returns the data of an endpoint summary in one call.
-- `snapshot`: the public snapshot; null if the endpoint is unknown, not public or not scored yet. `payTo`: see
-- find_wallet; null without a snapshot or without p_pay_to. The wallet is compared with the latest observed terms, which
-- can be some seconds newer than the snapshot. Before the first challenge, it is compared with the options of the
-- directory. `related`: see find_related; empty with a snapshot, and without p_host.
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
      else internal.find_related(p_endpoint_id, p_host, p_path_url)
    end
  )
  from (select p_endpoint_id as id) i
  left join public.snapshots s on s.endpoint_id = i.id and s.public
  left join public.endpoint_states t on t.endpoint_id = s.endpoint_id;
$$;
