import { beforeAll, describe, expect, it } from 'vitest';
import type { Session } from '@touchstone/embedded/testing/postgres';
import { server, useSharedDatabase } from '../testing/postgres/shared-database.ts';

const NOW = `'2026-11-01T00:00:00Z'::timestamptz`;
const TEXTS = 2000;
/** SQL that stores endpoints, each with its own text and a vector. The score of endpoint n is 90 − n / 100. */
const DATA = `
  create temp table numbers as
  select n, 'aaaa' || translate(lpad(n::text, 6, '0'), '0189', 'abcd') as id from generate_series(1, ${TEXTS}) n;
  insert into search_texts (text_hash, text, model, embedding, job)
  select id, id, 'space', (
    select array_agg(sin(n * i) + case when i = 1 then 13 else 0 end)::extensions.vector from generate_series(1, 384) i
  ), 'job' from numbers;
  insert into endpoints (id, resource, host, slug, templated, first_seen_at)
  select id, id, id, id, false, ${NOW} from numbers;
  insert into endpoint_states (endpoint_id) select id from endpoints;
  insert into snapshots (
    endpoint_id, slug, resource, host, templated, score, score_low, score_high, grade, recommendation, confidence,
    probes_30d, pay_on, first_seen, listing_status, computed_at, content_hash, content_changed_at, days_tracked,
    error_flags, warning_flags, text_hash
  )
  select id, id, id, id, false, 90 - n / 100.0, 90, 90, 'A', 'proceed', 1, 1, '[]', ${NOW}, 'listed', ${NOW}, 'hash', ${NOW}, 1,
    0, 0, id
  from numbers;
  analyze`;

