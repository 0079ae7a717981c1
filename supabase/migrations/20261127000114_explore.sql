-- Explore: filters, sort orders and text search over the endpoints of the public lists.

-- Values by which endpoints are filtered, sorted and searched. They are not read from `snapshots`: a snapshot is
-- updated at least five times a day, and each update would write to each index below. A row of this table is updated only
-- when one of its values changes. The rows have only a fifth of the length of snapshots, so reading all rows is fast.
-- The table contains the endpoints for which internal.is_discoverable returned true with their latest score.
-- `networks`: networks of all payment options. `score`: null for the grade '?'. `text_hash` and `described`: see
-- `snapshots`. Endpoints of one host with the same `text_hash` are copies.
-- `listing`: `listed` if a directory lists the endpoint, `adopted` if only a paid report added it. Listed endpoints are
-- the population of the statistics and of the page without filters.
-- `is_indexable`: see internal.is_indexable. `is_reachable`: the latest probe succeeded; null before the
-- first probe. `is_compliant`: the latest challenge has no errors. `is_delivered`: the delivery state is `delivered`.
-- Each column `by_…` contains the values of one order as ascending numbers; 1e15 for endpoints without a value.
create table public.explore_entries (
  endpoint_id text collate "C" primary key references public.snapshots (endpoint_id) on delete cascade,
  host text collate "C" not null,
  networks text[] not null,
  tags text[] not null,
  grade text not null,
  recommendation text not null,
  listing_status text not null,
  listing text not null check (listing in ('listed', 'delisted', 'adopted')),
  is_indexable boolean not null,
  is_reachable boolean,
  is_compliant boolean not null,
  is_delivered boolean not null,
  score double precision,
  by_score double precision not null,
  by_price double precision not null,
  by_price_desc double precision not null,
  by_uptime double precision not null,
  by_latency double precision not null,
  by_newest double precision not null,
  by_changed double precision not null,
  text_hash text collate "C",
  described boolean not null
);

-- One index for each order: score, price, price-desc, uptime, latency, newest and changed.
create index explore_entries_score on public.explore_entries (by_score, endpoint_id);
create index explore_entries_price on public.explore_entries (by_price, endpoint_id);
create index explore_entries_price_desc on public.explore_entries (by_price_desc, endpoint_id);
create index explore_entries_uptime on public.explore_entries (by_uptime, endpoint_id);
create index explore_entries_latency on public.explore_entries (by_latency, endpoint_id);
create index explore_entries_newest on public.explore_entries (by_newest, endpoint_id);
create index explore_entries_changed on public.explore_entries (by_changed, endpoint_id);

-- Indexes for filters with rare values. For example, all rows with the grade F are at the end of the order `score`.
-- These indexes find such rows without reading the earlier rows of the order.
create index explore_entries_grade on public.explore_entries (grade, by_score, endpoint_id);
create index explore_entries_recommendation on public.explore_entries (recommendation, by_score, endpoint_id);
-- Few endpoints are not listed, so a scan of all rows would read them last.
create index explore_entries_unlisted on public.explore_entries (listing, by_score, endpoint_id) where listing <> 'listed';
-- The service buys from few endpoints.
create index explore_entries_delivered on public.explore_entries (by_score, endpoint_id) where is_delivered;
create index explore_entries_host on public.explore_entries (host);
create index explore_entries_labels on public.explore_entries using gin (tags, networks) with (fastupdate = off);

-- The recommendation depends on the grade. With these statistics, the planner knows pairs that no endpoint has.
create statistics public.explore_entries_verdicts (mcv) on grade, recommendation from public.explore_entries;

-- Endpoints of each text, per host in the order of search results.
create index explore_entries_text on public.explore_entries (
  text_hash, listing_status, host, score desc nulls last, described desc, endpoint_id
);

-- Numbers of public endpoints: of each host, of each tag (only listed endpoints), and of each combination of the values
-- that most filters use, as a JSON object. The explore page adds up the combinations, because counting all endpoints
-- takes 0.1 s with 100,000 endpoints. Rows without endpoints are deleted.
create table public.explore_terms (
  kind text collate "C" not null check (kind in ('host', 'tag', 'combination')),
  term text collate "C" not null,
  endpoints integer not null,
  primary key (kind, term)
);

create index explore_terms_trigrams on public.explore_terms using gin (term extensions.gin_trgm_ops)
  with (fastupdate = off) where kind in ('host', 'tag');

