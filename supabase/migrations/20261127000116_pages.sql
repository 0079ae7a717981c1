-- Pages: the sitemap in 32 shards by the first character of the endpoint id, page names, and cache tags of changed
-- pages. All instances of one site read these tags.

-- Returns the shards of the sitemap that have an entry: [{ shard, lastModified }]. `lastModified`: newest change of the
-- content of an endpoint that the shard lists. It can decrease when the endpoint with the newest change leaves the
-- shard. Each shard needs one read of an index.
create function public.sitemap_shards()
returns jsonb
language sql stable security definer
as $$
  select coalesce(jsonb_agg(
    jsonb_build_object('shard', c.shard, 'lastModified', l.content_changed_at) order by c.shard
  ), '[]')
  from unnest(string_to_array('abcdefghijklmnopqrstuvwxyz234567', null)) as c (shard)
  cross join lateral (
    select s.content_changed_at from public.snapshots s
    where left(s.endpoint_id, 1) collate "C" = c.shard and internal.is_indexable(s)
    order by s.content_changed_at desc limit 1
  ) l;
$$;

-- Returns the endpoints of a shard of the sitemap, ordered by id: [{ slug, lastModified }]. At most 50,000, which is
-- the limit of one sitemap. Returns an empty array for a shard that does not exist.
create function public.sitemap_endpoints(p_shard text)
returns jsonb
language sql stable security definer
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

-- Returns the hosts with at least two endpoints in the sitemap, ordered by name: [{ host, lastModified }]. The page of
-- a host with one endpoint has the same figures as the page of that endpoint. At most 50,000.
-- `lastModified`: newest change of the content of any endpoint of the host in explore_entries, because the page of the
-- host counts all of them.
create function public.sitemap_providers()
returns jsonb
language sql stable security definer
as $$
  select coalesce(jsonb_agg(jsonb_build_object('host', h.host, 'lastModified', h.changed_at) order by h.host), '[]')
  from (
    select s.host collate "C" as host, max(s.content_changed_at) as changed_at
    from public.snapshots s join public.explore_entries x on x.endpoint_id = s.endpoint_id
    group by 1
    having count(*) filter (where internal.is_indexable(s)) >= 2
    order by 1 limit 50000
  ) h;
$$;

-- Returns the tags that have a page, as the latest call of refresh_ecosystem computed them, see
-- internal.compute_categories. Everyone can call this function with the rights of its owner.
create function public.categories()
returns jsonb
language sql stable security definer
as $$
  select t.categories from public.ecosystem_totals t;
$$;

-- Returns the page of an endpoint: { slug, removed, optedOutAt }. `slug`: null for an unknown endpoint and for an endpoint
-- without a public snapshot, unless its provider opted out. `removed`: the endpoint was removed on request, and not by an
-- opt-out. `optedOutAt`: time of the opt-out; null without an opt-out.
create function public.page_target(p_endpoint_id text)
returns jsonb
language sql stable security definer
as $$
  select jsonb_build_object(
    'slug', case when e.opted_out then e.slug when e.removed_at is null and s.public then s.slug end,
    'removed', e.removed_at is not null and not e.opted_out,
    'optedOutAt', case when e.opted_out then e.removed_at end
  )
  from (select p_endpoint_id as id) i
  left join public.endpoints e on e.id = i.id
  left join public.snapshots s on s.endpoint_id = i.id;
$$;

-- Returns at most p_limit names that follow p_after in ascending order: ids of public endpoints and of endpoints whose
-- provider opted out for the kind `endpoint`, and hosts of public endpoints for the kind `host`.
create function public.page_names(p_kind text, p_after text, p_limit integer)
returns text[]
language sql stable
as $$
  select coalesce((array_agg(n.name order by n.name))[:p_limit], '{}')
  from (
    (
      select s.endpoint_id as name from public.snapshots s
      where p_kind = 'endpoint' and s.public and s.endpoint_id > p_after
      order by s.endpoint_id limit p_limit
    )
    union all
    (
      select e.id from public.endpoints e
      where p_kind = 'endpoint' and e.opted_out and e.id > p_after
      order by e.id limit p_limit
    )
    union all
    (
      select t.term from public.explore_terms t
      where p_kind = 'host' and t.kind = 'host' and t.term > p_after
      order by t.term limit p_limit
    )
  ) n;
$$;

-- Cache tags of changed pages. The rows become visible in the order of `sequence`. So a reader misses no row if it
-- continues after the last number that it read.
create table public.page_expirations (
  sequence bigint generated always as identity primary key,
  tag text not null check (char_length(tag) between 1 and 300),
  at timestamptz not null default now()
);

create index page_expirations_at on public.page_expirations (at);

-- Adds tags of changed pages. Also deletes at most 5,000 rows that are older than two hours: every page is rebuilt
-- after an hour, so no instance needs such rows. Returns the number of added rows.
create function public.record_page_expirations(p_tags text[])
returns integer
language plpgsql
as $$
declare
  v_added integer;
begin
  -- Serializes the writers until they commit. Otherwise, a row could become visible after a row with a higher sequence
  -- number.
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('page_expirations', 0));
  delete from public.page_expirations e where e.sequence in (
    select o.sequence from public.page_expirations o where o.at < now() - interval '2 hours' order by o.at limit 5000
  );
  insert into public.page_expirations (tag) select distinct t.tag from unnest(p_tags) as t (tag);
  get diagnostics v_added = row_count;
  return v_added;
end;
$$;

-- Returns { latest, tags }: the latest sequence number, and the distinct tags whose sequence number is higher than
-- p_after. `tags` is null in three cases: p_after is null; more than p_limit numbers follow p_after; p_after is higher
-- than every assigned number, as after the database was restored or replaced.
create function public.read_page_expirations(p_after bigint default null, p_limit integer default 10000)
returns jsonb
language sql stable
as $$
  select jsonb_build_object('latest', l.latest, 'tags', case
    when l.after <= l.latest and l.latest - l.after <= p_limit then (
      select coalesce(jsonb_agg(distinct e.tag), '[]') from public.page_expirations e
      where e.sequence > l.after and e.sequence <= l.latest
    )
  end)
  from (
    -- The sequence object also counts rows that are not committed yet, so its value is not the latest sequence number.
    select a.after, greatest(coalesce((select max(e.sequence) from public.page_expirations e), 0), a.after) as latest
    from public.page_expirations_sequence_seq s
    cross join lateral (
      select case when p_after <= case when s.is_called then s.last_value else 0 end then p_after end as after
    ) a
  ) l;
$$;
