import { beforeAll, describe, expect, it } from 'vitest';
import { formatLiteral, type Session } from '@touchstone/embedded/testing/postgres';
import { server, useSharedDatabase } from '../testing/postgres/shared-database.ts';
import { formatEndpointInsert, formatSnapshotInsert } from '../testing/postgres/snapshot-rows.ts';
import { at } from '../testing/postgres/sql-time.ts';

/** Number of rounds. In each round, two connections store the same challenges at the same time. */
const ROUNDS = 8;
const NOW = `'2026-11-01T00:00:00Z'::timestamptz`;

describe.skipIf(server === '')('connections to PostgreSQL', () => {
  const shared = useSharedDatabase();
  let sessions: readonly [Session, Session];
  beforeAll(async () => {
    sessions = [shared.admin, await shared.open()];
  });

  it('claim different endpoints for scoring without waiting for each other', async () => {
    const [one, other] = sessions;
    await one.exec(`
        insert into endpoints (id, resource, host, slug, templated, first_seen_at)
        select id, id, 'h', id, false, ${NOW}
        from (select 'aaaa' || translate(lpad(g::text, 6, '0'), '0189', 'abcd') as id from generate_series(1, 400) g) i;
        insert into endpoint_states (endpoint_id) select id from endpoints;
        insert into scoring_queue (endpoint_id, due_at) select id, ${NOW} from endpoints`);
    const claimBatch = (session: Session) => session.rows(`select * from claim_scores(${NOW}, 60, 150)`);
    // The first connection holds its locks until its commit, so the second connection skips the locked rows and claims
    // other rows.
    await one.exec('begin');
    const claimed = [await claimBatch(one), await claimBatch(other)].flat();
    await one.exec('commit');
    const rest = await claimBatch(other);
    const ids = [...claimed, ...rest].flatMap((row) => row['endpoint_ids']);
    expect([...claimed, ...rest].map((row) => row['has_more'])).toEqual([true, true, false]);
    expect(ids).toHaveLength(400);
    expect(new Set(ids).size).toBe(400);
  });

  it('hide an endpoint that is removed while its first score is being stored', async () => {
    const [one, other] = sessions;
    await one.exec(formatEndpointInsert('removed222'));
    await one.exec(`begin; ${formatSnapshotInsert('removed222')}`);
    const removing = other.exec(`update endpoints set removed_at = ${NOW} where id = 'removed222'`);
    await shared.expectLockWaits();
    await one.exec('commit');
    await removing;
    expect(await one.rows(`select public from snapshots where endpoint_id = 'removed222'`)).toEqual([
      { public: false },
    ]);
    expect(await one.rows(`select 1 from explore_entries where endpoint_id = 'removed222'`)).toEqual([]);
    expect(await one.rows(`select 1 from scoring_queue where endpoint_id = 'removed222'`)).toHaveLength(1);
  });

  it('refresh the ecosystem totals one at a time, and read the stored totals meanwhile', async () => {
    const [one, other] = sessions;
    const reader = await shared.open();
    await reader.exec(`set role anon; set statement_timeout = '3s'`);
    await other.exec(`set statement_timeout = '3s'`);
    const refresh = (session: Session) => session.rows('select refresh_ecosystem() as changed');
    const read = () =>
      reader.rows(`select ecosystem() -> 'endpoints' as endpoints, xmin::text from ecosystem_totals`);
    await refresh(one);
    const [stored] = await read();
    const endpoints = Number(stored?.['endpoints']);
    await one.exec(`${formatEndpointInsert('totals2222')} ${formatSnapshotInsert('totals2222')}`);
    // The open transaction holds the lock of the stored row until its commit.
    await one.exec('begin');
    expect(await refresh(one)).toEqual([{ changed: true }]);
    // If the refresh did not skip the locked row, it would also count this endpoint.
    await other.exec(`${formatEndpointInsert('totals3333')} ${formatSnapshotInsert('totals3333')}`);
    expect(await refresh(other)).toEqual([{ changed: false }]);
    expect(await read()).toEqual([stored]);
    await one.exec('commit');
    expect(await read()).toMatchObject([{ endpoints: endpoints + 1 }]);
    expect(await refresh(other)).toEqual([{ changed: true }]);
    expect(await read()).toMatchObject([{ endpoints: endpoints + 2 }]);
    await other.exec('reset statement_timeout');
  });

  it('store the same challenges in any order without deadlock, even if one cannot be stored', async () => {
    const big = 'x'.repeat(20_000);
    const good = (hash: string) => ({ hash, version: 2, challenge: JSON.stringify({ big }) });
    const bad = { hash: 'bad', version: 2, challenge: '{"a":"\\u0000"}' };
    const errors: string[] = [];
    const storeAll = (session: Session, challenges: readonly object[]) =>
      session
        .rows(`select store_challenges(${NOW}, ${formatLiteral(JSON.stringify(challenges))}::jsonb)`)
        .catch((error: unknown) => errors.push(String(error)));
    for (let round = 0; round < ROUNDS; round += 1) {
      const some = Array.from({ length: 60 }, (_, i) => good(`${round}-${String(i).padStart(3, '0')}`));
      const [one, other] = sessions;
      await Promise.all([storeAll(one, [...some, bad]), storeAll(other, [...some].reverse().concat(bad))]);
    }
    expect(errors).toEqual([]);
    const [stored] = await sessions[0].rows('select count(*)::integer as count from challenges');
    expect(stored).toEqual({ count: ROUNDS * 60 });
  });
});