-- Returns the filter and sort values of a snapshot.
-- The order `score`: listed endpoints before delisted endpoints, then graded before ungraded endpoints, then the lower
-- bound of the score range, then the score. The bounds are compared with four decimals.
create function internal.to_explore_entry(s public.snapshots, p_tags text[])
returns public.explore_entries
language sql immutable
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
    case when s.listing_status = 'listed' and s.listing_source = 'adopted' then 'adopted' else s.listing_status end,
    internal.is_indexable(s),
    case when s.failing_since is not null then false when s.last_probed_at is not null then true end,
    coalesce(s.is_compliant, false),
    coalesce(s.delivery ->> 'state' = 'delivered', false),
    case when s.grade <> '?' then s.score end,
    (case when s.listing_status = 'listed' then 0 else 2 end + case when s.grade <> '?' then 0 else 1 end) * 1e14
      + round((100 - s.score_low) * 1e4) * 1e7 + round((100 - s.score) * 1e4),
    coalesce(p.usd, 1e15), coalesce(-p.usd, 1e15), coalesce(-s.uptime_30d, 1e15),
    coalesce(s.latency_ms::double precision, 1e15),
    -extract(epoch from s.first_seen)::double precision,
    -extract(epoch from s.content_changed_at)::double precision,
    s.text_hash, s.described
  )::public.explore_entries
  from (
    select case when s.amount_usd ~ '^\d{1,30}(\.\d{1,30})?$'
      then least(s.amount_usd::double precision, 1e14) end as usd
  ) p;
$$;

-- Returns the values of an endpoint that `explore_terms` counts.
create function internal.to_explore_terms(x public.explore_entries)
returns table (kind text, term text)
language plpgsql immutable
as $$
begin
  return query
  select t.kind, t.term
  from (
    values ('host', x.host), ('combination', jsonb_build_object(
      'grade', x.grade, 'recommendation', x.recommendation, 'is_reachable', x.is_reachable,
      'is_compliant', x.is_compliant, 'is_delivered', x.is_delivered, 'listing', x.listing, 'networks', x.networks
    )::text)
    union all
    select 'tag', u.tag from unnest(x.tags) as u (tag) where x.listing = 'listed'
  ) as t (kind, term);
end;
$$;

-- Trigger function: updates the numbers in `explore_terms` after a statement wrote or deleted rows of
-- `explore_entries`.
create function internal.count_written_terms()
returns trigger
language plpgsql
as $$
declare
  v_added jsonb := '[]';
  v_removed jsonb := '[]';
  v_changes jsonb;
begin
  if tg_op = 'TRUNCATE' then
    delete from public.explore_terms;
    return null;
  end if;
  if tg_op <> 'DELETE' then
    select coalesce(jsonb_agg(to_jsonb(c)), '[]') into v_added from (
      select t.kind, t.term, count(*) as change
      from added a cross join lateral internal.to_explore_terms(row(a.*)::public.explore_entries) t group by 1, 2
    ) c;
  end if;
  if tg_op <> 'INSERT' then
    select coalesce(jsonb_agg(to_jsonb(c)), '[]') into v_removed from (
      select t.kind, t.term, -count(*) as change
      from removed r cross join lateral internal.to_explore_terms(row(r.*)::public.explore_entries) t group by 1, 2
    ) c;
  end if;
  select jsonb_agg(to_jsonb(c)) into v_changes from (
    select g.kind, g.term, sum(g.change) as change
    from jsonb_to_recordset(v_added || v_removed) as g (kind text, term text, change integer)
    group by 1, 2 having sum(g.change) <> 0
  ) c;
  if v_changes is null then
    return null;
  end if;
  -- One transaction can write several batches, so the order of the rows cannot prevent deadlocks. The lock lets one
  -- transaction at a time change numbers until its commit. Each transaction locks its endpoints before it takes this
  -- lock.
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('explore_terms', 0));

  insert into public.explore_terms as t (kind, term, endpoints)
  select c.kind, c.term, c.change from jsonb_to_recordset(v_changes) as c (kind text, term text, change integer)
  on conflict (kind, term) do update set endpoints = t.endpoints + excluded.endpoints;

  delete from public.explore_terms t using jsonb_to_recordset(v_changes) as c (kind text, term text)
  where t.kind = c.kind collate "C" and t.term = c.term collate "C" and t.endpoints <= 0;
  return null;
end;
$$;

-- These triggers write `explore_terms`.
create trigger explore_entries_count_inserted after insert on public.explore_entries
  referencing new table as added for each statement execute function internal.count_written_terms();

create trigger explore_entries_count_updated after update on public.explore_entries
  referencing old table as removed new table as added
  for each statement execute function internal.count_written_terms();

create trigger explore_entries_count_deleted after delete on public.explore_entries
  referencing old table as removed for each statement execute function internal.count_written_terms();

create trigger explore_entries_count_truncated after truncate on public.explore_entries
  for each statement execute function internal.count_written_terms();

-- Maximum number of matches that are ranked one by one. A query with more matches is ordered by score, because its
-- matches differ little in relevance.
create function internal.max_ranked_matches()
returns integer
language sql immutable
as $$ select 1000 $$;

