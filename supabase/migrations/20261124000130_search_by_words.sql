-- Search by words: full-text search and similar spellings, for people on the site.

-- Returns the ids of up to p_limit public endpoints that match a full-text query, best first, without the ids p_except.
-- If more than 2,000 endpoints match, the words distinguish little, so the match is not ranked: listed, graded endpoints
-- that are not to be avoided come first, then the score decides. These are read in the order of an index.
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
  v_ids text[];
begin
  if v_is_common then
    v_ids := array(
      select s.endpoint_id
      from public.snapshots s join public.search_documents d on d.endpoint_id = s.endpoint_id
      where d.words @@ p_query and s.endpoint_id <> all (p_except)
        and s.public and s.listing_status = 'listed' and s.recommendation <> 'avoid' and s.grade <> '?'
      order by s.score desc, s.endpoint_id limit p_limit
    );
    if cardinality(v_ids) = p_limit then
      return v_ids;
    end if;
  end if;
  return array(
    select s.endpoint_id
    from public.search_documents d join public.snapshots s on s.endpoint_id = d.endpoint_id
    where d.words @@ p_query and s.public and s.endpoint_id <> all (p_except)
    order by (s.listing_status = 'listed') desc,
      case when v_is_common then (s.recommendation <> 'avoid' and s.grade <> '?')::integer
        else ts_rank(d.words, p_query) end desc,
      case when s.grade <> '?' then s.score end desc nulls last, s.endpoint_id
    limit p_limit
  );
end;
$$;

-- Returns a full-text query for endpoints that have, for each word, a word with a similar spelling or one that contains
-- it. Words without such words are left out; null if none is left. The five most similar words are used.
create function internal.to_similar_query(p_words text[])
returns tsquery
language plpgsql stable
set search_path = ''
set plan_cache_mode = force_custom_plan
as $$
declare
  v_word text;
  v_similar text[];
  v_query tsquery;
begin
  -- A wrong letter in a short word leaves few trigrams: the similarity of "whether" and "weather" is 0.33.
  perform set_config('pg_trgm.similarity_threshold', '0.3', true);
  foreach v_word in array p_words loop
    v_similar := array(
      select w.word from public.search_words w
      where w.word operator(extensions.%) v_word or w.word like '%' || v_word || '%'
      order by w.word like '%' || v_word || '%' desc, extensions.similarity(w.word, v_word) desc, w.word
      limit 5
    );
    if cardinality(v_similar) > 0 then
      v_query := coalesce(v_query && internal.to_word_query(v_similar), internal.to_word_query(v_similar));
    end if;
  end loop;
  return v_query;
end;
$$;

-- Returns up to p_limit public snapshots for a query of a person as a JSON array, best first: the endpoint whose URL is
-- the query, then endpoints that contain all words of the query, then endpoints that contain words with a similar
-- spelling. The last group is left out if the query is the URL of an endpoint. In each group, listed endpoints come
-- before delisted ones; then the match, the score and the id decide.
-- The function has the rights of its owner, because the search tables are not public. Everyone can call it, so the length
-- of the query and p_limit are limited, and a query with the URL of an endpoint that is not public is like any other.
create function public.search_by_words(p_query text, p_limit integer)
returns jsonb
language plpgsql stable security definer
set search_path = ''
as $$
declare
  v_limit integer := greatest(1, least(coalesce(p_limit, 25), 50));
  v_query text := left(p_query, 2048);
  v_url text := btrim(v_query);
  -- Only letters and digits remain, so a word contains no operators of full-text queries or patterns.
  v_words text := left(lower(internal.split_words(regexp_replace(v_query, '^\s*https?://', '', 'i'))), 200);
  v_urls text[] := array[v_url, v_url || '/', rtrim(v_url, '/'), 'https://' || v_url, 'https://' || v_url || '/'];
  v_ids text[] := array(
    select e.id from public.endpoints e join public.snapshots s on s.endpoint_id = e.id and s.public
    where e.resource = any (v_urls) order by array_position(v_urls, e.resource)
  );
  v_is_url boolean := cardinality(v_ids) > 0;
begin
  v_ids := v_ids || internal.find_matching_words(
    websearch_to_tsquery('pg_catalog.simple', v_words) || websearch_to_tsquery('pg_catalog.english', v_words),
    v_ids, v_limit
  );
  if not v_is_url and cardinality(v_ids) < v_limit then
    -- Shorter words are similar to many words, and the number of words limits the cost.
    v_ids := v_ids || internal.find_matching_words(
      internal.to_similar_query(array(
        select u.word from unnest(string_to_array(v_words, ' ')) with ordinality as u (word, position)
        where char_length(u.word) >= 3 order by u.position limit 8
      )),
      v_ids, v_limit
    );
  end if;
  return (
    select coalesce(jsonb_agg(
      to_jsonb(s) - array['public', 'content_hash', 'text_hash', 'described', 'alternatives_counted_at']
      order by u.position
    ), '[]')
    from unnest(v_ids[:v_limit]) with ordinality as u (id, position)
    join public.snapshots s on s.endpoint_id = u.id and s.public
  );
end;
$$;