const toItem = (id: string) => ({
  id,
  resource: `https://${id}.test/`,
  probeUrl: `https://${id}.test/`,
  host: `${id}.test`,
  slug: id,
  templated: false,
  method: 'GET',
  options: [],
  version: 2,
  intervalSeconds: 1800,
  offsetSeconds: 0,
  scheduled: true,
  tags: ['new'],
});

/** Records a page with endpoints for the latest run of a directory. */
const toRecordListings = (directory: string, ids: readonly string[]): string => `
  select n.listed, n.relisted from discovery_runs r cross join lateral record_listings(r.id, ${at(0)},
    jsonb_build_object('offset', r.next_offset, 'nextOffset', r.next_offset + 1, 'items', 1, 'duplicates', 0,
      'rejected', 0, 'rejects', '[]'::jsonb),
    ${formatLiteral(JSON.stringify(ids.map(toItem)))}) n where r.directory = '${directory}'`;

describe.skipIf(server === '')('directories on PostgreSQL', () => {
  const shared = useSharedDatabase();

  it('waits for a directory that adds the same endpoint, without holding locks of other endpoints', async () => {
    for (const directory of ['one', 'two'])
      await shared.admin.exec(`select * from start_discovery('${directory}', ${at(0)})`);
    const [fresh, known] = ['aaaaaaaaaa', 'bbbbbbbbbb'];
    await shared.admin.exec(toRecordListings('one', [known]));
    const [one, two] = [await shared.open(), await shared.open()];
    await one.exec('begin');
    await one.exec(toRecordListings('one', [fresh]));
    const second = two.rows(toRecordListings('two', [fresh, known]));
    await shared.expectLockWaits();
    await one.exec(toRecordListings('one', [known]));
    await one.exec('commit');
    // The endpoint was first listed by the other directory.
    expect(await second).toEqual([{ listed: 0, relisted: 0 }]);
    expect(
      await shared.admin.rows(`select s.endpoint_id as id, s.revision, count(l.*)::int as listings
          from endpoint_states s join listings l using (endpoint_id) group by 1, 2 order by 1`),
    ).toEqual([
      { id: fresh, revision: 2, listings: 2 },
      { id: known, revision: 2, listings: 2 },
    ]);
  });
});