-- Maximum number of rows that are read in the order of an index. If these rows are not enough, all rows with the values
-- of the filters are read.
create function internal.max_ordered_rows()
returns integer
language sql immutable
as $$ select 2000 $$;

-- Endpoints that match a text. `ids`: ids of the matches. `keys`: sort keys of the matches, all below 0. Endpoints with
-- this URL come first, then endpoints with all words, then endpoints with similar spellings, then with any word. `common`: the query, if
-- more than max_ranked_matches() endpoints match it; otherwise null. The matches of a common query are not in `ids`,
-- and are ordered by score.
create type internal.text_matches as (ids text[], keys double precision[], common tsquery);

-- Adds the endpoints that match the query to p_matches. If more than max_ranked_matches() endpoints match, `common` is
-- set to the query instead. The keys order the matches by p_group, then listed before delisted, then by relevance (six
-- decimals) if p_is_ranked, then by score.
create function internal.add_matches(
  p_matches internal.text_matches, p_group integer, p_query tsquery, p_is_ranked boolean
)
returns internal.text_matches
language plpgsql stable
set plan_cache_mode = force_custom_plan
as $$
declare
  v_ids text[];
  v_keys double precision[];
begin
  if (
    select count(*) > internal.max_ranked_matches() from (
      select 1 from public.search_documents d where d.words @@ p_query limit internal.max_ranked_matches() + 1
    ) c
  ) then
    p_matches.common := p_query;
    return p_matches;
  end if;
  select array_agg(x.endpoint_id), array_agg(
    ((2 * p_group + case when x.listing_status = 'listed' then 0 else 1 end) * 1e6
      + 1e6 - case when p_is_ranked then round((1e6 * ts_rank(d.words, p_query))::numeric)::double precision else 0 end
    ) * 1024 + coalesce(1000 - round(10 * x.score), 1023) - 1e11
  )
  into v_ids, v_keys
  from public.search_documents d join public.explore_entries x on x.endpoint_id = d.endpoint_id
  where d.words @@ p_query and d.endpoint_id <> all (p_matches.ids);
  p_matches.ids := p_matches.ids || coalesce(v_ids, '{}');
  p_matches.keys := p_matches.keys || coalesce(v_keys, '{}');
  return p_matches;
end;
$$;

-- Returns the endpoints that match the words or the URL that a person enters. Similar spellings are added if fewer than
-- 50 endpoints have all words and the text is not the URL of an endpoint. With p_is_prefix, the last word may be the
-- start of a word, the matches are in the order of the score, and similar spellings are added only if nothing else
-- matches. Otherwise, the endpoints with at least one of the words are returned if nothing else matches. A URL with a
-- path matches only the endpoints with this URL or with all of its words.
create function internal.match_text(p_text text, p_is_prefix boolean)
returns internal.text_matches
language plpgsql stable
as $$
declare
  v_text text := left(p_text, 2048);
  v_url text := btrim(v_text);
  -- Only letters and digits remain, so a word contains no operators of full-text queries or patterns.
  v_words text := left(lower(internal.split_words(regexp_replace(v_text, '^\s*https?://', '', 'i'))), 200);
  v_list text[] := string_to_array(v_words, ' ');
  v_last text := v_list[cardinality(v_list)];
  -- Endpoints with spellings similar to the words of a URL, or with one of these words, are unrelated to the URL.
  v_is_url boolean := not p_is_prefix and v_url ~* '^https?://\S+/\S*$';
  v_urls text[] := array[v_url, v_url || '/', rtrim(v_url, '/'), 'https://' || v_url, 'https://' || v_url || '/'];
  v_exact tsquery;
  v_similar tsquery;
  v_matches internal.text_matches;
begin
  v_matches.ids := array(
    select e.id from public.endpoints e join public.explore_entries x on x.endpoint_id = e.id
    where e.resource = any (v_urls) order by array_position(v_urls, e.resource)
  );
  v_matches.keys := array(select u.position - 1e11 from generate_series(1, cardinality(v_matches.ids)) as u (position));

  v_exact := websearch_to_tsquery('pg_catalog.simple', v_words) || websearch_to_tsquery('pg_catalog.english', v_words);
  -- A beginning of one or two characters would match too many words.
  if p_is_prefix and char_length(v_last) >= 3 then
    v_exact := v_exact || (
      websearch_to_tsquery('pg_catalog.simple', array_to_string(v_list[:cardinality(v_list) - 1], ' '))
      && internal.to_word_query(array[v_last], '*')
    );
  end if;
  v_matches := internal.add_matches(v_matches, 1, v_exact, not p_is_prefix);

  if not v_is_url and v_matches.common is null and cardinality(v_matches.ids) < (case when p_is_prefix then 1 else 50 end)
    and not exists (select 1 from public.endpoints e where e.id = v_matches.ids[1] and e.resource = any (v_urls))
  then
    v_similar := internal.to_similar_query(v_list);
    if v_similar is not null then
      v_matches := internal.add_matches(v_matches, 2, v_similar, not p_is_prefix);
    end if;
    if not p_is_prefix and v_matches.common is null and v_matches.ids = '{}' then
      v_matches := internal.add_matches(
        v_matches, 3, replace(plainto_tsquery('pg_catalog.english', v_words)::text, ' & ', ' | ')::tsquery, true
      );
    end if;
  end if;
  return v_matches;
