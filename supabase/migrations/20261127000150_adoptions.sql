-- Adoptions: expire_adoptions also returns the hosts of the deleted endpoints, whose pages are refreshed.

drop function public.expire_adoptions(timestamptz, timestamptz, integer);

-- Ends up to p_limit provisional adoptions that have expired. Endpoints with the outcome `kept` stay in the catalog.
-- Endpoints with an open payment stay provisional until p_extend_until. Unpaid endpoints are deleted with their
-- observations. Endpoints that another transaction has locked are left to the next call. Returns the deleted
-- endpoints: [{ endpointId, host }].
create function public.expire_adoptions(p_now timestamptz, p_extend_until timestamptz, p_limit integer)
returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  v_endpoint public.endpoints;
  v_leases integer;
  v_outcome text;
  v_deleted jsonb := '[]';
begin
  for v_endpoint in
    select * from public.endpoints e where e.provisional_until <= p_now order by e.provisional_until limit p_limit
  loop
    -- Takes the locks in the same order as the probing functions, and skips locked rows instead of waiting. So no
    -- deadlock is possible. The statements after the locks see all payments that were committed before them.
    perform 1 from public.schedules c where c.endpoint_id = v_endpoint.id for update skip locked;
    continue when not found;
    select count(*) into v_leases from (
      select 1 from public.leases l where l.endpoint_id = v_endpoint.id for update skip locked
    ) locked;
    continue when v_leases <> (select count(*) from public.leases l where l.endpoint_id = v_endpoint.id);
    perform 1 from public.endpoint_states s where s.endpoint_id = v_endpoint.id for update skip locked;
    continue when not found;
    select * into v_endpoint from public.endpoints e
    where e.id = v_endpoint.id and e.provisional_until <= p_now for update skip locked;
    continue when not found;

    v_outcome := internal.adoption_outcome(v_endpoint, p_now);
    if v_outcome <> 'unpaid' then
      update public.endpoints e set provisional_until = case v_outcome when 'pending' then p_extend_until end
      where e.id = v_endpoint.id;
    else
      delete from public.endpoints e where e.id = v_endpoint.id;
      delete from public.observations o
      where o.endpoint_id = v_endpoint.id and o.at > v_endpoint.adopted_at - interval '1 day';
      delete from public.scoring_queue q where q.endpoint_id = v_endpoint.id;
      v_deleted := v_deleted || jsonb_build_object('endpointId', v_endpoint.id, 'host', v_endpoint.host);
    end if;
  end loop;
  return v_deleted;
end;
$$;

revoke execute on function public.expire_adoptions(timestamptz, timestamptz, integer) from public, anon, authenticated;
grant execute on function public.expire_adoptions(timestamptz, timestamptz, integer) to service_role;
