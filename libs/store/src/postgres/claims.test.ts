import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createSharedDatabase,
  type Session,
  type SharedDatabase,
} from '@touchstone/embedded/testing/postgres';
import {
  claimSlots,
  insertEndpoints,
  recordProbes,
  selectIds,
  type Slot,
} from '../testing/postgres/probe-actions.ts';
import { at, toTime } from '../testing/postgres/sql-time.ts';

/** Host and port of the PostgreSQL server of this run. The embedded database has only one connection. */
const server = process.env['TEST_POSTGRES'] ?? '';

interface Worker {
  readonly session: Session;
  readonly owner: string;
}

describe.skipIf(server === '')('workers on PostgreSQL', () => {
  let shared: SharedDatabase;
  let admin: Session;
  beforeAll(async () => {
    shared = await createSharedDatabase(server);
    admin = await shared.open();
  });
  afterAll(async () => {
    await shared.close();
  });

  const insert = (prefix: string, count: number, host: string): Promise<string> =>
    insertEndpoints(admin, selectIds(prefix, count), host);
  const claim = ({ session, owner }: Worker, now: number, leaseSeconds = 60): Promise<readonly Slot[]> =>
    claimSlots(session, { owner, now, limit: 50, leaseSeconds });
  const record = ({ session, owner }: Worker, now: number, slots: readonly Slot[]) =>
    recordProbes(session, { owner, now }, slots);
  const openWorker = async (owner: string): Promise<Worker> => ({
    session: await shared.open(),
    owner,
  });
  const countDeadlocks = async (): Promise<unknown> =>
    (await admin.rows('select deadlocks from pg_stat_database where datname = current_database()'))[0]?.[
      'deadlocks'
    ];

  it('claims every slot once when several workers claim and record while endpoints are added', async () => {
    await insert('aaaa', 1500, '\'many-\' || (i.id collate "C")');
    await insert('bbbb', 300, "'crowded'");
    const workers = await Promise.all(['one', 'two', 'three'].map(openWorker));
    const claimed: string[] = [];
    let crowded = 0;
    await Promise.all([
      ...workers.map(async (worker) => {
        // The clock advances, so that rate-limited hosts can be claimed again. Each worker has a separate clock, so
        // the leases are long enough not to expire. The next test covers expired leases.
        for (let seconds = 601; seconds < 600 + 1700; seconds += 30) {
          const slots = await claim(worker, seconds, 7200);
          claimed.push(...slots.map((slot) => `${slot.endpoint_id} ${slot.slot_at}`));
          crowded += slots.filter((slot) => slot.host === 'crowded').length;
          expect(slots.filter((slot) => slot.host === 'crowded').length).toBeLessThanOrEqual(60);
          if (slots.length > 0) await record(worker, seconds, slots);
        }
      }),
      (async () => {
        for (let i = 0; i < 10; i += 1) await insert(`cc${'abcdefghij'[i] ?? ''}a`, 20, "'crowded'");
      })(),
    ]);
    expect(new Set(claimed).size).toBe(claimed.length);
    expect(claimed).toHaveLength(1500 + 300 + 200);
    expect(crowded).toBe(500);
    expect(await admin.rows('select count(*)::int as n from leases')).toEqual([{ n: 0 }]);
    expect(
      await admin.rows('select sum(probes)::int as n, sum(slots_due)::int as d from daily_rollups'),
    ).toEqual([{ n: 2000, d: 2000 }]);
    expect(await countDeadlocks()).toBe(0);
    await Promise.all(workers.map((worker) => worker.session.close()));
  });

  it('lets another worker claim the slots of a killed one after the lease expires, each once', async () => {
    await insert('dddd', 120, "'lost-' || i.id");
    const [victim, successor] = [await openWorker('victim'), await openWorker('successor')];
    const selectOwn = (slots: readonly Slot[]) => slots.filter((slot) => slot.endpoint_id.startsWith('dddd'));
    const held = selectOwn(await claim(victim, 601));
    expect(held).toHaveLength(50);
    // The worker is killed within a transaction that records its results, so PostgreSQL rolls back the transaction.
    await victim.session.exec('begin');
    await record(victim, 602, held);
    victim.session.kill();
    await expect
      .poll(
        () =>
          admin.rows(
            "select pid from pg_stat_activity where datname = current_database() and state = 'idle in transaction'",
          ),
        {
          timeout: 30_000,
        },
      )
      .toEqual([]);

    const others = [...selectOwn(await claim(successor, 603)), ...selectOwn(await claim(successor, 604))];
    expect(others).toHaveLength(70);
    expect(selectOwn(await claim(successor, 660))).toHaveLength(0);
    const reclaimed = selectOwn(await claim(successor, 662));
    expect(new Set(reclaimed.map((slot) => slot.endpoint_id))).toEqual(
      new Set(held.map((slot) => slot.endpoint_id)),
    );
    const [counts] = await record(successor, 663, [...others, ...reclaimed]);
    expect(counts).toMatchObject({ recorded: 120, dropped: 0 });
    await successor.session.close();
  });

  it('skips hosts that another worker has locked, without waiting', async () => {
    await insert('eeee', 5, "'locked'");
    await insert('ffff', 5, "'open-' || i.id");
    const [blocker, quick] = [await shared.open(), await openWorker('quick')];
    await blocker.exec(`begin; select 1 from host_queues where host = 'locked' for update`);
    // If the claim waited for the lock, it would never end, because the lock is kept until the claim has returned.
    const slots = await claim(quick, 601);
    expect(slots.filter((slot) => slot.endpoint_id.startsWith('ffff'))).toHaveLength(5);
    expect(slots.filter((slot) => slot.host === 'locked')).toHaveLength(0);
    await blocker.exec('rollback');
    expect((await claim(quick, 602)).filter((slot) => slot.host === 'locked')).toHaveLength(5);
    await Promise.all([blocker.close(), quick.session.close()]);
  });

  it('creates a missing day partition once when two workers record into it at the same time', async () => {
    await insert('gggg', 2, "'new-day-' || i.id");
    const workers = await Promise.all([openWorker('w0'), openWorker('w1')]);
    const day = 40 * 24 * 3600;
    const ids = ['ggggaaaaab', 'ggggaaaaa2'];
    await admin.exec(`update schedules set next_probe_at = ${at(day)} where endpoint_id like 'gggg%'`);
    await admin.exec(
      `insert into leases (endpoint_id, slot_at, owner, expires_at)
         select endpoint_id, ${at(day)}, case when endpoint_id = '${ids[0] ?? ''}' then 'w0' else 'w1' end, ${at(day + 60)}
         from schedules where endpoint_id like 'gggg%'`,
    );
    const slot_at = toTime(day);
    const counts = await Promise.all(
      workers.map((worker, index) =>
        record(worker, day, [{ endpoint_id: ids[index] ?? '', slot_at, host: '' }]),
      ),
    );
    expect(counts.flat().map((row) => row['recorded'])).toEqual([1, 1]);
    expect(await countDeadlocks()).toBe(0);
    await Promise.all(workers.map((worker) => worker.session.close()));
  });
});