end;
$$;

-- Returns one page of public endpoints: { rows: [{ key, snapshot }], total, isTotalMinimum }. `key` is the sort value of a
-- row. Key and id together are the position of the row. p_matches: the endpoints that match a text; null without a text. p_after_key
-- and p_after_id: position of the last row of the previous page; null for the first page. Only the first page has a
-- `total`, of at most 1,000; with isTotalMinimum, more endpoints may match. p_filters: { networks, grades,
-- recommendations, properties, host, tag, status, minPriceUsd, maxPriceUsd }, each optional. `properties`: `reachable` or `compliant`; an endpoint has all of them.
-- `status`: `listed`, `delisted` or `adopted`.
-- The SQL statement contains only the filters that are used, so each combination of filters has a separate plan. All
-- values are passed as parameters. `direct` reads a limited number of rows in the order of the index. These rows are
-- enough for frequent values of the filters. Otherwise, `complete` reads all rows with these values and sorts them.
-- `offset 0` prevents a plan that reads the whole index in its order.
-- Of the listed copies that match a text, only the first is returned, and likewise of the delisted copies. A filter by
-- host returns all copies. The other copies of a common query are left out of each page, so a later page can contain
-- one of them. The total of a common query has only the matches that `direct` reads, because counting all matches of a
-- frequent word takes longer than reading the page.
create function internal.explore_page(
  p_matches internal.text_matches, p_filters jsonb, p_sort text, p_after_key double precision, p_after_id text,
  p_limit integer
)
returns jsonb
language plpgsql stable
as $$
declare
  v_networks text[] := array(select jsonb_array_elements_text(p_filters -> 'networks') limit 50);
  v_grades text[] := array(select jsonb_array_elements_text(p_filters -> 'grades') limit 50);
  v_recommendations text[] := array(select jsonb_array_elements_text(p_filters -> 'recommendations') limit 50);
  v_status text := p_filters ->> 'status';
  v_has_price boolean := p_filters ->> 'minPriceUsd' is not null or p_filters ->> 'maxPriceUsd' is not null;
  v_order text := case p_sort
    when 'price' then 'by_price' when 'price-desc' then 'by_price_desc' when 'uptime' then 'by_uptime'
    when 'latency' then 'by_latency' when 'newest' then 'by_newest' when 'changed' then 'by_changed' else 'by_score'
  end;
  -- Conditions that limit the range to read from the index of the sort order.
  v_range text := concat_ws(
    ' and ', 'true',
    case when p_after_key is not null then format('(e.%I, e.endpoint_id) > ($1, $2)', v_order) end,
    case when v_has_price and v_order = 'by_price_desc' then 'e.by_price_desc between -$4 and -$3' end,
    case when v_has_price and v_order = 'by_price' then 'e.by_price between $3 and $4' end,
    case when v_status = 'listed' and v_order = 'by_score' then 'e.by_score < 2e14' end,
    case when v_status = 'delisted' and v_order = 'by_score' then 'e.by_score >= 2e14' end,
    case when cardinality(v_grades) = 1 and v_order = 'by_score' then 'e.grade = $8[1]' end,
    case when cardinality(v_recommendations) = 1 and v_grades = '{}' and v_order = 'by_score'
      then 'e.recommendation = $9[1]' end
  );
  v_filters text := concat_ws(
    ' and ', 'true',
    case when v_has_price then 'e.by_price between $3 and $4' end,
    case when v_networks <> '{}' then 'e.networks && $5' end,
    case when p_filters ->> 'tag' is not null then 'e.tags @> array[$6]' end,
    case when p_filters ->> 'host' is not null then 'e.host = $7' end,
    case when v_grades <> '{}' then 'e.grade = any ($8)' end,
    case when v_recommendations <> '{}' then 'e.recommendation = any ($9)' end,
    case when p_filters -> 'properties' ? 'reachable' then 'e.is_reachable' end,
    case when p_filters -> 'properties' ? 'compliant' then 'e.is_compliant' end,
    case when p_filters -> 'properties' ? 'delivered' then 'e.is_delivered' end,
    case when v_status is not null then 'e.listing = $14' end
  );
  v_entries text := case
    when p_matches is null then v_filters
    when p_matches.common is null then 'false'
    else v_filters || ' and e.endpoint_id <> all ($10) and exists (
      select 1 from public.search_documents d where d.endpoint_id = e.endpoint_id and d.words @@ $12
    )'
  end;
  v_copies text := case when p_filters ->> 'host' is null
    then 'e.host, coalesce(e.text_hash, e.endpoint_id), e.listing_status' else 'e.endpoint_id' end;
  v_page jsonb;
