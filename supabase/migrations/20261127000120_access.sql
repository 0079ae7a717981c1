-- Access: the publishable key reads public rows and calls functions that return only public rows. Everything else
-- requires the secret key. Default grants differ between installations, so all grants are derived here, from the rules
-- below.

do $$
declare
  v_table regclass;
begin
  for v_table in
    select c.oid from pg_catalog.pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
  loop
    execute format('alter table %s enable row level security', v_table);
  end loop;
end $$;

-- Every function runs with an empty search path, so that no object of another schema can replace an object that the
-- function names. The exceptions are small functions: the setting would prevent PostgreSQL from inlining a small
-- function into queries, or would take longer than the function itself.
do $$
declare
  v_function regprocedure;
begin
  for v_function in
    select p.oid from pg_catalog.pg_proc p
    where p.pronamespace in ('public'::regnamespace, 'internal'::regnamespace)
      and pg_catalog.pg_get_userbyid(p.proowner) = current_user
      and p.proname <> all (array[
        'add_anchor_times', 'cadence_seconds', 'count_in_histogram', 'is_indexable', 'is_liveness', 'is_newer', 'is_wallet', 'newest',
        'next_due', 'next_slot', 'normalize_wallet', 'to_sparse_histogram'
      ])
  loop
    execute format('alter function %s set search_path = %L', v_function, '');
  end loop;
end $$;

grant usage on schema public to anon, authenticated, service_role;
revoke all on schema internal from public;
-- Functions run with the rights of the caller, so the caller needs the types and operators of the extensions.
grant usage on schema internal, extensions to service_role;

revoke all on all tables in schema public from public, anon, authenticated;
revoke all on all sequences in schema public from public, anon, authenticated;
revoke execute on all functions in schema public, internal from public, anon, authenticated;
grant all on all tables in schema public to service_role;
grant all on all sequences in schema public to service_role;
grant execute on all functions in schema public, internal to service_role;

-- Public rows: the policy of each table selects them.
grant select on public.snapshots, public.ecosystem_days, public.ecosystem_totals to anon, authenticated;
grant execute on function
  public.categories, public.corrections, public.delivery_ledger, public.ecosystem, public.ecosystem_event_counts, public.ecosystem_events,
  public.endpoint_days, public.endpoint_disputes, public.endpoint_provider, public.explore, public.host_claim,
  public.page_target, public.provider, public.provider_exists, public.published_purchase, public.sitemap_endpoints, public.sitemap_providers, public.sitemap_shards, public.suggest,
  public.uptime_days
to anon, authenticated;
