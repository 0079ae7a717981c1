-- Explore page: tags of endpoints, and the values by which people filter and sort endpoints.

-- Returns true if search engines may list the page of a snapshot. Without `set search_path`, so that PostgreSQL inlines
-- the function into queries.
create function internal.is_indexable(s public.snapshots)
returns boolean
language sql immutable
as $$
  select s.public and s.listing_status = 'listed' and s.listing_source = 'directory' and s.grade <> '?'
    and not s.templated;
$$;

-- Tags of the endpoint in this directory; null until the directory is read for the first time after this migration. Tags
-- are claims of the provider.
alter table public.listings add column tags text[];
-- The first tags that are not empty, in the order in which the directories listed the endpoint.
alter table public.endpoints add column tags text[] not null default '{}';

-- Values by which public endpoints are filtered and sorted. They are not read from `snapshots`: a snapshot is updated
-- up to 48 times a day, and each update would write to each index below. A row of this table is updated only when one
-- of its values changes. The rows are also a fifth as long, so reading all of them is fast.
-- `networks`: networks of all payment options. `score`: null for the grade '?'.
-- Each column `by_…` contains the values of one order as ascending numbers; 1e15 for endpoints without a value.
create table public.explore_entries (
  endpoint_id text collate "C" primary key references public.snapshots (endpoint_id) on delete cascade,
  host text collate "C" not null,
  networks text[] not null,
  tags text[] not null,
  grade text not null,
  recommendation text not null,
  listing_status text not null,
  score double precision,
  by_score double precision not null,
  by_price double precision not null,
  by_price_desc double precision not null,
  by_uptime double precision not null,
  by_latency double precision not null,
  by_newest double precision not null,
  by_changed double precision not null
);
-- One index for each order: score, price, price-desc, uptime, latency, newest and changed.
create index explore_entries_score on public.explore_entries (by_score, endpoint_id);
create index explore_entries_price on public.explore_entries (by_price, endpoint_id);
create index explore_entries_price_desc on public.explore_entries (by_price_desc, endpoint_id);
create index explore_entries_uptime on public.explore_entries (by_uptime, endpoint_id);
create index explore_entries_latency on public.explore_entries (by_latency, endpoint_id);
create index explore_entries_newest on public.explore_entries (by_newest, endpoint_id);
create index explore_entries_changed on public.explore_entries (by_changed, endpoint_id);
-- Filters with rare values. All rows of grade F are at the end of the order `score`. These indexes find them without
-- reading the rows before.
create index explore_entries_grade on public.explore_entries (grade, by_score, endpoint_id);
create index explore_entries_recommendation on public.explore_entries (recommendation, by_score, endpoint_id);
create index explore_entries_host on public.explore_entries (host);
create index explore_entries_labels on public.explore_entries using gin (tags, networks) with (fastupdate = off);

-- Hosts and tags of public endpoints for suggestions, with their numbers of endpoints. Rows without endpoints are
-- deleted.
create table public.explore_terms (
  kind text collate "C" not null check (kind in ('host', 'tag')),
  term text collate "C" not null,
  endpoints integer not null,
  primary key (kind, term)
);
create index explore_terms_trigrams on public.explore_terms using gin (term extensions.gin_trgm_ops);

alter table public.explore_entries enable row level security;
alter table public.explore_terms enable row level security;
revoke all on public.explore_entries, public.explore_terms from anon, authenticated;
grant all on public.explore_entries, public.explore_terms to service_role;