begin
  execute format(
    $sql$
      with matched as materialized (
        select distinct on (%9$s) e.endpoint_id, %5$s as key
        from unnest($10, $11) as m (id, position) join public.explore_entries e on e.endpoint_id = m.id
        where %2$s order by %9$s, key, e.endpoint_id
      ),
      direct as materialized (
        select c.endpoint_id, c.key, count(*) over () as n from (
          select %10$s e.endpoint_id, e.%1$I as key from (
            select * from public.explore_entries e where %4$s order by e.%1$I, e.endpoint_id
            limit greatest(internal.max_ordered_rows(), $13)
          ) e
          where %3$s order by %11$s e.%1$I, e.endpoint_id
        ) c
        order by c.key, c.endpoint_id limit $13
      ),
      complete as materialized (
        select c.endpoint_id, c.key, count(*) over () as n from (
          select %10$s e.endpoint_id, e.%1$I as key from public.explore_entries e
          where %6$s and (select count(*) from direct) < $13 and %4$s and %3$s order by %11$s e.%1$I, e.endpoint_id
          offset 0
        ) c
        order by c.key, c.endpoint_id limit $13
      ),
      page as (
        select c.endpoint_id, c.key from (
          select * from matched where %7$s
          union all select d.endpoint_id, d.key from direct d where not %6$s or (select count(*) from direct) = $13
          union all select d.endpoint_id, d.key from complete d
        ) c
        order by c.key, c.endpoint_id limit $13
      )
      select jsonb_build_object(
        'rows', (
          select coalesce(jsonb_agg(jsonb_build_object(
            'key', p.key,
            'snapshot',
            to_jsonb(s) - array['public', 'content_hash', 'text_hash', 'described', 'alternatives_counted_at']
          ) order by p.key, p.endpoint_id), '[]')
          from page p join public.snapshots s on s.endpoint_id = p.endpoint_id and s.public
        ),
        'total', t.total,
        'isTotalMinimum', coalesce(t.total >= 1000, false) or %12$s
      )
      from (select %8$s as total offset 0) t
    $sql$,
    v_order, v_filters, v_entries, v_range,
    case when p_sort = 'relevance' then 'm.position' else format('e.%I', v_order) end,
    (v_entries not in ('true', 'false'))::text,
    case when p_after_key is null then 'true' else '(key, endpoint_id) > ($1, $2)' end,
    case
      when p_after_key is not null then 'null::bigint'
      when p_matches.common is not null then
        'least(1000, (select count(*) from matched)
          + coalesce((select max(n) from complete), (select max(n) from direct), 0))'
      else format(
        'least(1000, (select count(*) from matched) + (
          select count(*) from (select 1 from public.explore_entries e where %s limit 1000) c
        ))', v_entries
      )
    end,
    v_copies,
    case when p_matches.common is not null then format('distinct on (%s)', v_copies) end,
    case when p_matches.common is not null then v_copies || ',' end,
    case when p_matches.common is not null and p_after_key is null
      then '(select count(*) from direct) = $13' else 'false' end
  )
  into v_page
  using p_after_key, p_after_id collate "C", coalesce((p_filters ->> 'minPriceUsd')::double precision, 0),
    least((p_filters ->> 'maxPriceUsd')::double precision, 1e14), v_networks, p_filters ->> 'tag', p_filters ->> 'host',
    v_grades, v_recommendations, coalesce(p_matches.ids, '{}'), coalesce(p_matches.keys, '{}'), p_matches.common, p_limit,
    v_status;
  return v_page;
end;
$$;

-- Maximum number of endpoints that are counted one by one.
create function internal.max_counted_rows()
returns integer
language sql immutable
as $$ select 2000 $$;

