-- Unused texts and words: words are deleted without the trigram index.

-- Deletes up to p_limit texts that no snapshot uses, and up to p_limit words that no endpoint has. Returns the number of
-- deleted texts. The rows are found without a lock. The lock then waits for concurrent calls of save_snapshots, so no text
-- or word is deleted that such a call needs.
create or replace function public.delete_unused_texts(p_limit integer)
returns integer
language plpgsql
set search_path = ''
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
  -- The join prevents the use of the trigram index, whose search for one word reads thousands of similar ones.
  delete from public.search_words w using unnest(v_words) u (word)
  where w.word = u.word and not exists (
    select 1 from public.search_documents d where d.words @@ internal.to_word_query(array[w.word], 'A')
  );
  return v_deleted;
end;
$$;
