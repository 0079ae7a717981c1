import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createSharedDatabase,
  formatLiteral,
  type Session,
  type SharedDatabase,
} from '@touchstone/embedded/testing/postgres';
import { toTime } from '../testing/postgres/sql-time.ts';

/** Host and port of the PostgreSQL server of this run. The embedded database has only one connection. */
const server = process.env['TEST_POSTGRES'] ?? '';
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
