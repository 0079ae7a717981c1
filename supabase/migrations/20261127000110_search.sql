-- Search: texts with their embeddings, the words of each endpoint, and alternatives. save_snapshots inserts the texts
-- and words. All functions lock and insert the rows of a table in the order of their keys, which prevents deadlocks.

-- Texts to embed: one row for each distinct text. Many endpoints have the same text, so each vector is computed and
-- indexed only once.
create table public.search_texts (
  text_hash text collate "C" primary key,
  text text not null,
  -- Id of the vector space of the embedding. Vectors of different spaces are never compared. Null before the text is
  -- embedded.
  model text collate "C",
  embedding extensions.vector(384),
  -- Id of the job that the text describes, such as translation. Only endpoints with the same job can replace each
  -- other. Null if the text describes no such job.
  job text collate "C",
  -- Time at which the embedder refused the text; null otherwise.
  refused_at timestamptz,
  check ((model is null) = (embedding is null))
);

-- Each embedding is stored in its table row, even beside a long text. Reading an embedding from another page would take
-- longer than the comparison itself.
alter table public.search_texts alter column embedding set storage plain;

create index search_texts_model on public.search_texts (model, text_hash);

-- With the default ef_construction of 64, one search in 50 misses a group of similar texts (npm run bench:search).
create index search_texts_embedding on public.search_texts using hnsw (embedding extensions.vector_cosine_ops)
  with (ef_construction = 128);
create index search_texts_job on public.search_texts (job) where job is not null;
create index search_texts_pending on public.search_texts (text_hash) where model is null and refused_at is null;

-- Words of each endpoint for the search by words. They are not part of the snapshots, because a snapshot is updated
-- at least five times a day, and each update would write to the GIN index. `words`: words of the host, path and service name
-- (weight A), and of the description and the tags (weight B).
create table public.search_documents (
  endpoint_id text collate "C" primary key references public.endpoints (id) on delete cascade,
  words tsvector not null
);

-- Without `fastupdate`, the index has no list of pending entries. A search is then as fast before a vacuum as after it.
create index search_documents_words on public.search_documents using gin (words) with (fastupdate = off);

-- Distinct words of hosts, paths and service names. Words with a similar spelling are found here: comparing a query
-- with these words takes a few milliseconds, and comparing it with 100,000 endpoints takes a second.
create table public.search_words (
  word text collate "C" primary key
);

create index search_words_trigrams on public.search_words using gin (word extensions.gin_trgm_ops) with (fastupdate = off);

-- Replaces each run of ASCII characters other than letters and digits by a space, so that the parts of a URL become
-- words. The class [:punct:] is not used, because it depends on the locale.
create function internal.split_words(p_text text)
returns text
language sql immutable
as $$
  select btrim(regexp_replace(p_text, '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u007f]+', ' ', 'g'));
$$;

-- Returns the words of a host, path and service name. Words in camel case are returned as a whole and in parts.
create function internal.to_label_words(p_label text)
returns tsvector
language sql immutable
as $$
  select to_tsvector('pg_catalog.simple', internal.split_words(
    left(p_label, 1000) || ' ' || regexp_replace(left(p_label, 1000), '([a-z0-9])([A-Z])', '\1 \2', 'g')
  ));
$$;

