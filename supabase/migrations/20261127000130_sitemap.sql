-- Sitemap: the pages that search engines may list, in 32 shards by the first character of the endpoint id. The page of a
-- removed endpoint responds with 410.

-- Newest changes of the endpoints of each shard. The condition is that of internal.is_indexable.
create index snapshots_shard on public.snapshots (left(endpoint_id, 1) collate "C", content_changed_at desc)
  where public and listing_status = 'listed' and listing_source = 'directory' and grade <> '?' and not templated;

-- Returns the shards of the sitemap that have an entry: [{ shard, lastModified }]. `lastModified`: newest change of the
-- content of an endpoint that the shard lists. It can decrease when the endpoint with the newest change leaves the shard.
-- Each shard needs one read of an index.
create function public.sitemap_shards()
returns jsonb
language sql stable security definer
set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object('shard', c.shard, 'lastModified', l.content_changed_at) order by c.shard), '[]')
  from unnest(string_to_array('abcdefghijklmnopqrstuvwxyz234567', null)) as c (shard)
  cross join lateral (
    select s.content_changed_at from public.snapshots s
    where left(s.endpoint_id, 1) collate "C" = c.shard and internal.is_indexable(s)
    order by s.content_changed_at desc limit 1
  ) l;
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

-- Returns the hosts with at least two endpoints in the sitemap, ordered by name: [{ host, lastModified }]. The page of a
-- host with one endpoint has the same figures as the page of that endpoint. At most 50,000.
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
    having count(*) filter (where internal.is_indexable(s)) >= 2
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

-- Waits until the scores that are being stored are committed, and lets further ones wait until the removal is committed.
-- Without this lock, a score that was stored at the same time could stay public. Removals are rare. The tables are locked
-- in the order in which save_snapshots writes them.
create function internal.lock_snapshots()
returns trigger
language plpgsql
set search_path = ''
as $$
begin
  lock table public.search_documents, public.snapshots in share row exclusive mode;
  return null;
end;
$$;
create trigger endpoints_lock_snapshots before update of removed_at on public.endpoints
  for each statement execute function internal.lock_snapshots();

-- Hides an endpoint when it is removed on request, without waiting for its next score: deletes its words, and makes its
-- snapshot private. It also empties the content hash, so the trigger snapshots_queue_unhashed queues another score.
create function internal.hide_removed_endpoint()
returns trigger
language plpgsql
set search_path = ''
as $$
begin
  delete from public.search_documents d where d.endpoint_id = new.id;
  update public.snapshots s set public = false, content_hash = '' where s.endpoint_id = new.id;
  return null;
end;
$$;
create trigger endpoints_removed after update of removed_at on public.endpoints
  for each row when (old.removed_at is null and new.removed_at is not null)
  execute function internal.hide_removed_endpoint();

-- Returns true if an endpoint was removed on request. Each call sees the latest commit.
create function internal.is_removed(p_endpoint_id text)
returns boolean
language sql volatile
set search_path = ''
as $$
  select exists (select 1 from public.endpoints e where e.id = p_endpoint_id and e.removed_at is not null);
$$;

-- Keeps the snapshot of a removed endpoint hidden. The score may have been computed before the removal.
create function internal.hide_removed_snapshot()
returns trigger
language plpgsql
set search_path = ''
as $$
begin
  if internal.is_removed(new.endpoint_id) then
    new.public := false;
    new.content_hash := '';
  end if;
  return new;
end;
$$;
create trigger snapshots_hide_removed before insert or update of public on public.snapshots
  for each row when (new.public) execute function internal.hide_removed_snapshot();

-- Leaves out the words of a removed endpoint. The score may have been computed before the removal.
create function internal.skip_removed_words()
returns trigger
language plpgsql
set search_path = ''
as $$
begin
  return case when internal.is_removed(new.endpoint_id) then null else new end;
end;
$$;
create trigger search_documents_skip_removed before insert on public.search_documents
  for each row execute function internal.skip_removed_words();

-- Queues the score of a snapshot without a content hash. This score differs from the stored hash, so it is reported as a
-- change, and the pages that show the endpoint or its host are refreshed. The trigger runs after save_snapshots has
-- deleted its rows of the queue.
create function internal.queue_unhashed_snapshot()
returns trigger
language plpgsql
set search_path = ''
as $$
begin
  insert into public.scoring_queue as q (endpoint_id, due_at, urgent)
  values (new.endpoint_id, new.computed_at, true)
  on conflict (endpoint_id) do update set due_at = least(q.due_at, excluded.due_at), urgent = true;
  return null;
end;
$$;
create trigger snapshots_queue_unhashed after insert or update on public.snapshots
  for each row when (new.content_hash = '') execute function internal.queue_unhashed_snapshot();

-- Functions can be called only with the secret key, except those that return only public rows.
revoke execute on function public.sitemap_shards() from public, anon, authenticated;
revoke execute on function public.sitemap_endpoints(text) from public, anon, authenticated;
revoke execute on function public.sitemap_providers() from public, anon, authenticated;
revoke execute on function public.page_target(text) from public, anon, authenticated;
revoke execute on function
  internal.lock_snapshots(), internal.hide_removed_endpoint(), internal.is_removed(text), internal.hide_removed_snapshot(),
  internal.skip_removed_words(), internal.queue_unhashed_snapshot()
  from public;
grant execute on function public.sitemap_shards() to service_role, anon, authenticated;
grant execute on function public.sitemap_endpoints(text) to service_role, anon, authenticated;
grant execute on function public.sitemap_providers() to service_role, anon, authenticated;
grant execute on function public.page_target(text) to service_role, anon, authenticated;
grant execute on function
  internal.lock_snapshots(), internal.hide_removed_endpoint(), internal.is_removed(text), internal.hide_removed_snapshot(),
  internal.skip_removed_words(), internal.queue_unhashed_snapshot()
  to service_role;
