-- Sitemap: the pages that search engines may list, in 32 shards by the first character of the endpoint id. The page of a
-- removed endpoint responds with 410.

-- The newest change of a shard is read from this index. No page of a sitemap is sorted by it.
create index snapshots_shard on public.snapshots (left(endpoint_id, 1) collate "C", content_changed_at desc) where public;

-- Returns the shards of the sitemap that have an entry: [{ shard, lastModified }]. `lastModified`: newest change of the
-- content of an endpoint of the shard. Endpoints that are not in the sitemap count, because the shard also changes when
-- one of its endpoints leaves it. Each shard needs two reads of an index.
create function public.sitemap_shards()
returns jsonb
language sql stable security definer
set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object('shard', c.shard, 'lastModified', l.content_changed_at) order by c.shard), '[]')
  from unnest(string_to_array('abcdefghijklmnopqrstuvwxyz234567', null)) as c (shard)
  cross join lateral (
    select s.content_changed_at from public.snapshots s
    where s.public and left(s.endpoint_id, 1) collate "C" = c.shard
    order by s.content_changed_at desc limit 1
  ) l
  where exists (
    select 1 from public.snapshots s
    where s.endpoint_id >= c.shard and s.endpoint_id < chr(ascii(c.shard) + 1) and internal.is_indexable(s)
  );
$$;

-- Returns the endpoints of a shard of the sitemap, ordered by id: [{ slug, lastModified }]. At most 50,000, which is the
-- limit of one sitemap. Returns an empty array for a shard that does not exist.
create function public.sitemap_endpoints(p_shard text)
returns jsonb
language sql stable security definer
set search_path = ''
as $$
  select coalesce(jsonb_agg(
    jsonb_build_object('slug', e.slug, 'lastModified', e.content_changed_at) order by e.endpoint_id
  ), '[]')
  from (
    select s.endpoint_id, s.slug, s.content_changed_at
    from public.snapshots s
    where p_shard ~ '^[a-z2-7]$' and s.endpoint_id >= p_shard and s.endpoint_id < chr(ascii(p_shard) + 1)
      and internal.is_indexable(s)
    order by s.endpoint_id limit 50000
  ) e;
$$;

-- Returns the hosts with an endpoint in the sitemap, ordered by name: [{ host, lastModified }]. At most 50,000.
-- `lastModified`: newest change of the content of any public endpoint of the host, because the page of the host counts
-- all of them.
create function public.sitemap_providers()
returns jsonb
language sql stable security definer
set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object('host', h.host, 'lastModified', h.changed_at) order by h.host), '[]')
  from (
    select s.host collate "C" as host, max(s.content_changed_at) as changed_at
    from public.snapshots s where s.public
    group by 1
    having bool_or(internal.is_indexable(s))
    order by 1 limit 50000
  ) h;
$$;

-- Returns the page of an endpoint: { slug, removed }. `slug`: null for an unknown endpoint and for one without a public
-- snapshot. `removed`: the endpoint was removed on request.
create function public.page_target(p_endpoint_id text)
returns jsonb
language sql stable security definer
set search_path = ''
as $$
  select jsonb_build_object(
    'slug', case when e.removed_at is null and s.public then s.slug end,
    'removed', e.removed_at is not null
  )
  from (select p_endpoint_id as id) i
  left join public.endpoints e on e.id = i.id
  left join public.snapshots s on s.endpoint_id = i.id;
$$;

-- Hides an endpoint when it is removed on request, without waiting for its next score: its snapshot is no longer public,
-- and its words are deleted. A score that was being computed at this time can make the snapshot public again. The higher
-- revision causes another score, which then hides it.
create function internal.hide_removed_endpoint()
returns trigger
language plpgsql
set search_path = ''
as $$
begin
  -- Every transaction that writes `endpoint_states` locks its rows before those of other tables, which prevents deadlocks.
  update public.endpoint_states t set revision = t.revision + 1 where t.endpoint_id = new.id;
  update public.snapshots s set public = false where s.endpoint_id = new.id and s.public;
  delete from public.search_documents d where d.endpoint_id = new.id;
  insert into public.scoring_queue as q (endpoint_id, due_at, urgent)
  select t.endpoint_id, new.removed_at, true from public.endpoint_states t where t.endpoint_id = new.id
  on conflict (endpoint_id) do update set due_at = least(q.due_at, excluded.due_at), urgent = true;
  return null;
end;
$$;
create trigger endpoints_removed after update of removed_at on public.endpoints
  for each row when (old.removed_at is null and new.removed_at is not null)
  execute function internal.hide_removed_endpoint();

-- Functions can be called only with the secret key, except those that return only public rows.
revoke execute on function public.sitemap_shards() from public, anon, authenticated;
revoke execute on function public.sitemap_endpoints(text) from public, anon, authenticated;
revoke execute on function public.sitemap_providers() from public, anon, authenticated;
revoke execute on function public.page_target(text) from public, anon, authenticated;
revoke execute on function internal.hide_removed_endpoint() from public;
grant execute on function public.sitemap_shards() to service_role, anon, authenticated;
grant execute on function public.sitemap_endpoints(text) to service_role, anon, authenticated;
grant execute on function public.sitemap_providers() to service_role, anon, authenticated;
grant execute on function public.page_target(text) to service_role, anon, authenticated;
grant execute on function internal.hide_removed_endpoint() to service_role;