-- Stores the texts and words of endpoints whose texts or tags differ from their stored snapshot. Only public endpoints have
-- words, so a search by words cannot show whether another endpoint exists. p_rows has the format of save_snapshots.
-- Runs before the snapshots are stored.
create function internal.store_search_rows(p_rows jsonb)
returns void
language plpgsql
as $$
begin
  insert into public.search_texts (text_hash, text)
  select distinct on (g.text_hash collate "C") g.text_hash, g.text
  from jsonb_array_elements(p_rows) r
  cross join lateral jsonb_to_record(nullif(r -> 'search', 'null')) as g (text_hash text, text text)
  left join public.snapshots s on s.endpoint_id = r -> 'snapshot' ->> 'endpoint_id'
  where g.text_hash is not null and g.text_hash is distinct from s.text_hash
  order by g.text_hash collate "C"
  on conflict do nothing;

  delete from public.search_documents d using jsonb_array_elements(p_rows) r
  where d.endpoint_id = r -> 'snapshot' ->> 'endpoint_id' and not (r -> 'snapshot' ->> 'public')::boolean;

  with changed as materialized (
    select g.endpoint_id, g.description, internal.to_label_words(l.label) as label_words, l.label, e.tags
    from jsonb_array_elements(p_rows) r
    cross join lateral jsonb_to_record(r -> 'snapshot')
      as g (endpoint_id text, public boolean, resource text, service_name text, description text)
    cross join lateral (
      select concat_ws(' ', regexp_replace(g.resource, '^https?://', ''), g.service_name) as label
    ) l
    join public.endpoints e on e.id = g.endpoint_id
    left join public.snapshots s on s.endpoint_id = g.endpoint_id
    left join public.explore_entries x on x.endpoint_id = g.endpoint_id
    where g.public and (
      (g.resource, g.service_name, g.description) is distinct from (s.resource, s.service_name, s.description)
      or e.tags <> x.tags
      or not exists (select 1 from public.search_documents o where o.endpoint_id = g.endpoint_id)
    )
  ),
  -- Numbers are left out, because two different numbers are never spellings of the same word.
  added as (
    insert into public.search_words (word)
    select distinct w.word collate "C"
    from changed c cross join lateral unnest(tsvector_to_array(c.label_words)) as w (word)
    where char_length(w.word) between 3 and 64 and w.word !~ '^[0-9]+$'
    order by 1
    on conflict do nothing
  )
  insert into public.search_documents as d (endpoint_id, words)
  select c.endpoint_id, setweight(c.label_words, 'A')
    || setweight(to_tsvector('pg_catalog.english', internal.split_words(left(c.label, 1000))), 'A')
    || setweight(to_tsvector('pg_catalog.english', left(coalesce(c.description, ''), 4000)), 'B')
    || setweight(
      to_tsvector('pg_catalog.english', internal.split_words(left(array_to_string(c.tags, ' '), 1000))), 'B'
    )
  from changed c
  order by c.endpoint_id collate "C"
  on conflict (endpoint_id) do update set words = excluded.words where d.words is distinct from excluded.words;
end;
$$;

-- Deletes up to p_limit texts that no snapshot uses, and up to p_limit words that no endpoint has. Returns the number
-- of deleted texts. The rows are found without a lock. The lock then waits for concurrent calls of save_snapshots, so
-- no text or word is deleted that such a call needs.
create function public.delete_unused_texts(p_limit integer)
returns integer
language plpgsql
set plan_cache_mode = force_custom_plan
as $$
declare
  v_texts text[] := array(
    select t.text_hash from public.search_texts t
    where not exists (select 1 from public.snapshots s where s.text_hash = t.text_hash) limit p_limit
  );
  -- One comparison with all words of the documents is faster than one search for each word.
  v_words text[] := array(
    select w.word from public.search_words w
    where not exists (
      select 1 from ts_stat('select words from public.search_documents', 'a') d where d.word collate "C" = w.word
    )
    limit p_limit
  );
  v_deleted integer;
begin
  if cardinality(v_texts) + cardinality(v_words) = 0 then
    return 0;
  end if;
  lock table public.search_texts, public.search_words in share row exclusive mode;
  delete from public.search_texts t
  where t.text_hash = any (v_texts)
    and not exists (select 1 from public.snapshots s where s.text_hash = t.text_hash);
  get diagnostics v_deleted = row_count;
  -- The join prevents the use of the trigram index, whose search for one word reads thousands of similar words.
  delete from public.search_words w using unnest(v_words) u (word)
  where w.word = u.word and not exists (
    select 1 from public.search_documents d where d.words @@ internal.to_word_query(array[w.word], 'A')
  );
  return v_deleted;
