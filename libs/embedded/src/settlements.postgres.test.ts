import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPostgres, startPostgres, type RealPostgres } from './testing/postgres.ts';
import { literal, type Session } from './testing/psql-session.ts';

/**
 * Two readers of one chain at once, and one that dies in the middle, on a PostgreSQL server: the embedded database has
 * one connection, so that neither can be seen there.
 */
const bin = findPostgres();
const NETWORK = 'eip155:8453';
const T0 = Date.parse('2026-11-01T00:00:00Z');
const at = (seconds: number): string => new Date(T0 + seconds * 1000).toISOString();
const wallet = (n: number): string => `0x${String(n).padStart(40, 'a')}`;

/** A payment of 10 to a wallet in a block, which is as many seconds after T0. */
const paid = (block: number, payTo: string) => ({
  transaction: `0x${String(block).padStart(64, '0')}`,
  logIndex: 1,
  blockNumber: String(block),
  blockHash: `h${block}`,
  at: at(block),
  payer: wallet(900),
  payTo,
  asset: '0xusdc',
  amount: '10',
  kind: 'x402',
  facilitator: null,
});

describe.skipIf(bin === null)(
  bin === null
    ? 'readers of a chain on PostgreSQL (skipped: no initdb, postgres and psql found)'
    : 'readers of a chain on PostgreSQL',
  () => {
    let postgres: RealPostgres;
    let admin: Session;
    beforeAll(async () => {
      postgres = await startPostgres(bin ?? '');
      admin = await postgres.session();
      await advertise('shopaaaaaa', wallet(1));
      await admin.exec(`select * from open_chain_lanes('${NETWORK}', '${at(0)}', 7)`);
    }, 120_000);
    afterAll(async () => {
      await admin.close();
      await postgres.stop();
    });

    const advertise = (id: string, payTo: string): Promise<string> =>
      admin.exec(`
        insert into endpoints (id, resource, host, slug, templated, first_seen_at)
        values ('${id}', 'https://${id}/', '${id}', '${id}', false, '${at(0)}');
        insert into endpoint_wallets (network, pay_to, host, endpoint_id, challenged)
        values ('${NETWORK}', '${payTo}', '${id}', '${id}', true)`);
    const revisionOf = async (lane: number): Promise<number> => {
      const rows = await admin.rows(`select revision::int from chain_cursors where lane = ${lane}`);
      return Number(rows[0]?.['revision']);
    };
    const record = async (
      session: Session,
      { lane = 0, revision, to }: { lane?: number; revision: number; to: number },
      rows: readonly ReturnType<typeof paid>[],
    ) => {
      const cursor = {
        fromBlock: '0',
        nextBlock: String(to + 1),
        anchors: [{ number: to, hash: `h${to}` }],
        span: 9000,
      };
      const step = { cursor, throughAt: at(to), caughtUp: true, removedFrom: null };
      const [done] = await session.rows(
        `select * from record_settlements('${NETWORK}', ${lane}, ${revision}, '${at(to)}',
          ${literal(JSON.stringify(step))}, ${literal(JSON.stringify(rows))})`,
      );
      return done;
    };
    const figuresOf = async (payTo: string) => {
      const asked = literal(JSON.stringify([[{ network: NETWORK, payTo, counts: true }]]));
      const [row] = await admin.rows(
        `select (f ->> 'volume') is not null as measured, f ->> 'volume' as volume, (f -> 'settlements')::int as settlements
         from settlement_figures(${asked}, '${at(3600)}'), lateral (select wallets -> 0 -> 'figures' as f) w`,
      );
      return row;
    };
    const stored = async () =>
      Number((await admin.rows('select count(*)::int as n from settlements'))[0]?.['n']);

    it('of one lane at once: one step is stored, and the others, read from the same place, are void', async () => {
      const revision = await revisionOf(0);
      const sessions = await Promise.all([1, 2, 3].map(() => postgres.session()));
      const rows = Array.from({ length: 500 }, (_, index) => paid(100 + index, wallet(1)));
      const steps = await Promise.all(sessions.map((one) => record(one, { revision, to: 1000 }, rows)));
      expect(steps.map((step) => Number(step?.['recorded'])).sort()).toEqual([0, 0, 500]);
      expect(steps.filter((step) => step?.['stale'] === true)).toHaveLength(2);
      expect(await stored()).toBe(500);
      expect(await figuresOf(wallet(1))).toEqual({ measured: true, volume: '5000', settlements: 500 });
      await Promise.all(sessions.map((one) => one.close()));
    });

    it('of two lanes at once wait for each other, and lose nothing', async () => {
      await advertise('lateraaaaa', wallet(2));
      await admin.exec(`select * from open_chain_lanes('${NETWORK}', '${at(10)}', 7)`);
      const [head, later] = await Promise.all([postgres.session(), postgres.session()]);
      const [one, two] = [await revisionOf(0), await revisionOf(1)];
      const [ahead, joined] = await Promise.all([
        record(head, { revision: one, to: 1500 }, [paid(1200, wallet(1))]),
        record(later, { lane: 1, revision: two, to: 1000 }, [paid(50, wallet(2))]),
      ]);
      expect(joined).toMatchObject({ recorded: 1, stale: false });
      const lanes = await admin.rows('select lane::int from chain_cursors');
      // Lane 1 joined lane 0 first, whose step did not have its wallet and is void; or it is behind now, and reads on.
      expect(lanes).toHaveLength(ahead?.['stale'] === true ? 1 : 2);
      expect(await stored()).toBe(ahead?.['stale'] === true ? 501 : 502);
      const deadlocks = await admin.rows(
        "select deadlocks::int from pg_stat_database where datname = 'postgres'",
      );
      expect(deadlocks).toEqual([{ deadlocks: 0 }]);
      await Promise.all([head.close(), later.close()]);
    });

    it('that die before they commit leave nothing behind, and hold nobody up', async () => {
      const before = await stored();
      const revision = await revisionOf(0);
      const [victim, heir] = await Promise.all([postgres.session(), postgres.session()]);
      const rows = [paid(1600, wallet(1)), paid(1601, wallet(1))];
      await victim.exec('begin');
      expect(await record(victim, { revision, to: 2000 }, rows)).toMatchObject({ recorded: 2, stale: false });
      victim.kill();
      await sleep(300);
      expect(await stored()).toBe(before);
      expect(await revisionOf(0)).toBe(revision);
      expect(await record(heir, { revision, to: 2000 }, rows)).toMatchObject({ recorded: 2, stale: false });
      expect(await stored()).toBe(before + 2);
      const own = before - 1 + 2;
      expect(await figuresOf(wallet(1))).toMatchObject({ volume: String(10 * own), settlements: own });
      await heir.close();
    });
  },
);
