-- Search by words: full-text search and similar spellings, for people on the site.

-- Returns the ids of up to p_limit public endpoints that match a full-text query, best first, without the ids p_except.
-- If more than 2,000 endpoints match, the words distinguish little, and the match is not ranked, only the score.
create function internal.find_matching_words(p_query tsquery, p_except text[], p_limit integer)
returns text[]
language plpgsql stable
set search_path = ''
set plan_cache_mode = force_custom_plan
as $$
declare
  v_is_common boolean := (
    select count(*) > 2000 from (select 1 from public.search_documents d where d.words @@ p_query limit 2001) c
  );
begin
  return array(
    select s.endpoint_id
    from public.search_documents d join public.snapshots s on s.endpoint_id = d.endpoint_id
    where d.words @@ p_query and s.public and s.endpoint_id <> all (p_except)
    order by s.listing_status desc, case when v_is_common then 0 else ts_rank(d.words, p_query) end desc,
      case when s.grade <> '?' then s.score end desc nulls last, s.endpoint_id
    limit p_limit
  );
end;
$$;

-- Returns the ids of up to p_limit public endpoints whose label is similar to at least one of the words, without the ids
-- p_except. They are ordered by the mean similarity of all words.
create function internal.find_similar_labels(p_words text[], p_except text[], p_limit integer)
returns text[]
language plpgsql stable
set search_path = ''
set plan_cache_mode = force_custom_plan
as $$
begin
  -- A wrong letter in a short word leaves few trigrams: the similarity of "whether" and "weather" is 0.375.
  perform set_config('pg_trgm.word_similarity_threshold', '0.35', true);
  return array(
    select s.endpoint_id
    from (
      select distinct d.endpoint_id, d.label
      from unnest(p_words) as w (word)
      cross join lateral (
        select o.endpoint_id, o.label from public.search_documents o where o.label operator(extensions.%>) w.word
      ) d
    ) c
    join public.snapshots s on s.endpoint_id = c.endpoint_id
    where s.public and s.endpoint_id <> all (p_except)
    order by s.listing_status desc,
      (select round(avg(extensions.word_similarity(w.word, c.label))::numeric, 4) from unnest(p_words) as w (word)) desc,
      case when s.grade <> '?' then s.score end desc nulls last, s.endpoint_id
    limit p_limit
  );
end;
$$;

-- Returns up to p_limit public snapshots for a query of a person as a JSON array, best first: the endpoint whose URL is
-- the query, then endpoints that contain all words of the query, then endpoints with a similar host, path or service
-- name. Listed endpoints come before delisted ones in each of these groups, then the best match, score and id decide.
-- The words of a query are its first 200 characters. The function has the rights of its owner, because the search tables
-- are not public.
create function public.search_by_words(p_query text, p_limit integer)
returns jsonb
language plpgsql stable security definer
set search_path = ''
set plan_cache_mode = force_custom_plan
as $$
declare
  v_url text := left(btrim(p_query), 2048);
  v_words text := btrim(left(internal.split_words(regexp_replace(p_query, '^\s*https?://', '', 'i')), 200));
  v_query tsquery := websearch_to_tsquery('pg_catalog.simple', v_words)
    || websearch_to_tsquery('pg_catalog.english', v_words);
  -- Shorter words are similar to nearly every label, and the number of words limits the cost.
  v_long_words text[] := array(
    select lower(w) from unnest(string_to_array(v_words, ' ')) with ordinality as u (w, position)
    where char_length(w) >= 3 order by position limit 8
  );
  v_urls text[] := array[v_url, v_url || '/', rtrim(v_url, '/'), 'https://' || v_url, 'https://' || v_url || '/'];
  v_exact text[] := array(
    select e.id from public.endpoints e where e.resource = any (v_urls) order by array_position(v_urls, e.resource)
  );
  v_matched text[];
  v_similar text[] := '{}';
begin
  v_matched := internal.find_matching_words(v_query, v_exact, p_limit);
  if cardinality(v_exact) + cardinality(v_matched) < p_limit then
    v_similar := internal.find_similar_labels(v_long_words, v_exact || v_matched, p_limit);
  end if;
  return (
    select coalesce(jsonb_agg(
      to_jsonb(s) - array['public', 'content_hash', 'text_hash', 'described', 'alternatives_counted_at']
      order by r.position
    ), '[]')
    from (
      select u.id, u.position from unnest(v_exact || v_matched || v_similar) with ordinality as u (id, position)
      order by u.position
    ) r
    join public.snapshots s on s.endpoint_id = r.id and s.public
    where r.position <= p_limit
  );
end;
$$;