end;
$$;

-- Maximum number of vectors for an exact comparison. The HNSW index is faster for the 100 nearest of more than 2,000
-- vectors, and for the 400 nearest of more than 6,000 (npm run bench:search).
create function internal.max_exact_texts()
returns integer
language sql immutable
as $$
  select 5000;
$$;

-- Returns up to p_limit texts that a public snapshot uses and that have no embedding of this vector space. Leaves out
-- texts that the embedder refused after p_refused_until. Each branch reads a range of an index; the settings and the
-- lateral join prevent other plans, also without statistics.
create function public.pending_search_texts(p_model text, p_refused_until timestamptz, p_limit integer)
returns table (text_hash text, text text)
language plpgsql stable
set plan_cache_mode = force_custom_plan
set enable_seqscan = off
set enable_bitmapscan = off
set enable_hashjoin = off
as $$
begin
  return query
  select t.text_hash, t.text
  from (
    select * from public.search_texts a where a.model is null
    union all select * from public.search_texts b where b.model < p_model
    union all select * from public.search_texts c where c.model > p_model
  ) t
  cross join lateral (
    select from public.snapshots s where s.text_hash = t.text_hash and s.public limit 1
  ) u
  where t.refused_at is null or t.refused_at <= p_refused_until
  limit p_limit;
end;
$$;

-- Marks texts as refused by the embedder.
create function public.mark_refused_texts(p_now timestamptz, p_hashes text[])
returns void
language plpgsql
as $$
begin
  perform 1 from public.search_texts t where t.text_hash = any (p_hashes) order by t.text_hash for update;
  update public.search_texts t set refused_at = p_now where t.text_hash = any (p_hashes);
end;
$$;

-- Returns true if at most 5 % of the texts lack an embedding of this vector space. More than 5,000 such texts always
-- count as too many. This limits the cost of counting: at most 5,000 texts without and 95,000 texts with an embedding
-- are counted in indexes.
create function internal.is_search_complete(p_model text)
returns boolean
language plpgsql stable
set plan_cache_mode = force_custom_plan
as $$
declare
  v_missing integer := (select count(*) from public.pending_search_texts(p_model, 'infinity', 5001));
begin
  return v_missing = 0 or v_missing <= 5000 and 19 * v_missing <= (
    select count(*) from (select 1 from public.search_texts t where t.model = p_model limit 19 * v_missing) e
  );
end;
$$;

-- Stores embeddings and jobs of texts. Texts that were deleted in the meantime are ignored. p_rows: [{ textHash,
-- embedding: [numbers], job }]. Refuses a vector with another number of dimensions, a number that is not finite, and a zero vector,
-- which has no cosine similarity.
create function public.save_embeddings(p_model text, p_rows jsonb)
returns void
language plpgsql
as $$
begin
  if exists (
    select 1 from jsonb_array_elements(p_rows) r
    where r ->> 'embedding' is null or extensions.vector_norm((r ->> 'embedding')::extensions.vector) = 0
  ) then
    raise exception 'An embedding has no direction: all its numbers are 0, or it is missing.'
      using errcode = 'data_exception';
  end if;
  perform 1 from public.search_texts t
  where t.text_hash in (select r ->> 'textHash' from jsonb_array_elements(p_rows) r)
  order by t.text_hash for update;
  update public.search_texts t set
    model = p_model, embedding = (r ->> 'embedding')::extensions.vector, job = r ->> 'job', refused_at = null
  from jsonb_array_elements(p_rows) r
  where t.text_hash = r ->> 'textHash';
end;
$$;