describe.skipIf(server === '')('search in PostgreSQL', () => {
  const shared = useSharedDatabase();
  let sessions: readonly [Session, Session, Session];
  beforeAll(async () => {
    sessions = [shared.admin, await shared.open(), await shared.open()];
    await shared.admin.exec(DATA);
  });

  const countIndexScans = async (): Promise<unknown> => {
    await sessions[0].exec('select pg_stat_force_next_flush()');
    const [row] = await sessions[1].rows(
      `select idx_scan as scans from pg_stat_user_indexes where indexrelname = 'search_texts_embedding'`,
    );
    return row?.['scans'];
  };
  const search = (text: string) =>
    sessions[0].rows(`
      select n.endpoint_id, n.similarity, n.rank from search_texts t
      cross join lateral internal.find_neighbors('space', t.embedding, null, null, null, 25) n
      where t.text_hash = '${text}' order by n.rank`);
  const selectScan = (max: number) =>
    sessions[0].exec(`
      create or replace function internal.max_exact_texts() returns integer language sql immutable
      set search_path = '' as $$ select ${max} $$`);

  it('reads the HNSW index above the maximum of the exact search, with nearly the same result', async () => {
    const text = 'aaaaaab422';
    await selectScan(TEXTS);
    const before = await countIndexScans();
    const exact = await search(text);
    expect(await countIndexScans()).toBe(before);
    await selectScan(TEXTS - 1);
    const found = await search(text);
    expect(await countIndexScans()).toBeGreaterThan(Number(before));
    expect(exact).toHaveLength(25);
    // The graph of the index is random, so a search may miss a text.
    const ids = new Set(exact.map((row) => row['endpoint_id']));
    expect(found.filter((row) => ids.has(row['endpoint_id'])).length).toBeGreaterThanOrEqual(24);
  });

  it('counts alternatives without waiting for locked snapshots', async () => {
    const [one, other] = sessions;
    const count = () =>
      one.rows(`select counted, changed from count_alternatives(${NOW}, 'space', 86400, 5, 10, 3)`);
    const ids = await one.rows('select endpoint_id as id from snapshots order by 1 limit 3');
    const [first, second, third] = ids.map((row) => row['id']);
    await other.exec('begin');
    await other.exec(`select 1 from snapshots where endpoint_id = '${String(second)}' for update`);
    expect(await count()).toEqual([{ counted: 2, changed: [first, third] }]);
    await other.exec('commit');
    expect((await count())[0]?.['changed']).toContain(second);
  });

  /** Changed columns of a snapshot, and its new text. */
  type Change = Readonly<Record<string, unknown>> & { readonly search?: object | null };
  /** Returns the SQL that saves the snapshot of an endpoint with changes, in the same way as the scoring job. */
  const save = (at: string, id: string, { search = null, ...change }: Change = {}) => `
      select * from save_snapshots(${at}, (
        select jsonb_build_array(jsonb_build_object(
          'snapshot', to_jsonb(s) - '{content_changed_at,better_alternatives,alternatives_counted_at}'::text[]
            || '${JSON.stringify({ ...change, ...search })}', 'revision', 0,
          'detail', '{"scoringVersion": "1", "inputs": {}, "facts": {}}'::jsonb
        ) || '${JSON.stringify({ search })}')
        from snapshots s where s.endpoint_id = '${id}'
      ))`;
  const readSnapshot = async (id: string) => {
    const [row] = await sessions[2].rows(
      `select better_alternatives, alternatives_counted_at, content_changed_at, score from snapshots where endpoint_id = '${id}'`,
    );
    return row;
  };

  it('keeps the time of a count when a snapshot is saved at the same time', async () => {
    const [one, other] = sessions;
    const id = 'aaaaaab444';
    await one.exec(`update snapshots set alternatives_counted_at = ${NOW} where endpoint_id <> '${id}'`);
    await one.exec('begin');
    const later = `${NOW} + interval '1 hour'`;
    await one.exec(`select * from count_alternatives(${later}, 'space', 86400, 5, 10, 1)`);
    const saving = other.exec(save(`${NOW} + interval '2 hours'`, id));
    await shared.expectLockWaits();
    await one.exec('commit');
    await saving;
    const time = '2026-11-01T01:00:00+00:00';
    expect(await readSnapshot(id)).toMatchObject({
      better_alternatives: expect.any(Number) as number,
      alternatives_counted_at: time,
      content_changed_at: time,
    });
  });

  it('does not store a count of a snapshot that changed during the count', async () => {
    const [one, other] = sessions;
    const id = 'aaaaaab445';
    await one.exec(`
        update snapshots set alternatives_counted_at = nullif(${NOW}, case when endpoint_id = '${id}' then ${NOW} end);
        alter function internal.rank_endpoints rename to rank_unlocked;
        create function internal.rank_endpoints(text[], numeric[], numeric, text, double precision, integer)
        returns table (endpoint_id text, similarity numeric, rank integer) language plpgsql as $$
          begin
            perform pg_advisory_xact_lock(1);
            return query select * from internal.rank_unlocked($1, $2, $3, $4, $5, $6);
          end $$;
        select pg_advisory_lock(1)`);
    const counting = other.rows(`select counted from count_alternatives(${NOW}, 'space', 86400, 5, 10, 1)`);
    await shared.expectLockWaits();
    await one.exec(save(`${NOW} + interval '3 hours'`, id, { score: 11 }));
    await one.exec('select pg_advisory_unlock(1)');
    expect(await counting).toEqual([{ counted: 0 }]);
    expect(await readSnapshot(id)).toMatchObject({ score: 11, alternatives_counted_at: null });
    await one.exec(`
        drop function internal.rank_endpoints;
        alter function internal.rank_unlocked rename to rank_endpoints`);
  });

  it('keeps a text and a word that a snapshot uses again during the deletion', async () => {
    const [one, other] = sessions;
    await one.exec(`
        insert into search_texts (text_hash, text) values ('reused', 'reused'), ('unused', 'unused');
        insert into search_words values ('reused'), ('unused')`);
    await one.exec('begin');
    const search = { text_hash: 'reused', text: 'reused', described: true };
    await one.exec(save(`${NOW} + interval '4 hours'`, 'aaaaaab446', { service_name: 'reused', search }));
    const deleting = other.rows('select delete_unused_texts(1000) as deleted');
    await shared.expectLockWaits();
    await one.exec('commit');
    // The previous text of the endpoint was in use when the deletion began.
    expect(await deleting).toEqual([{ deleted: 1 }]);
    expect(
      await one.rows(`
          select text_hash as kept from search_texts where text_hash in ('reused', 'unused')
          union all select word from search_words where word in ('reused', 'unused')`),
    ).toEqual([{ kept: 'reused' }, { kept: 'reused' }]);
  });

  it('reads pending texts without reading the whole tables', async () => {
    const [one] = sessions;
    await one.exec(`
        insert into search_texts (text_hash, text)
        select 'pending ' || n, 'pending' from generate_series(1, 2000) n;
        update snapshots s set text_hash = 'pending ' || n.n from numbers n where n.id = s.endpoint_id and n.n > 10;
        analyze`);
    const pending = (model: string) =>
      one.rows(`select text_hash from pending_search_texts('${model}', ${NOW}, 5)`);
    const countScans = async () => {
      // Makes the server add the table counts of both sessions now, so that it does not add them later.
      for (const session of sessions) await session.exec('select pg_stat_force_next_flush()');
      return sessions[1].rows(`
          select relname, seq_scan from pg_stat_user_tables where relname in ('search_texts', 'snapshots') order by 1`);
    };
    const before = await countScans();
    expect(await pending('space')).toHaveLength(5);
    expect(await pending('other')).toHaveLength(5);
    expect(await countScans()).toEqual(before);
  });
});