-- Returns the numbers of endpoints for the choices of the filters: { grades, recommendations, properties, listings,
-- networks, tags }, each as { value: number }. The number of a value counts the endpoints that match the text, all other
-- filters, and this value. Values without an endpoint are left out. `networks` and `tags` have the most frequent values
-- and the chosen values. Copies are counted once if `internal.explore_page` returns them once. p_matches and p_filters:
-- see `internal.explore_page`.
-- Without a text, host, price and tag, the numbers are sums over the combinations in `explore_terms`. The numbers of the
-- tags of all listed endpoints are in `explore_terms`. All other numbers are counted one by one. If more than
-- internal.max_counted_rows() endpoints would have to be counted, the numbers are null, and the values are those that are
-- frequent without the text, host, price and tag.
create function internal.count_choices(p_matches internal.text_matches, p_filters jsonb)
returns jsonb
language plpgsql stable
set plan_cache_mode = force_custom_plan
as $$
declare
  v_networks text[] := array(select jsonb_array_elements_text(p_filters -> 'networks') limit 50);
  v_grades text[] := array(select jsonb_array_elements_text(p_filters -> 'grades') limit 50);
  v_recommendations text[] := array(select jsonb_array_elements_text(p_filters -> 'recommendations') limit 50);
  v_is_reachable boolean := coalesce(p_filters -> 'properties' ? 'reachable', false);
  v_is_compliant boolean := coalesce(p_filters -> 'properties' ? 'compliant', false);
  v_is_delivered boolean := coalesce(p_filters -> 'properties' ? 'delivered', false);
  v_status text := p_filters ->> 'status';
  v_tag text := p_filters ->> 'tag';
  -- Each endpoint is compared with a common query by its id, because a join could read all endpoints with a frequent
  -- word.
  v_common tsquery := p_matches.common;
  -- The matches of a common query are not in `ids`.
  v_ids text[] := case when v_common is null then p_matches.ids end;
  v_has_copies boolean := v_ids is not null and p_filters ->> 'host' is null;
  v_has_combinations boolean := p_matches is null and not p_filters ?| array['tag', 'host', 'minPriceUsd', 'maxPriceUsd'];
  v_has_all_tags boolean := p_matches is null and p_filters - 'tag' = '{"status": "listed"}';
begin
  return (
    with found as not materialized (
      select e.*,
        case when v_has_copies then jsonb_build_array(
          e.host, coalesce(e.text_hash, e.endpoint_id), e.listing_status
        )::text end as text_key
      from public.explore_entries e
      where (v_ids is null or e.endpoint_id = any (v_ids))
        and (p_filters ->> 'host' is null or e.host = p_filters ->> 'host')
        and (
          p_filters ->> 'minPriceUsd' is null and p_filters ->> 'maxPriceUsd' is null
          or e.by_price between coalesce((p_filters ->> 'minPriceUsd')::double precision, 0)
            and least((p_filters ->> 'maxPriceUsd')::double precision, 1e14)
        )
    ),
    selected as materialized (
      select f.grade, f.recommendation, f.is_reachable, f.is_compliant, f.is_delivered, f.listing, f.networks, f.text_key,
        f.endpoint_id
      from found f where not v_has_combinations and (v_tag is null or f.tags @> array[v_tag])
      limit internal.max_counted_rows() + 1
    ),
    tagged as materialized (
      select f.tags, f.text_key, f.endpoint_id
      from found f
      where not v_has_all_tags
        and (v_grades = '{}' or f.grade = any (v_grades))
        and (v_recommendations = '{}' or f.recommendation = any (v_recommendations))
        and (f.is_reachable or not v_is_reachable) and (f.is_compliant or not v_is_compliant)
        and (f.is_delivered or not v_is_delivered)
        and (v_status is null or f.listing = v_status)
        and (v_networks = '{}' or f.networks && v_networks)
      limit internal.max_counted_rows() + 1
    ),
    limits as materialized (
      select not v_has_combinations and (select count(*) from selected) <= internal.max_counted_rows() as has_selected,
        not v_has_all_tags and (select count(*) from tagged) <= internal.max_counted_rows() as has_tagged
    ),
    grouped as (
      select c.grade, c.recommendation, c.is_reachable, c.is_compliant, c.is_delivered, c.listing, c.networks,
        null as text_key, t.endpoints::bigint as n
      from public.explore_terms t cross join lateral jsonb_to_record(t.term::jsonb) as c (
        grade text, recommendation text, is_reachable boolean, is_compliant boolean, is_delivered boolean, listing text,
        networks text[]
      )
      where t.kind = 'combination' and not (select l.has_selected from limits l)
      union all
      select s.grade, s.recommendation, s.is_reachable, s.is_compliant, s.is_delivered, s.listing, s.networks, s.text_key, 1
      from selected s
      where (select l.has_selected from limits l) and (v_common is null or (
        select d.words @@ v_common from public.search_documents d where d.endpoint_id = s.endpoint_id
      ))
    ),
    checked as (
      select g.*,
        v_grades = '{}' or g.grade = any (v_grades) as has_grade,
        v_recommendations = '{}' or g.recommendation = any (v_recommendations) as has_recommendation,
        (g.is_reachable or not v_is_reachable) and (g.is_compliant or not v_is_compliant)
          and (g.is_delivered or not v_is_delivered) as has_properties,
        v_status is null or g.listing = v_status as has_listing,
        v_networks = '{}' or g.networks && v_networks as has_network
      from grouped g
    ),
    counts as (
      select s.kind, s.value, case when v_has_copies then count(distinct c.text_key) else sum(c.n) end as n
      from checked c cross join lateral (
        select 'grades', c.grade where c.has_recommendation and c.has_properties and c.has_listing and c.has_network
        union all
        select 'recommendations', c.recommendation
        where c.has_grade and c.has_properties and c.has_listing and c.has_network
        union all
        select 'listings', c.listing
        where c.has_grade and c.has_recommendation and c.has_properties and c.has_network
        union all
        select 'properties', p.name from (
          values ('reachable', c.is_reachable), ('compliant', c.is_compliant), ('delivered', c.is_delivered)
        ) as p (name, has)
        where p.has and c.has_grade and c.has_recommendation and c.has_properties and c.has_listing and c.has_network
        union all
        select 'networks', u.network from unnest(c.networks) as u (network)
        where c.has_grade and c.has_recommendation and c.has_properties and c.has_listing
      ) as s (kind, value)
      group by 1, 2
      union all
      select 'tags', u.tag, case when v_has_copies then count(distinct t.text_key) else count(*) end
      from tagged t cross join lateral unnest(t.tags) as u (tag)
      where (select l.has_tagged from limits l) and (v_common is null or (
        select d.words @@ v_common from public.search_documents d where d.endpoint_id = t.endpoint_id
      ))
      group by u.tag
      union all
      select 'tags', t.term, t.endpoints from public.explore_terms t
      where t.kind = 'tag' and not (select l.has_tagged from limits l)
    ),
    ranked as materialized (
      select c.*, row_number() over (partition by c.kind order by c.n desc, c.value) as rank from counts c
    )
    select jsonb_object_agg(k.kind, (
      select coalesce(jsonb_object_agg(r.value, case
        when k.kind = 'tags' then case when l.has_tagged or v_has_all_tags then r.n end
        when l.has_selected or v_has_combinations then r.n
      end), '{}')
      from ranked r
      where r.kind = k.kind and (r.rank <= k.maximum or r.value = v_tag or r.value = any (v_networks))
    ))
    from limits l cross join (values
      ('grades', 10), ('recommendations', 10), ('properties', 10), ('listings', 10), ('networks', 12), ('tags', 30)
    ) as k (kind, maximum)
  );