-- Returns a full-text query for endpoints that have at least one of the words with one of the given weights.
create function internal.to_word_query(p_words text[], p_weights text default '')
returns tsquery
language sql immutable
as $$
  select string_agg('''' || replace(replace(w, '\', '\\'), '''', '''''') || ''':' || p_weights, ' | ')::tsquery
  from unnest(p_words) as w;
$$;

-- Returns about p_limit texts that are nearest to a vector, from the HNSW index. With p_job, only texts with this job. Sequential scans and sorts are
-- switched off, so the planner always selects this index. With the iterative scan, texts of another vector space do not
-- reduce the number of results.
create function internal.nearest_texts_by_index(
  p_model text, p_embedding extensions.vector, p_job text, p_limit integer
)
returns table (text_hash text, distance double precision)
language plpgsql stable
set plan_cache_mode = force_custom_plan
set enable_seqscan = off
set enable_sort = off
as $$
begin
  -- These settings cannot be attributes of the function: on Supabase, its owner may not set parameters of an extension
  -- that is not loaded.
  perform set_config('hnsw.ef_search', least(1000, greatest(100, 2 * p_limit))::text, true);
  perform set_config('hnsw.iterative_scan', 'relaxed_order', true);
  return query
  select t.text_hash, t.embedding operator(extensions.<=>) p_embedding
  from public.search_texts t where t.model = p_model and (p_job is null or t.job = p_job)
  order by t.embedding operator(extensions.<=>) p_embedding limit p_limit;
end;
$$;

-- Returns the best p_limit listed endpoints of explore_entries that have one of the texts, best first. The order is
-- unambiguous: whole percentage points of the similarity, score, described endpoints first, endpoint id. Of the
-- endpoints of a host with the same text, only the best is returned. For the parameters see internal.find_neighbors.
-- Similarities are rounded numeric values, because floor(100 * 0.29) is 28 in double precision.
-- For each text, the index is read from host to host, so that the number of copies on a host does not matter.
create function internal.rank_endpoints(
  p_texts text[], p_similarities numeric[], p_min_similarity numeric, p_host text, p_min_score double precision,
  p_limit integer
)
returns table (endpoint_id text, similarity numeric, rank integer)
language plpgsql stable
set plan_cache_mode = force_custom_plan
as $$
begin
  return query
  select r.endpoint_id, r.similarity, r.rank
  from (
    select o.endpoint_id, o.similarity, (row_number() over (
      order by floor(100 * o.similarity) desc, o.score desc nulls last, o.described desc, o.endpoint_id
    ))::integer as rank
    from (
      with recursive best as (
        select t.text_hash, t.similarity, ''::text collate "C" as host, null::text collate "C" as endpoint_id,
          null::double precision as score, false as described
        from unnest(p_texts, p_similarities) as t (text_hash, similarity)
        -- The upper bound excludes NaN, which is greater than every number.
        where t.similarity between p_min_similarity and 1
        union all
        select b.text_hash, b.similarity, n.host, n.endpoint_id, n.score, n.described
        from best b cross join lateral (
          select x.host, x.endpoint_id, x.score, x.described from public.explore_entries x
          where x.text_hash = b.text_hash and x.listing_status = 'listed' and x.host > b.host
            and (p_host is null or (x.host <> p_host and x.recommendation <> 'avoid' and x.score >= p_min_score))
          order by x.host, x.score desc nulls last, x.described desc, x.endpoint_id limit 1
        ) n
      )
      select * from best
    ) o
    where o.host <> ''
  ) r
  where r.rank <= p_limit
  order by r.rank;
end;
$$;

-- Returns the p_limit best listed endpoints for a vector, best first. `similarity` is at least 0.5. For the
-- order see internal.rank_endpoints. With p_host, only alternatives are returned: graded endpoints of other hosts with
-- the job p_job, a score of at least p_min_score and without the recommendation `avoid`. The job decides whether an
-- endpoint is an alternative, so alternatives need only a similarity of at least 0.4.
-- The nearest texts are read in growing steps, until no further text can change the result, and at last all similar
-- texts. So the result is complete, even with filters, and even if many texts have a similarity in the same percentage
-- point. One exception is the HNSW index, which can miss a near text: above internal.max_exact_texts, 1 to 2 % of the
-- results differ from the results of an exact comparison.
create function internal.find_neighbors(
  p_model text, p_embedding extensions.vector, p_job text, p_host text, p_min_score double precision, p_limit integer
)
returns table (endpoint_id text, similarity numeric, rank integer)
language plpgsql stable
set plan_cache_mode = force_custom_plan
as $$
declare
  c_min_similarity constant numeric := case when p_host is null then 0.5 else 0.4 end;
  c_max_fetch constant integer := 6400;
  -- Texts of all possible alternatives. They are compared directly if there are at most 800; otherwise, a search from
  -- the nearest texts is faster. Null to compare all texts.
  v_only text[] := case when p_host is not null then array(
    select s.text_hash from public.snapshots s
    where s.public and s.listing_status = 'listed' and s.recommendation <> 'avoid' and s.grade <> '?'
      and s.score >= p_min_score
    limit 801
  ) end;
  v_is_exact boolean;
  -- Number of texts to read; null for all texts.
  v_fetch integer;
  v_fetched integer;
  v_texts text[];
  v_similarities numeric[];
  v_ids text[];
  v_found numeric[];
begin
  if p_host is not null and p_job is null then
    return;
  end if;
  if cardinality(v_only) > 800 then
    v_only := null;
  end if;
  v_is_exact := v_only is not null or not exists (
    select 1 from public.search_texts t where p_job is null or t.job = p_job offset internal.max_exact_texts() limit 1
  );
  v_fetch := case when v_only is null then 4 * greatest(p_limit, 25) end;
  loop
    select array_agg(n.text_hash order by n.distance),
      array_agg(round((1 - n.distance)::numeric, 4) order by n.distance), count(*)
    into v_texts, v_similarities, v_fetched
    from (
      (
        select d.text_hash, d.distance
        from (
          select t.text_hash, t.embedding operator(extensions.<=>) p_embedding as distance
          from public.search_texts t
          where v_is_exact and t.model = p_model and (p_job is null or t.job = p_job)
            and (v_only is null or t.text_hash = any (v_only))
          -- Prevents the use of the HNSW index.
          offset 0
        ) d
        -- The margin of 0.0001 keeps texts whose similarity reaches the minimum only after rounding to four decimals.
        where d.distance < 1.0001 - c_min_similarity
        order by d.distance, d.text_hash limit v_fetch
      )
      union all
      select * from internal.nearest_texts_by_index(p_model, p_embedding, p_job, v_fetch) where not v_is_exact
    ) n;
    -- The index scan ended early, because it reached its maximum number of tuples. The texts are then compared exactly.
    if not v_is_exact and v_fetched < v_fetch and coalesce(v_similarities[v_fetched], 1) >= c_min_similarity then
      v_is_exact := true;
      continue;
    end if;

    select array_agg(r.endpoint_id order by r.rank), array_agg(r.similarity order by r.rank) into v_ids, v_found
    from internal.rank_endpoints(v_texts, v_similarities, c_min_similarity, p_host, p_min_score, p_limit) r;
    exit when v_fetch is null or v_fetched < v_fetch or v_similarities[v_fetched] < c_min_similarity
      or (cardinality(v_ids) = p_limit and floor(100 * v_similarities[v_fetched]) < floor(100 * v_found[p_limit]));
    v_is_exact := v_is_exact or v_fetch >= c_max_fetch;
    v_fetch := case when v_fetch < c_max_fetch then least(4 * v_fetch, c_max_fetch) end;
  end loop;

  return query
  select u.endpoint_id, u.similarity, u.position::integer
  from unnest(v_ids, v_found) with ordinality as u (endpoint_id, similarity, position);
end;
$$;

-- Returns the p_limit best listed endpoints for a query, like internal.find_neighbors. Of the similarities to the query
-- and to its expansion, the greater one counts.
create function internal.find_matches(
  p_model text, p_embedding extensions.vector, p_expansion extensions.vector, p_limit integer
)
returns table (endpoint_id text, similarity numeric, rank integer)
language plpgsql stable
set plan_cache_mode = force_custom_plan
as $$
declare
  v_texts text[];
  v_similarities numeric[];
begin
  if p_expansion is null then
    return query select * from internal.find_neighbors(p_model, p_embedding, null, null, null, p_limit);
    return;
  end if;
  -- Each of the best endpoints is among the best of the embedding to which it is more similar.
  select array_agg(t.text_hash), array_agg(t.similarity) into v_texts, v_similarities
  from (
    select x.text_hash, max(n.similarity) as similarity
    from unnest(array[p_embedding, p_expansion]) as v (embedding)
    cross join lateral internal.find_neighbors(p_model, v.embedding, null, null, null, p_limit) n
    join public.explore_entries x on x.endpoint_id = n.endpoint_id
    group by x.text_hash
  ) t;
  return query select * from internal.rank_endpoints(v_texts, v_similarities, 0.5, null, null, p_limit);
end;
$$;

-- Returns { isComplete, matches }: the p_limit best endpoints for the embedding of a query and of its expansion, best
-- first. An endpoint
-- with the grade '?' has no score, grade and confidence. For `isComplete` see internal.is_search_complete.
create function public.search_by_embedding(
  p_model text, p_embedding extensions.vector, p_limit integer, p_expansion extensions.vector default null
)
returns jsonb
language sql stable
set statement_timeout = '5s'
as $$
  select jsonb_build_object(
    'isComplete', internal.is_search_complete(p_model),
    'matches', coalesce(jsonb_agg(jsonb_build_object(
      'endpointId', s.endpoint_id, 'slug', s.slug, 'resource', s.resource,
      'score', case when s.grade <> '?' then s.score end, 'grade', nullif(s.grade, '?'),
      'confidence', case when s.grade <> '?' then s.confidence end, 'similarity', n.similarity,
      'description', s.description
    ) order by n.rank), '[]')
  )
  from internal.find_matches(p_model, p_embedding, p_expansion, p_limit) n
  join public.snapshots s on s.endpoint_id = n.endpoint_id;
$$;

-- Returns the best alternatives to an endpoint: { subject, isEmbedded, isComplete, withinDelta, alternatives }.
-- `subject` contains values of the public snapshot of the endpoint; null without such a snapshot. `isEmbedded` is false
-- if the text of the subject has no embedding. In both cases, no alternatives are returned. `withinDelta`: number of
-- alternatives whose score is at least the score of the subject, at most p_max_within.
create function public.alternatives_to(
  p_model text, p_endpoint_id text, p_min_score_delta double precision, p_limit integer, p_max_within integer
)
returns jsonb
language plpgsql stable
set statement_timeout = '5s'
as $$
declare
  v_subject public.snapshots;
  v_text public.search_texts;
  -- The numeric type adds decimal fractions exactly.
  v_min_score double precision;
  v_limit constant integer := greatest(p_limit, p_max_within);
  v_ids text[];
  v_similarities numeric[];
  v_within integer;
begin
  select * into v_subject from public.snapshots s where s.endpoint_id = p_endpoint_id and s.public;
  select * into v_text from public.search_texts t where t.text_hash = v_subject.text_hash and t.model = p_model;
  v_min_score := (v_subject.score::numeric + p_min_score_delta::numeric)::double precision;
  if v_text.job is not null then
    select array_agg(n.endpoint_id order by n.rank), array_agg(n.similarity order by n.rank), count(*)
    into v_ids, v_similarities, v_within
    from internal.find_neighbors(
      p_model, v_text.embedding, v_text.job, v_subject.host, v_subject.score, v_limit
    ) n;
    -- These endpoints contain all alternatives, or at least the best p_limit. Otherwise the alternatives are searched.
    if v_within = v_limit and p_limit > (
      select count(*) from public.snapshots s where s.endpoint_id = any (v_ids) and s.score >= v_min_score
    ) then
      select array_agg(n.endpoint_id order by n.rank), array_agg(n.similarity order by n.rank)
      into v_ids, v_similarities
      from internal.find_neighbors(p_model, v_text.embedding, v_text.job, v_subject.host, v_min_score, p_limit) n;
    end if;
  end if;
  return jsonb_build_object(
    'subject', case when v_subject.endpoint_id is not null then jsonb_build_object(
      'endpointId', v_subject.endpoint_id, 'slug', v_subject.slug, 'resource', v_subject.resource,
      'serviceName', v_subject.service_name, 'description', v_subject.description, 'score', v_subject.score,
      'grade', v_subject.grade, 'recommendation', v_subject.recommendation
    ) end,
    'isEmbedded', v_text.embedding is not null,
    'isComplete', internal.is_search_complete(p_model),
    'withinDelta', least(coalesce(v_within, 0), p_max_within),
    'alternatives', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'endpointId', s.endpoint_id, 'slug', s.slug, 'resource', s.resource, 'score', s.score, 'grade', s.grade,
        'recommendation', s.recommendation, 'confidence', s.confidence, 'similarity', s.similarity,
        'amountUsd', s.amount_usd, 'network', s.network
      ) order by s.rank), '[]')
      from (
        select n.*, u.similarity, u.rank
        from unnest(v_ids, v_similarities) with ordinality as u (endpoint_id, similarity, rank)
        join public.snapshots n on n.endpoint_id = u.endpoint_id
        where n.score >= v_min_score
        order by u.rank limit p_limit
      ) s
    )
  );