-- Returns the filter and sort values of a snapshot.
-- The order `score`: listed endpoints before delisted ones, then graded before ungraded ones, then the lower bound of the
-- score range, then the score. The bounds are compared with four decimals.
create function internal.to_explore_entry(s public.snapshots, p_tags text[])
returns public.explore_entries
language sql immutable
set search_path = ''
as $$
  select row(
    s.endpoint_id, s.host,
    array(
      select o ->> 'network' from jsonb_array_elements(s.pay_on) o where o ->> 'network' <> s.network
      union
      select s.network where s.network is not null
      order by 1
    ),
    p_tags, s.grade, s.recommendation, s.listing_status,
    case when s.grade <> '?' then s.score end,
    (case when s.listing_status = 'listed' then 0 else 2 end + case when s.grade <> '?' then 0 else 1 end) * 1e14
      + round((100 - s.score_low) * 1e4) * 1e7 + round((100 - s.score) * 1e4),
    coalesce(p.usd, 1e15), coalesce(-p.usd, 1e15), coalesce(-s.uptime_30d, 1e15),
    coalesce(s.latency_ms::double precision, 1e15),
    -extract(epoch from s.first_seen)::double precision,
    -extract(epoch from s.content_changed_at)::double precision
  )::public.explore_entries
  from (
    select case when s.amount_usd ~ '^\d{1,30}(\.\d{1,30})?$' then least(s.amount_usd::double precision, 1e14) end as usd
  ) p;
$$;

-- Trigger function: stores the filter and sort values of the snapshots that a statement wrote.
create function internal.store_explore_entries()
returns trigger
language plpgsql
set search_path = ''
as $$
begin
  delete from public.explore_entries x using written w where x.endpoint_id = w.endpoint_id and not w.public;

  insert into public.explore_entries as x
  select v.*
  from written w
  join public.endpoints e on e.id = w.endpoint_id
  cross join lateral internal.to_explore_entry(row(w.*)::public.snapshots, e.tags) v
  left join public.explore_entries o on o.endpoint_id = w.endpoint_id
  -- Rows without a change are left out, because the conflict would write a lock into them.
  where w.public and row(o.*)::public.explore_entries is distinct from v
  order by w.endpoint_id
  on conflict (endpoint_id) do update set
    host = excluded.host, networks = excluded.networks, tags = excluded.tags, grade = excluded.grade,
    recommendation = excluded.recommendation, listing_status = excluded.listing_status, score = excluded.score,
    by_score = excluded.by_score, by_price = excluded.by_price, by_price_desc = excluded.by_price_desc,
    by_uptime = excluded.by_uptime, by_latency = excluded.by_latency, by_newest = excluded.by_newest,
    by_changed = excluded.by_changed;
  return null;
end;
$$;
create trigger snapshots_insert_explore_entries after insert on public.snapshots
  referencing new table as written for each statement execute function internal.store_explore_entries();
create trigger snapshots_update_explore_entries after update on public.snapshots
  referencing new table as written for each statement execute function internal.store_explore_entries();

-- Adds the differences p_changes to the numbers of endpoints. p_changes: [{ kind, term, change }].
create function internal.count_explore_terms(p_changes jsonb)
returns void
language plpgsql
set search_path = ''
as $$
declare
  v_changes jsonb := (
    select jsonb_agg(to_jsonb(c)) from (
      select g.kind, g.term, sum(g.change) as change
      from jsonb_to_recordset(p_changes) as g (kind text, term text, change integer)
      group by 1, 2 having sum(g.change) <> 0
    ) c
  );
begin
  if v_changes is null then
    return;
  end if;
  -- One transaction can call this function several times, so the order of the rows cannot prevent deadlocks. The lock lets
  -- one transaction at a time change numbers until its commit. Each transaction locks its endpoints before.
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('explore_terms', 0));

  insert into public.explore_terms as t (kind, term, endpoints)
  select c.kind, c.term, c.change from jsonb_to_recordset(v_changes) as c (kind text, term text, change integer)
  on conflict (kind, term) do update set endpoints = t.endpoints + excluded.endpoints;

  delete from public.explore_terms t using jsonb_to_recordset(v_changes) as c (kind text, term text)
  where t.kind = c.kind collate "C" and t.term = c.term collate "C" and t.endpoints <= 0;
end;
$$;

-- Trigger function: counts the hosts and tags of the rows that a statement wrote or deleted.
create function internal.count_written_terms()
returns trigger
language plpgsql
set search_path = ''
as $$
declare
  v_changes jsonb := '[]';