end;
$$;

-- Returns one page of public endpoints that match the filters and the text, see internal.explore_page. p_limit is at
-- most 51, which is one row more than the largest page, so that the caller sees whether another page follows. With
-- p_has_counts, the page also has `counts`, see internal.count_choices.
-- p_ids: ids of at most 50 endpoints, the most relevant first. With p_ids, these endpoints are the matches of the text.
-- Everyone can call this function with the rights of its owner.
create function public.explore(
  p_text text, p_filters jsonb, p_sort text, p_limit integer,
  p_after_key double precision default null, p_after_id text default null, p_has_counts boolean default false,
  p_ids text[] default null
)
returns jsonb
language plpgsql stable security definer
set statement_timeout = '2s'
as $$
declare
  v_matches internal.text_matches;
begin
  if p_ids is not null then
    v_matches.ids := p_ids[:50];
    v_matches.keys := array(
      select u.position - 1e11 from generate_series(1, cardinality(v_matches.ids)) as u (position)
    );
  elsif p_text <> '' then
    v_matches := internal.match_text(p_text, false);
  end if;
  return internal.explore_page(
    v_matches, coalesce(p_filters, '{}'), p_sort, p_after_key, p_after_id, greatest(1, least(coalesce(p_limit, 26), 51))
  ) || jsonb_build_object(
    'counts', case when p_has_counts then internal.count_choices(v_matches, coalesce(p_filters, '{}')) end
  );
end;
$$;