end;
$$;

-- Counts the better alternatives of up to p_limit endpoints. A better alternative is an alternative as in
-- internal.find_neighbors whose score is higher by at least p_min_score_delta. Selects endpoints that were not counted yet or whose count is at least
-- p_max_age_seconds old. Endpoints whose text has no embedding are not counted. A count ends at p_max. After two
-- seconds, no further endpoint is counted, so that slow counts are stored too. Returns the number of counted endpoints
-- and the ids of the endpoints whose count changed.
-- Counted rows are locked only at the end and without waiting. A row that is locked by another transaction, or whose
-- snapshot changed in the meantime, is counted again in the next run. So this function cannot cause a deadlock.
create function public.count_alternatives(
  p_now timestamptz, p_model text, p_max_age_seconds integer, p_min_score_delta double precision, p_max integer,
  p_limit integer
)
returns table (counted integer, changed text[])
language plpgsql
as $$
declare
  v_started_at timestamptz := clock_timestamp();
  v_picked record;
  v_counted jsonb := '[]';
begin
  for v_picked in
    select s.endpoint_id, s.host, s.score, s.recommendation, s.alternatives_counted_at, t.text_hash, t.embedding, t.job
    from public.snapshots s join public.search_texts t on t.text_hash = s.text_hash and t.model = p_model
    where s.public
      and (s.alternatives_counted_at is null
        or s.alternatives_counted_at <= p_now - make_interval(secs => p_max_age_seconds))
    order by s.alternatives_counted_at nulls first, s.endpoint_id limit p_limit
  loop
    v_counted := v_counted || jsonb_build_object(
      'endpoint_id', v_picked.endpoint_id, 'text_hash', v_picked.text_hash, 'score', v_picked.score,
      'recommendation', v_picked.recommendation, 'alternatives_counted_at', v_picked.alternatives_counted_at,
      'alternatives', (
        select count(*) from internal.find_neighbors(
          p_model, v_picked.embedding, v_picked.job, v_picked.host,
          (v_picked.score::numeric + p_min_score_delta::numeric)::double precision, p_max
        )
      )
    );
    exit when clock_timestamp() - v_started_at > interval '2 seconds';
  end loop;

  with locked as (
    select s.endpoint_id, c.alternatives
    from jsonb_to_recordset(v_counted) as c (
      endpoint_id text, text_hash text, score double precision, recommendation text,
      alternatives_counted_at timestamptz, alternatives integer
    )
    join public.snapshots s on s.endpoint_id = c.endpoint_id
    where s.alternatives_counted_at is not distinct from c.alternatives_counted_at
      and (s.text_hash, s.score, s.recommendation) = (c.text_hash, c.score, c.recommendation)
    for update of s skip locked
  ),
  stored as (
    update public.snapshots s set
      better_alternatives = l.alternatives, alternatives_counted_at = p_now,
      content_changed_at =
        case when s.better_alternatives is distinct from l.alternatives then p_now else s.content_changed_at end
    from locked l, public.snapshots b
    where s.endpoint_id = l.endpoint_id and b.endpoint_id = l.endpoint_id
    returning s.endpoint_id, s.better_alternatives is distinct from b.better_alternatives as is_changed
  )
  select count(*)::integer, coalesce(array_agg(t.endpoint_id order by t.endpoint_id) filter (where t.is_changed), '{}')
  into counted, changed from stored t;
  return next;
