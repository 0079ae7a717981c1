import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPostgres, startPostgres, type RealPostgres } from './testing/postgres.ts';
import { literal, type Session } from './testing/psql-session.ts';

/** What several connections do to each other: on a PostgreSQL server, because the embedded database has one. */
const bin = findPostgres();
const NOW = `'2026-11-01T00:00:00Z'::timestamptz`;

describe.skipIf(bin === null)(
  bin === null ? 'connections (skipped: no PostgreSQL found)' : 'connections to PostgreSQL',
  () => {
    let postgres: RealPostgres;
    let sessions: readonly [Session, Session];
    beforeAll(async () => {
      postgres = await startPostgres(bin ?? '');
      sessions = [await postgres.session(), await postgres.session()];
    }, 120_000);
    afterAll(async () => {
      for (const session of sessions) await session.close();
      await postgres.stop();
    });

    it('that take what is to be scored at once share it, and wait for each other nowhere', async () => {
      const [one, other] = sessions;
      await one.exec(`
        insert into endpoints (id, resource, host, slug, templated, first_seen_at)
        select id, id, 'h', id, false, ${NOW}
        from (select 'aaaa' || translate(lpad(g::text, 6, '0'), '0189', 'abcd') as id from generate_series(1, 400) g) i;
        insert into endpoint_states (endpoint_id) select id from endpoints;
        insert into scoring_queue (endpoint_id, due_at) select id, ${NOW} from endpoints`);
      const take = (session: Session) => session.rows(`select * from take_scores(${NOW}, 60, 150)`);
      // While one connection still holds what it took, the other takes the next ones.
      await one.exec('begin');
      const taken = [await take(one), await take(other)].flat();
      await one.exec('commit');
      const rest = await take(other);
      const ids = [...taken, ...rest].flatMap((row) => row['endpoint_ids']);
      expect([...taken, ...rest].map((row) => row['more'])).toEqual([true, true, false]);
      expect(ids).toHaveLength(400);
      expect(new Set(ids).size).toBe(400);
    });

    it('that store the same challenges in whatever order never deadlock, also where one cannot be stored', async () => {
      const big = 'x'.repeat(20_000);
      const good = (hash: string) => ({ hash, version: 2, challenge: JSON.stringify({ big }) });
      const bad = { hash: 'bad', version: 2, challenge: '{"a":"\\u0000"}' };
      const errors: string[] = [];
      const keep = (session: Session, challenges: readonly object[]) =>
        session
          .rows(`select keep_challenges(${NOW}, ${literal(JSON.stringify(challenges))}::jsonb)`)
          .catch((error: unknown) => errors.push(String(error)));
      for (let round = 0; round < 25; round += 1) {
        const some = Array.from({ length: 60 }, (_, i) => good(`${round}-${String(i).padStart(3, '0')}`));
        const [one, other] = sessions;
        await Promise.all([keep(one, [...some, bad]), keep(other, [...some].reverse().concat(bad))]);
      }
      expect(errors).toEqual([]);
      const [stored] = await sessions[0].rows('select count(*)::integer as count from challenges');
      expect(stored).toEqual({ count: 25 * 60 });
    }, 120_000);
  },
);
