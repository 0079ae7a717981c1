import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createSharedDatabase,
  formatLiteral,
  type Session,
  type SharedDatabase,
} from '@touchstone/embedded/testing/postgres';
import { at } from '../testing/postgres/sql-time.ts';

/** Host and port of the PostgreSQL server of this run. The embedded database has only one connection. */
const server = process.env['TEST_POSTGRES'] ?? '';

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
const toRecordTags = (directory: string, ids: readonly string[]): string => `
  select record_tags(r.id, ${formatLiteral(JSON.stringify(ids.map(toItem)))}) from discovery_runs r
  where r.directory = '${directory}'`;

describe.skipIf(server === '')('directories on PostgreSQL', () => {
  let shared: SharedDatabase;
  let admin: Session;
  beforeAll(async () => {
    shared = await createSharedDatabase(server);
    admin = await shared.open();
  });
  afterAll(async () => {
    await shared.close();
  });

  it('waits for a directory that adds the same endpoint, without holding locks of other endpoints', async () => {
    for (const directory of ['one', 'two'])
      await admin.exec(`select * from start_discovery('${directory}', ${at(0)})`);
    const [fresh, known] = ['aaaaaaaaaa', 'bbbbbbbbbb'];
    await admin.exec(toRecordListings('one', [known]));
    const [one, two] = [await shared.open(), await shared.open()];
    await one.exec('begin');
    await one.exec(toRecordListings('one', [fresh]));
    const second = two.rows(toRecordListings('two', [fresh, known]));
    await expect
      .poll(
        () =>
          admin.rows(
            "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
          ),
        {
          timeout: 30_000,
        },
      )
      .toHaveLength(1);
    await one.exec(toRecordTags('one', [fresh, known]));
    await one.exec('commit');
    // The endpoint was first listed by the other directory.
    expect(await second).toEqual([{ listed: 0, relisted: 0 }]);
    expect(
      await admin.rows(`select s.endpoint_id as id, s.revision, count(l.*)::int as listings
          from endpoint_states s join listings l using (endpoint_id) group by 1, 2 order by 1`),
    ).toEqual([
      { id: fresh, revision: 2, listings: 2 },
      { id: known, revision: 2, listings: 2 },
    ]);
    await Promise.all([one.close(), two.close()]);
  });
});
