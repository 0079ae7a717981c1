-- What was settled with the wallets of one endpoint, as its score reads it: a row of settlement_figures each, null where
-- it advertises no wallet.
create function internal.settlements_of(p_endpoint_id text, p_now timestamptz)
returns jsonb
language sql stable
set search_path = ''
as $$
  select jsonb_agg(to_jsonb(f) order by f.network, f.pay_to)
  from public.settlement_figures(
    (
      select coalesce(jsonb_agg(jsonb_build_object('network', w.network, 'payTo', w.pay_to)), '[]')
      from public.endpoint_wallets w where w.endpoint_id = p_endpoint_id
    ), p_now
  ) f;
$$;