-- Returns up to three hosts or tags of public endpoints that contain p_text, with their numbers of endpoints: terms
-- that start with p_text first, then the most frequent terms. A p_text of one or two characters must be the start of a
-- term, because most hosts contain it.
create function internal.suggest_terms(p_kind text, p_text text)
returns table (term text, endpoints integer)
language plpgsql stable
set plan_cache_mode = force_custom_plan
as $$
declare
  v_start text := replace(replace(replace(p_text, '\', '\\'), '%', '\%'), '_', '\_') || '%';
begin
  return query
  select t.term::text, t.endpoints from public.explore_terms t
  where p_text <> '' and t.kind = p_kind
    and t.term like case when char_length(p_text) < 3 then v_start else '%' || v_start end
  order by t.term like v_start desc, t.endpoints desc, t.term limit 3;
end;
$$;

-- Returns completions of a text that a person types: { endpoints: […], hosts: [{ host, endpoints }],
-- tags: [{ tag, endpoints }] }. Everyone can call this function with the rights of its owner, so it limits the text.
create function public.suggest(p_text text)
returns jsonb
language plpgsql stable security definer
set statement_timeout = '2s'
as $$
declare
  v_text text := lower(btrim(left(p_text, 200)));
  v_host text := split_part(regexp_replace(v_text, '^https?://', ''), '/', 1);
begin
  return jsonb_build_object(
    'endpoints', (
      select coalesce(jsonb_agg(r -> 'snapshot'), '[]')
      from jsonb_array_elements(
        internal.explore_page(internal.match_text(left(p_text, 200), true), '{}', 'relevance', null, null, 5) -> 'rows'
      ) r
    ),
    'hosts', (
      select coalesce(jsonb_agg(jsonb_build_object('host', t.term, 'endpoints', t.endpoints)), '[]')
      from internal.suggest_terms('host', v_host) t
    ),
    'tags', (
      select coalesce(jsonb_agg(jsonb_build_object('tag', t.term, 'endpoints', t.endpoints)), '[]')
      from internal.suggest_terms('tag', v_text) t
    )
  );
end;
$$;

-- Returns the figures of all public endpoints of a host; null without a public endpoint. Only listed endpoints
-- contribute to the prices. `days`: scored and successful probes on each day with a scored probe, of the 30 UTC days that
-- end with the newest score, oldest first. At most 200 endpoints contribute to `days` and to `computedAt`, because a host
-- can have thousands, each with 30 rollups. An id is a hash of a URL, so the first ids are a random sample. `sampled`:
-- number of these endpoints. Everyone can call this function with the rights of its owner, and it returns only public
-- rows.
create function public.provider(p_host text)
returns jsonb
language sql stable security definer
as $$
  with found as materialized (
    select x.endpoint_id, x.grade, x.recommendation, x.listing, x.is_indexable, x.is_reachable, x.networks, x.by_newest,
      x.by_changed, case when x.by_price < 1e15 and x.listing_status = 'listed' then x.by_price::numeric end as usd
    from public.explore_entries x where x.host = p_host
  ),
  sample as materialized (
    select s.endpoint_id, s.computed_at
    from (select f.endpoint_id from found f order by f.endpoint_id limit 200) n
    join public.snapshots s on s.endpoint_id = n.endpoint_id
  ),
  days as (
    select d.day, sum(d.scored) as scored, sum(d.up) as up
    from (select (max(n.computed_at) at time zone 'UTC')::date as day from sample n) last
    cross join sample r
    -- The offset makes the plan read the index for each endpoint, and never all rollups of these days.
    cross join lateral (
      select u.day, u.scored, u.up from public.daily_rollups u
      where u.endpoint_id = r.endpoint_id and u.day between last.day - 29 and last.day and u.scored > 0 offset 0
    ) d
    group by d.day
  )
  select jsonb_build_object(
    'host', p_host,
    'endpoints', count(*),
    'listed', count(*) filter (where f.listing = 'listed'),
    'indexable', count(*) filter (where f.is_indexable),
    'grades', (
      select jsonb_object_agg(l.grade, coalesce(c.n, 0))
      from unnest(array['A', 'B', 'C', 'D', 'F', '?']) as l (grade)
      left join (select r.grade, count(*) as n from found r group by 1) c using (grade)
    ),
    'recommendations', (
      select jsonb_object_agg(l.recommendation, coalesce(c.n, 0))
      from unnest(array['proceed', 'caution', 'parameterize', 'avoid', 'unverified', 'free']) as l (recommendation)
      left join (select r.recommendation, count(*) as n from found r group by 1) c using (recommendation)
    ),
    'days', (
      select coalesce(jsonb_agg(jsonb_build_object('day', d.day, 'scored', d.scored, 'up', d.up) order by d.day), '[]')
      from days d
    ),
    'sampled', (select count(*) from sample),
    'failing', count(*) filter (where not f.is_reachable),
    'lowestPriceUsd', trim_scale(min(f.usd))::text,
    'highestPriceUsd', trim_scale(max(f.usd))::text,
    'networks', (
      select coalesce(jsonb_agg(n.network order by n.count desc, n.network), '[]')
      from (select u.network, count(*) from found g, unnest(g.networks) as u (network) group by 1) n
    ),
    'firstSeen', to_timestamp(-max(f.by_newest)),
    'computedAt', (select max(n.computed_at) from sample n),
    'contentChangedAt', to_timestamp(-min(f.by_changed))
  )
  from found f having count(*) > 0;
$$;

-- Returns true if a host has a public endpoint. Reads one row by its primary key. Everyone can call this function with
-- the rights of its owner.
create function public.provider_exists(p_host text)
returns boolean
language sql stable security definer
as $$
  select exists (select 1 from public.explore_terms t where t.kind = 'host' and t.term = p_host);
$$;
