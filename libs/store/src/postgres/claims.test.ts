import { beforeAll, describe, expect, it } from 'vitest';
import { formatLiteral, type Session } from '@touchstone/embedded/testing/postgres';
import {
  claimSlots,
  insertEndpoints,
  recordProbes,
  selectIds,
  type Slot,
} from '../testing/postgres/probe-actions.ts';
import { server, useSharedDatabase } from '../testing/postgres/shared-database.ts';
import { at, toTime } from '../testing/postgres/sql-time.ts';

interface Worker {
  readonly session: Session;
  readonly owner: string;
}

describe.skipIf(server === '')('workers on PostgreSQL', () => {
  const shared = useSharedDatabase();

  const insert = (prefix: string, count: number, host: string): Promise<void> =>
    insertEndpoints(shared.admin, selectIds(prefix, count), host);
  const claim = ({ session, owner }: Worker, now: number, leaseSeconds = 60): Promise<readonly Slot[]> =>
    claimSlots(session, { owner, now, limit: 50, leaseSeconds });
  const record = ({ session, owner }: Worker, now: number, slots: readonly Slot[]) =>
    recordProbes(session, { owner, now }, slots);
  const openWorker = async (owner: string): Promise<Worker> => ({
    session: await shared.open(),
    owner,
  });

  it('claims every slot once when several workers claim and record while endpoints are added', async () => {
    await insert('aaaa', 1500, '\'many-\' || (i.id collate "C")');
    await insert('bbbb', 300, "'crowded'");
    const workers = await Promise.all(['one', 'two', 'three'].map(openWorker));
    const claimed: string[] = [];
    let crowded = 0;
    await Promise.all([
      ...workers.map(async (worker) => {
        // Each worker advances its own clock, so that slots of rate-limited hosts can be claimed again. The leases last
        // two hours, so that no lease expires in this test.
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
    expect(await shared.admin.rows('select count(*)::int as n from leases')).toEqual([{ n: 0 }]);
    expect(
      await shared.admin.rows('select sum(probes)::int as n, sum(slots_due)::int as d from daily_rollups'),
    ).toEqual([{ n: 2000, d: 2000 }]);
    expect(await shared.countDeadlocks()).toBe(0);
  });

  it('skips hosts that another worker has locked, without waiting', async () => {
    await insert('eeee', 5, "'locked'");
    await insert('ffff', 5, "'open-' || i.id");
    const [blocker, quick] = [await shared.open(), await openWorker('quick')];
    await blocker.exec(`begin; select 1 from host_queues where host = 'locked' for update`);
    // The lock ends only after the claim has returned. So the claim must skip the locked host; a waiting claim would
    // never end.
    const slots = await claim(quick, 601);
    expect(slots.filter((slot) => slot.endpoint_id.startsWith('ffff'))).toHaveLength(5);
    expect(slots.filter((slot) => slot.host === 'locked')).toHaveLength(0);
    await blocker.exec('rollback');
    expect((await claim(quick, 602)).filter((slot) => slot.host === 'locked')).toHaveLength(5);
  });

  it('creates a missing day partition once when two workers record into it at the same time', async () => {
    await insert('gggg', 2, "'new-day-' || i.id");
    const workers = await Promise.all([openWorker('w0'), openWorker('w1')]);
    const day = 40 * 24 * 3600;
    const ids = ['ggggaaaaab', 'ggggaaaaa2'];
    await shared.admin.exec(`update schedules set next_probe_at = ${at(day)} where endpoint_id like 'gggg%'`);
    await shared.admin.exec(
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
    expect(await shared.countDeadlocks()).toBe(0);
  });

  it('drops an observation of a day that another worker packs at the same time', async () => {
    await insert('hhhh', 1, "'packed-day'");
    const [packer, recorder] = [await shared.open(), await openWorker('late')];
    const [{ endpoint_id = '' } = {}] = await shared.admin.rows(
      `select endpoint_id::text from schedules where host = 'packed-day'`,
    );
    const day = 50 * 24 * 3600;
    const recordLate = (session: Session, now: number) =>
      session.rows(
        `select recorded, dropped from record_observations('', ${at(now)}, ${formatLiteral(
          JSON.stringify([
            { endpointId: endpoint_id, at: toTime(day), outcome: 'free', vitality: 1, excluded: false },
          ]),
        )})`,
      );
    await shared.admin.exec(
      `do $$ begin loop exit when pack_observations(${at(day)}::date, 5000) is null; end loop; end $$`,
    );
    expect(await recordLate(shared.admin, day)).toEqual([{ recorded: 1, dropped: 0 }]);
    const now = day + 3 * 24 * 3600;
    await packer.exec(`begin; select pack_observations(${at(now)}::date, 10)`);
    const recording = recordLate(recorder.session, now);
    await shared.expectLockWaits();
    await packer.exec('commit');
    expect(await recording).toEqual([{ recorded: 0, dropped: 1 }]);
  });
});

const NETWORK = 'eip155:8453';
const walletAddress = (n: number): string => `0x${String(n).padStart(40, 'a')}`;

/** Creates a payment of 10 atomic units to a wallet, in the given block. The time of block n is `toTime(n)`. */
const makeSettlement = (block: number, payTo: string) => ({
  transaction: `0x${String(block).padStart(64, '0')}`,
  network: NETWORK,
  log_index: 1,
  block_number: String(block),
  block_hash: `h${block}`,
  at: toTime(block),
  payer: walletAddress(900),
  pay_to: payTo,
  asset: '0xusdc',
  amount: '10',
  kind: 'x402',
  facilitator: null,
});

describe.skipIf(server === '')('readers of a chain on PostgreSQL', () => {
  const shared = useSharedDatabase();
  beforeAll(async () => {
    await advertise('shopaaaaaa', walletAddress(1));
    await shared.admin.exec(`select * from assign_wallet_groups('${NETWORK}', '${toTime(0)}', 7)`);
  });

  const advertise = (id: string, payTo: string): Promise<void> =>
    shared.admin.exec(`
        insert into endpoints (id, resource, host, slug, templated, first_seen_at)
        values ('${id}', 'https://${id}/', '${id}', '${id}', false, '${toTime(0)}');
        insert into endpoint_wallets (network, pay_to, host, endpoint_id, challenged)
        values ('${NETWORK}', '${payTo}', '${id}', '${id}', true)`);
  const readRevision = async (group: number): Promise<number> => {
    const rows = await shared.admin.rows(
      `select revision::int from chain_cursors where wallet_group = ${group}`,
    );
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
    const [row] = await shared.admin.rows(
      `select (f ->> 'volume') is not null as measured, f ->> 'volume' as volume, (f -> 'settlements')::int as settlements
         from settlement_figures(${sets}, '${toTime(3600)}'), lateral (select wallets -> 0 -> 'figures' as f) w`,
    );
    return row;
  };
  const countStored = async () =>
    Number((await shared.admin.rows('select count(*)::int as n from settlements'))[0]?.['n']);

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
  });

  it('record steps of two wallet groups one after the other, without losing any', async () => {
    await advertise('lateraaaaa', walletAddress(2));
    await shared.admin.exec(`select * from assign_wallet_groups('${NETWORK}', '${toTime(10)}', 7)`);
    const [head, later] = await Promise.all([shared.open(), shared.open()]);
    const [one, two] = [await readRevision(0), await readRevision(1)];
    const [ahead, joined] = await Promise.all([
      record(head, { revision: one, to: 1500 }, [makeSettlement(1200, walletAddress(1))]),
      record(later, { group: 1, revision: two, to: 1000 }, [makeSettlement(50, walletAddress(2))]),
    ]);
    expect(joined).toMatchObject({ recorded: 1, stale: false });
    const groups = await shared.admin.rows('select wallet_group::int from chain_cursors');
    // `stale` shows which transaction was committed first. If the merge of group 1 into group 0 was first, the step for
    // group 0 is stale. If the step was first, group 1 has read fewer blocks than group 0, so the groups are not
    // merged.
    expect(groups).toHaveLength(ahead?.['stale'] === true ? 1 : 2);
    expect(await countStored()).toBe(ahead?.['stale'] === true ? 501 : 502);
    expect(await shared.countDeadlocks()).toBe(0);
  });
});