begin
  if tg_op = 'TRUNCATE' then
    delete from public.explore_terms;
    return null;
  end if;
  if tg_op in ('INSERT', 'UPDATE') then
    select coalesce(jsonb_agg(jsonb_build_object('kind', c.kind, 'term', c.term, 'change', 1)), '[]') into v_changes
    from added a cross join lateral (
      select 'host' as kind, a.host::text as term union all select 'tag', u.tag from unnest(a.tags) as u (tag)
    ) c;
  end if;
  if tg_op in ('DELETE', 'UPDATE') then
    select v_changes || coalesce(jsonb_agg(jsonb_build_object('kind', c.kind, 'term', c.term, 'change', -1)), '[]')
    into v_changes
    from removed r cross join lateral (
      select 'host' as kind, r.host::text as term union all select 'tag', u.tag from unnest(r.tags) as u (tag)
    ) c;
  end if;
  if v_changes <> '[]' then
    perform internal.count_explore_terms(v_changes);
  end if;
  return null;
end;
$$;
create trigger explore_entries_count_inserted after insert on public.explore_entries
  referencing new table as added for each statement execute function internal.count_written_terms();
create trigger explore_entries_count_updated after update on public.explore_entries
  referencing old table as removed new table as added
  for each statement execute function internal.count_written_terms();
create trigger explore_entries_count_deleted after delete on public.explore_entries
  referencing old table as removed for each statement execute function internal.count_written_terms();
create trigger explore_entries_count_truncated after truncate on public.explore_entries
  for each statement execute function internal.count_written_terms();

insert into public.explore_entries
select v.* from public.snapshots s cross join lateral internal.to_explore_entry(s, '{}') v where s.public;

-- Stores the tags of the endpoints of one page, which record_listings has recorded: [{ id, tags }]. Each directory has
-- its own tags. The tags of an endpoint are the first ones that are not empty, in the order in which the directories
-- listed it.
create function public.record_tags(p_run_id bigint, p_items jsonb)
returns void
language plpgsql
set search_path = ''
as $$
declare
  v_directory text := (select r.directory from public.discovery_runs r where r.id = p_run_id);
  v_ids text[] := array(select i.id from jsonb_to_recordset(p_items) as i (id text));
begin
  -- Every transaction that writes `endpoint_states` or tags first locks these rows in this order, which prevents
  -- deadlocks.
  perform 1 from public.endpoint_states s where s.endpoint_id = any (v_ids) order by s.endpoint_id for update;

  update public.listings l set tags = i.tags
  from jsonb_to_recordset(p_items) as i (id text, tags text[])
  where l.endpoint_id = i.id and l.directory = v_directory and l.tags is distinct from i.tags;

  with chosen as (
    select l.endpoint_id as id, coalesce(
      (array_agg(to_jsonb(l.tags) order by l.first_listed_at, l.directory) filter (where l.tags <> '{}'))[1], '[]'
    ) as tags
    from public.listings l where l.endpoint_id = any (v_ids) and l.delisted_at is null
    group by 1
  ),
  updated as (
    update public.endpoints e set tags = array(select jsonb_array_elements_text(c.tags))
    from chosen c where e.id = c.id and to_jsonb(e.tags) <> c.tags
    returning e.id, e.tags
  )
  update public.explore_entries x set tags = u.tags from updated u where x.endpoint_id = u.id;
end;
$$;

revoke execute on function
  public.record_tags(bigint, jsonb), internal.is_indexable(public.snapshots),
  internal.to_explore_entry(public.snapshots, text[]), internal.store_explore_entries(),
  internal.count_explore_terms(jsonb), internal.count_written_terms()
  from public, anon, authenticated;
grant execute on function
  public.record_tags(bigint, jsonb), internal.is_indexable(public.snapshots),
  internal.to_explore_entry(public.snapshots, text[]), internal.store_explore_entries(),
  internal.count_explore_terms(jsonb), internal.count_written_terms()
  to service_role;
