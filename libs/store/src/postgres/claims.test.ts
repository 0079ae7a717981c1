import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createSharedDatabase,
  type Session,
  type SharedDatabase,
  formatLiteral,
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

  const insert = (prefix: string, count: number, host: string): Promise<void> =>
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

const NETWORK = 'eip155:8453';
const walletAddress = (n: number): string => `0x${String(n).padStart(40, 'a')}`;

/** Creates a payment of 10 atomic units to a wallet, in the given block. The time of block n is `toTime(n)`. */
const makeSettlement = (block: number, payTo: string) => ({
  transaction: `0x${String(block).padStart(64, '0')}`,
  logIndex: 1,
  blockNumber: String(block),
  blockHash: `h${block}`,
  at: toTime(block),
  payer: walletAddress(900),
  payTo,
  asset: '0xusdc',
  amount: '10',
  kind: 'x402',
  facilitator: null,
});

describe.skipIf(server === '')('readers of a chain on PostgreSQL', () => {
  let shared: SharedDatabase;
  let admin: Session;
  beforeAll(async () => {
    shared = await createSharedDatabase(server);
    admin = await shared.open();
    await advertise('shopaaaaaa', walletAddress(1));
    await admin.exec(`select * from assign_wallet_groups('${NETWORK}', '${toTime(0)}', 7)`);
  });
  afterAll(async () => {
    await shared.close();
  });

  const advertise = (id: string, payTo: string): Promise<void> =>
    admin.exec(`
        insert into endpoints (id, resource, host, slug, templated, first_seen_at)
        values ('${id}', 'https://${id}/', '${id}', '${id}', false, '${toTime(0)}');
        insert into endpoint_wallets (network, pay_to, host, endpoint_id, challenged)
        values ('${NETWORK}', '${payTo}', '${id}', '${id}', true)`);
  const readRevision = async (group: number): Promise<number> => {
    const rows = await admin.rows(`select revision::int from chain_cursors where wallet_group = ${group}`);
    return Number(rows[0]?.['revision']);
  };
  const record = async (
    session: Session,
    { group = 0, revision, to }: { group?: number; revision: number; to: number },
    rows: readonly ReturnType<typeof makeSettlement>[],
  ) => {
    const cursor = {
      fromBlock: '0',
      nextBlock: String(to + 1),
      anchors: [{ number: to, hash: `h${to}` }],
      span: 9000,
    };
    const step = { cursor, throughAt: toTime(to), caughtUp: true, removedFrom: null };
    const [result] = await session.rows(
      `select * from record_settlements('${NETWORK}', ${group}, ${revision}, '${toTime(to)}',
          ${formatLiteral(JSON.stringify(step))}, ${formatLiteral(JSON.stringify(rows))})`,
    );
    return result;
  };
  const readFigures = async (payTo: string) => {
    const sets = formatLiteral(JSON.stringify([[{ network: NETWORK, payTo, isCounted: true }]]));
    const [row] = await admin.rows(
      `select (f ->> 'volume') is not null as measured, f ->> 'volume' as volume, (f -> 'settlements')::int as settlements
         from settlement_figures(${sets}, '${toTime(3600)}'), lateral (select wallets -> 0 -> 'figures' as f) w`,
    );
    return row;
  };
  const countStored = async () =>
    Number((await admin.rows('select count(*)::int as n from settlements'))[0]?.['n']);

  it('store one of several concurrent steps of a wallet group; the others are stale', async () => {
    const revision = await readRevision(0);
    const sessions = await Promise.all([1, 2, 3].map(() => shared.open()));
    const rows = Array.from({ length: 500 }, (_, index) => makeSettlement(100 + index, walletAddress(1)));
    const steps = await Promise.all(sessions.map((one) => record(one, { revision, to: 1000 }, rows)));
    expect(steps.map((step) => Number(step?.['recorded'])).sort()).toEqual([0, 0, 500]);
    expect(steps.filter((step) => step?.['stale'] === true)).toHaveLength(2);
    expect(await countStored()).toBe(500);
    expect(await readFigures(walletAddress(1))).toEqual({
      measured: true,
      volume: '5000',
      settlements: 500,
    });
    await Promise.all(sessions.map((one) => one.close()));
  });

  it('record steps of two wallet groups one after the other, without losing any', async () => {
    await advertise('lateraaaaa', walletAddress(2));
    await admin.exec(`select * from assign_wallet_groups('${NETWORK}', '${toTime(10)}', 7)`);
    const [head, later] = await Promise.all([shared.open(), shared.open()]);
    const [one, two] = [await readRevision(0), await readRevision(1)];
    const [ahead, joined] = await Promise.all([
      record(head, { revision: one, to: 1500 }, [makeSettlement(1200, walletAddress(1))]),
      record(later, { group: 1, revision: two, to: 1000 }, [makeSettlement(50, walletAddress(2))]),
    ]);
    expect(joined).toMatchObject({ recorded: 1, stale: false });
    const groups = await admin.rows('select wallet_group::int from chain_cursors');
    // The result depends on the order. If the merge of wallet group 1 into group 0 is committed first, the step
    // for group 0 is outdated and is rejected. If the step for group 0 is committed first, group 1 is behind group
    // 0, so the groups are not merged.
    expect(groups).toHaveLength(ahead?.['stale'] === true ? 1 : 2);
    expect(await countStored()).toBe(ahead?.['stale'] === true ? 501 : 502);
    const deadlocks = await admin.rows(
      'select deadlocks::int from pg_stat_database where datname = current_database()',
    );
    expect(deadlocks).toEqual([{ deadlocks: 0 }]);
    await Promise.all([head.close(), later.close()]);
  });

  it('leave no rows and no locks when they are killed before the commit', async () => {
    const before = await countStored();
    const revision = await readRevision(0);
    const [victim, successor] = await Promise.all([shared.open(), shared.open()]);
    const rows = [makeSettlement(1600, walletAddress(1)), makeSettlement(1601, walletAddress(1))];
    await victim.exec('begin');
    expect(await record(victim, { revision, to: 2000 }, rows)).toMatchObject({ recorded: 2, stale: false });
    victim.kill();
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
    expect(await countStored()).toBe(before);
    expect(await readRevision(0)).toBe(revision);
    expect(await record(successor, { revision, to: 2000 }, rows)).toMatchObject({
      recorded: 2,
      stale: false,
    });
    expect(await countStored()).toBe(before + 2);
    const own = before - 1 + 2;
    expect(await readFigures(walletAddress(1))).toMatchObject({
      volume: String(10 * own),
      settlements: own,
    });
    await successor.close();
  });
});
