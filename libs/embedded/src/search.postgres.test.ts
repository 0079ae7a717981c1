import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPostgres, startPostgres, type RealPostgres } from './testing/postgres.ts';
import type { Session } from './testing/psql-session.ts';

/** Folder of PostgreSQL's programs. The plans of the embedded database can differ from those of a server. */
const bin = findPostgres();
const NOW = `'2026-11-01T00:00:00Z'::timestamptz`;
const TEXTS = 2000;

/** SQL that stores endpoints, each with its own text and a vector. The score of endpoint n is 90 − n / 100. */
const DATA = `
  create temp table numbers as
  select n, 'aaaa' || translate(lpad(n::text, 6, '0'), '0189', 'abcd') as id from generate_series(1, ${TEXTS}) n;
  insert into search_texts (text_hash, text, model, embedding)
  select id, id, 'space', (
    select array_agg(sin(n * i) + case when i = 1 then 13 else 0 end)::extensions.vector from generate_series(1, 384) i
  ) from numbers;
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

describe.skipIf(bin === null)(
  bin === null ? 'search (skipped: no PostgreSQL found)' : 'search in PostgreSQL',
  () => {
    let postgres: RealPostgres;
    let sessions: readonly [Session, Session];
    let hasPgvector = false;
    beforeAll(async () => {
      postgres = await startPostgres(bin ?? '');
      sessions = [await postgres.session(), await postgres.session()];
      const [extension] = await sessions[0].rows(`select 1 from pg_extension where extname = 'vector'`);
      hasPgvector = extension !== undefined;
      if (hasPgvector) await sessions[0].exec(DATA);
    }, 120_000);
    afterAll(async () => {
      for (const session of sessions) await session.close();
      await postgres.stop();
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
      cross join lateral internal.find_neighbors('space', t.embedding, null, null, 25) n
      where t.text_hash = '${text}' order by n.rank`);
    const selectScan = (max: number) =>
      sessions[0].exec(`
      create or replace function internal.max_exact_texts() returns integer language sql immutable
      set search_path = '' as $$ select ${max} $$`);

    it('reads the HNSW index above the maximum of the exact search, with nearly the same result', async ({
      skip,
    }) => {
      skip(!hasPgvector, 'pgvector is not installed');
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

    it('counts alternatives without waiting for locked snapshots', async ({ skip }) => {
      skip(!hasPgvector, 'pgvector is not installed');
      const [one, other] = sessions;
      const count = () =>
        one.rows(`select counted, changed from count_alternatives(${NOW}, 'space', 86400, 5, 3)`);
      const ids = await one.rows('select endpoint_id as id from snapshots order by 1 limit 3');
      const [first, second, third] = ids.map((row) => row['id']);
      await other.exec('begin');
      await other.exec(`select 1 from snapshots where endpoint_id = '${String(second)}' for update`);
      expect(await count()).toEqual([{ counted: 2, changed: [first, third] }]);
      await other.exec('commit');
      expect((await count())[0]?.['changed']).toContain(second);
    });
  },
);
