-- Search tables: texts with their embeddings, and the words of each endpoint.

create extension if not exists pg_trgm with schema extensions;
-- Functions run with the rights of the caller, so the caller needs the types and operators of the extensions.
grant usage on schema extensions to service_role;

-- Texts to embed: one row for each distinct text. Many endpoints have the same text, so each vector is computed and
-- indexed only once.
create table public.search_texts (
  text_hash text collate "C" primary key,
  text text not null,
  -- Id of the vector space of the embedding. Vectors of different spaces are never compared. Null before the text is
  -- embedded.
  model text collate "C",
  embedding extensions.vector(384),
  -- Time at which the embedder refused the text; null otherwise.
  refused_at timestamptz,
  check ((model is null) = (embedding is null))
);
-- Embeddings are stored in the row also beside a long text, because reading them from another page takes longer than
-- comparing them.
alter table public.search_texts alter column embedding set storage plain;
create index search_texts_model on public.search_texts (model, text_hash);
-- With the default ef_construction of 64, one search in 50 misses a group of similar texts (npm run bench:search).
create index search_texts_embedding on public.search_texts using hnsw (embedding extensions.vector_cosine_ops)
  with (ef_construction = 128);

-- Words of each endpoint for the search by words. They are not part of the snapshots, because a snapshot is updated up
-- to 48 times a day, and each update would write to the GIN index. `words`: words of the host, path and service name
-- (weight A) and of the description (weight B).
create table public.search_documents (
  endpoint_id text collate "C" primary key references public.endpoints (id) on delete cascade,
  words tsvector not null
);
-- Without a list of pending entries, a search is as fast before a vacuum as after it.
create index search_documents_words on public.search_documents using gin (words) with (fastupdate = off);

-- Distinct words of hosts, paths and service names. Words with a similar spelling are found here: comparing a query with
-- these words takes a few milliseconds, and comparing it with 100,000 endpoints takes a second.
create table public.search_words (
  word text collate "C" primary key
);
create index search_words_trigrams on public.search_words using gin (word extensions.gin_trgm_ops);

alter table public.search_texts enable row level security;
alter table public.search_documents enable row level security;
alter table public.search_words enable row level security;
revoke all on public.search_texts, public.search_documents, public.search_words from anon, authenticated;
grant all on public.search_texts, public.search_documents, public.search_words to service_role;

-- `text_hash`: text in `search_texts`; null if the endpoint has no text. `described`: the text contains a description; null
-- until the endpoint is scored for the first time after this migration. `alternatives_counted_at`: time of the count in `better_alternatives`;
-- null if the alternatives must be counted again.
alter table public.snapshots
  add column text_hash text collate "C",
  add column described boolean,
  add column alternatives_counted_at timestamptz;

-- Endpoints of each text in the order of search results. An endpoint with the grade '?' has no score in the results.
create index snapshots_text on public.snapshots (
  text_hash, public, listing_status, (case when grade <> '?' then score end) desc nulls last, described desc, endpoint_id
);
create index snapshots_without_text on public.snapshots (endpoint_id) where public and described is null;
-- Possible alternatives by their score.
create index snapshots_recommendable on public.snapshots (score)
  where public and listing_status = 'listed' and recommendation <> 'avoid' and grade <> '?';
create index snapshots_alternatives_counted on public.snapshots (alternatives_counted_at nulls first, endpoint_id)
  where public and text_hash is not null;

-- The scoring job scores all endpoints again and stores their texts. The due time is the time of the last score,
-- because migrations do not use the clock of the database.
insert into public.scoring_queue (endpoint_id, due_at)
select s.endpoint_id, s.computed_at from public.snapshots s
on conflict do nothing;
