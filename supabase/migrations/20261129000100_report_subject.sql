-- Reports are read while their payment is verified, so the function no longer writes. It extended a provisional adoption.
-- The payment of the report does this already: expire_adoptions extends the adoption of an endpoint with a claimed payment.

drop function public.report_subject(text, text, text, timestamptz, timestamptz);

create function public.report_subject(p_endpoint_id text, p_host text, p_path_url text, p_now timestamptz)
returns jsonb
language plpgsql stable
set search_path = ''
as $$
begin
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

revoke execute on function public.report_subject(text, text, text, timestamptz) from public, anon, authenticated;
grant execute on function public.report_subject(text, text, text, timestamptz) to service_role;