end;
$$;

-- Time after which a search by words compares no further word if it has a query, in milliseconds. The embedded database, which
-- Emscripten (emcc) compiled, has one session, which every purchase uses, and no timer that could end a statement.
create function internal.max_word_search_ms()
returns integer
language sql stable
as $$ select case when version() like '% emcc %' then 50 else 200 end $$;

-- Returns up to five words that contain the given word or have a similar spelling, the most similar first. The settings
-- select the trigram index. Without them the planner compares all words, because it takes an operator of an extension
-- for cheap. On the embedded database, such a comparison takes 17 ms with 10,000 words, and 200 ms with 100,000 words.
create function internal.find_similar_words(p_word text)
returns text[]
language plpgsql stable
set plan_cache_mode = force_custom_plan
set enable_seqscan = off
set enable_indexscan = off
set enable_indexonlyscan = off
as $$
begin
  return array(
    select w.word from public.search_words w
    where w.word operator(extensions.%) p_word or w.word like '%' || p_word || '%'
    order by w.word like '%' || p_word || '%' desc, extensions.similarity(w.word, p_word) desc, w.word
    limit 5
  );
end;
$$;

-- Returns a full-text query for endpoints with similar words. For each compared word, an endpoint must have one of its
-- similar words. At most five words are compared: words that no endpoint has in its host, path or name first, then the
-- longest words. Words without a similar word are left out. After internal.max_word_search_ms(), no further word is
-- compared if one of the words has a similar word. Returns null if no word is left.
create function internal.to_similar_query(p_words text[])
returns tsquery
language plpgsql stable
set plan_cache_mode = force_custom_plan
as $$
declare
  c_ends_at constant timestamptz := clock_timestamp() + make_interval(secs => internal.max_word_search_ms() / 1000.0);
  v_word text;
  v_similar text[];
  v_query tsquery;
begin
  for v_word in
    select u.word
    from unnest(p_words) with ordinality as u (word, position)
    where char_length(u.word) >= 3
    group by u.word
    order by exists (select 1 from public.search_words w where w.word = u.word), char_length(u.word) desc,
      min(u.position)
    limit 5
  loop
    exit when v_query is not null and clock_timestamp() >= c_ends_at;
    v_similar := internal.find_similar_words(v_word);
    if cardinality(v_similar) > 0 then
      v_query := coalesce(v_query && internal.to_word_query(v_similar), internal.to_word_query(v_similar));
    end if;
  end loop;
  return v_query;
end;
$$;
