-- Names of the pages of endpoints and providers. The site keeps them in memory, so that a request for an unknown page
-- needs no query.

-- Returns the names after p_after in their order, at most p_limit: ids of public endpoints for the kind `endpoint`, and
-- hosts of public endpoints for the kind `host`.
create function public.page_names(p_kind text, p_after text, p_limit integer)
returns text[]
language sql stable
set search_path = ''
as $$
  select coalesce(array_agg(n.name order by n.name), '{}')
  from (
    (
      select s.endpoint_id as name from public.snapshots s
      where p_kind = 'endpoint' and s.public and s.endpoint_id > p_after
      order by s.endpoint_id limit p_limit
    )
    union all
    (
      select t.term from public.explore_terms t
      where p_kind = 'host' and t.kind = 'host' and t.term > p_after
      order by t.term limit p_limit
    )
  ) n;
$$;

revoke execute on function public.page_names(text, text, integer) from public, anon, authenticated;
grant execute on function public.page_names(text, text, integer) to service_role;
