import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MIGRATIONS, readMigrations } from '../../migrate.ts';
import type { Driver } from '../../start.ts';
import { at, toTime } from '../sql-time.ts';
import { claimPayment, settlePayment, toKeyArguments, toWatchId } from './previous-payments.ts';
import { readPreviousMigrations } from './previous-release.ts';
import { toEndpoint, toId, toJson, toObservation } from './previous-rows.ts';
import { MODEL, recordSettlement, saveScores, toScore, toVector } from './previous-scores.ts';
import {
  queryAsService,
  readData,
  readTables,
  upgradeDatabase,
  type Tables,
  type Upgrade,
} from './upgrade-database.ts';

/** A database without rows and without later migrations than those of the previous release. */
interface OpenedDatabase {
  /** Connection of the owner of the database. */
  readonly driver: Driver;
  close(): Promise<void>;
}

/** Formats a time as PostgreSQL does in JSON. */
const formatTime = (seconds: number): string => toTime(seconds).replace('.000Z', '+00:00');

/** Defines the tests of an upgrade from the previous release. The service continues 2600 seconds after the start. */
export function describeUpgrade(title: string, open: () => Promise<OpenedDatabase>): void {
  describe(title, () => {
    let database: OpenedDatabase;
    let upgrade: Upgrade;
    let rows: Tables;
    let reads: Readonly<Record<string, unknown>>;
    beforeAll(async () => {
      database = await open();
      upgrade = await upgradeDatabase(database.driver);
      rows = await readTables(database.driver, upgrade.rows);
      reads = await readData(database.driver);
    });
    afterAll(() => database.close());
    const query = (sql: string): Promise<readonly unknown[]> => queryAsService(database.driver, sql);
    const record = (owner: string, seconds: number, observations: readonly object[]) =>
      query(`select recorded, dropped
        from public.record_observations('${owner}', ${at(seconds)}, ${toJson(observations)})`);

    it('applies the migrations after the previous release', () => {
      const added = readMigrations(MIGRATIONS).slice(readPreviousMigrations().length);
      expect(upgrade.applied).toEqual(added.map(({ version }) => version));
    });

    it('has rows in every table before, and keeps all of them', () => {
      expect(upgrade.emptyTables).toEqual([]);
      expect(rows).toMatchObject(upgrade.rows);
    });

    it('reads the same statistics, scores, reports, searches, watches and payments as before', () => {
      expect(reads).toMatchObject(upgrade.reads);
    });

    it('claims the due slots and the slot of a killed worker, but no leased slot', async () => {
      const claimed = await query(`
        select endpoint_id as id, slot_at as slot
        from public.claim_due_endpoints('after', ${at(2600)}, 20, 300)`);
      expect(claimed).toHaveLength(5);
      const slots = { adopted: 2400, due: 2400, failing: 2400, lost: 600, watched: 2400 };
      expect(claimed).toEqual(
        Object.entries(slots).map(([name, slot]) => ({ id: toId(name), slot: formatTime(slot) })),
      );
      const results = [toObservation('due', 2601, '10'), toObservation('lost', 2601, '10')];
      const recorded = await record('after', 2602, [
        { ...results[0], slotAt: toTime(2400) },
        { ...results[1], slotAt: toTime(600) },
      ]);
      expect(recorded).toEqual([{ recorded: 2, dropped: 0 }]);
    });

    it('records the result of a lease that was claimed before', async () => {
      const result = { ...toObservation('held', 2603, '10'), slotAt: toTime(2400) };
      expect(await record('other', 2604, [result])).toEqual([{ recorded: 0, dropped: 1 }]);
      expect(await record('before', 2604, [result])).toEqual([{ recorded: 1, dropped: 0 }]);
      expect(
        await query(`
          select d.probes, s.last_probed_at as probed from public.daily_rollups d
          join public.endpoint_states s using (endpoint_id) where endpoint_id = '${toId('held')}'`),
      ).toEqual([{ probes: 2, probed: formatTime(2603) }]);
    });

    it('finds a settling payment, settles it, and activates the watch that it buys', async () => {
      const find = () =>
        query(`select state, result from public.find_payment(${toKeyArguments('settling')})`);
      const result = 'result of settling';
      expect(await find()).toEqual([{ state: 'settling', result }]);
      expect(
        await query(`select outcome, result, attempt, state, same_payment as same
          from (${claimPayment('settling', 'after', 2600)}) c`),
      ).toEqual([{ outcome: 'resumed', result, attempt: 2, state: 'settling', same: true }]);
      await query(settlePayment('settling', 2601, true));
      expect(await find()).toEqual([{ state: 'settled', result }]);
      expect(await query(`select status from public.watches where id = '${toWatchId(3)}'`)).toEqual([
        { status: 'active' },
      ]);
    });

    it('keeps the outcome of finished payments, and lets a failed one start again', async () => {
      const claim = (nonce: string) =>
        query(`select outcome, state from (${claimPayment(nonce, 'after', 2600)}) c`);
      expect(await claim('watch')).toEqual([{ outcome: 'settled', state: 'settled' }]);
      expect(await claim('disputed')).toEqual([{ outcome: 'settled', state: 'disputed' }]);
      expect(await claim('refused')).toEqual([{ outcome: 'claimed', state: 'failed' }]);
      expect(await claim('working')).toEqual([{ outcome: 'claimed', state: 'working' }]);
    });

    it('delivers the queued entries of a watch, and logs new ones after them', async () => {
      const claim = (seconds: number) =>
        query(`select destination_id as destination, channel, attempt, entries -> 0 -> 'sequence' as sequence
          from public.claim_deliveries('after', ${at(seconds)}, 60, 20, 20) where watch_id = '${toWatchId(2)}'`);
      const claimed = await claim(2600);
      expect(claimed).toEqual([
        { destination: 1, channel: 'webhook', attempt: 1, sequence: 3 },
        { destination: 2, channel: 'slack', attempt: 2, sequence: 2 },
      ]);
      const results = [
        { destinationId: 1, sequences: [3] },
        { destinationId: 2, sequences: [2] },
      ].map((result) => ({ ...result, at: toTime(2601), durationMs: 5, outcome: 'delivered' }));
      expect(
        await query(
          `select delivered from public.record_deliveries('after', ${at(2601)}, 432000, ${toJson(results)})`,
        ),
      ).toEqual([{ delivered: 2 }]);
      await record('after', 2612, [toObservation('watched', 2611, '40')]);
      expect(await claim(2700)).toEqual([
        { destination: 1, channel: 'webhook', attempt: 1, sequence: 4 },
        { destination: 2, channel: 'slack', attempt: 1, sequence: 3 },
      ]);
    });

    it('stores new scores, and counts them in the statistics', async () => {
      expect(await query("select public.ecosystem() -> 'endpoints' as n")).toEqual([{ n: 6 }]);
      expect(await query(`select endpoint_ids from public.claim_scores(${at(2620)}, 60, 100)`)).toEqual([
        { endpoint_ids: expect.arrayContaining([toId('lost')]) as unknown },
      ]);
      const changed = await query(saveScores(2620, [toScore('lost', 95), toScore('watched', 45)]));
      expect(changed).toEqual(
        ['lost', 'watched'].map((name) => ({ endpoint_id: toId(name), content_changed: true })),
      );
      expect(await query('select public.refresh_ecosystem() as changed')).toEqual([{ changed: true }]);
      expect(
        await query(`select e -> 'endpoints' as n, e -> 'grades' -> 'F' as f from public.ecosystem() e`),
      ).toEqual([{ n: 7, f: 2 }]);
      expect(await query(`select public.record_ecosystem_day(${at(2630)}) as stored`)).toEqual([
        { stored: true },
      ]);
    });

    it('finds a text after the deletion of unused texts', async () => {
      expect(await query('select public.delete_unused_texts(100) as deleted')).toEqual([{ deleted: 1 }]);
      expect(
        await query(`
          select m ->> 'endpointId' as id, m -> 'similarity' as similarity
          from public.search_by_embedding('${MODEL}', '${toVector(2)}'::extensions.vector, 1) s
          cross join lateral jsonb_array_elements(s -> 'matches') m`),
      ).toEqual([{ id: toId('held'), similarity: 1 }]);
    });

    it('resumes a paused discovery run, and adds its endpoints', async () => {
      const page = { offset: 1, nextOffset: 3, items: 2, duplicates: 0, rejected: 0 };
      expect(
        await query(`
          select r.id, l.listed, l.relisted from public.start_discovery('south', ${at(2640)}) r
          cross join lateral public.record_listings(r.id, ${at(2640)}, ${toJson(page)},
            ${toJson([toEndpoint('due'), toEndpoint('new')])}) l`),
      ).toEqual([{ id: 4, listed: 1, relisted: 0 }]);
      expect(
        await query(`select array_agg(directory order by directory) as directories from public.listings
          where endpoint_id in ('${toId('due')}', '${toId('new')}')`),
      ).toEqual([{ directories: ['north', 'south', 'south'] }]);
    });

    it('continues to read the chain after the last block', async () => {
      expect(await query(recordSettlement(2660))).toEqual([{ recorded: 1, removed: 0, stale: false }]);
      expect(await query(`select settlements, volume from public.wallet_payer_days`)).toEqual([
        { settlements: 2, volume: 2000 },
      ]);
    });

    it('has figures for monitoring of rows from before', async () => {
      expect(
        await query(`
          select m -> 'jobs' ->> 'statisticsAt' is not null as has_statistics, m -> 'watches' -> 'active' as watches,
            m -> 'watches' -> 'attemptsLastHour' -> 'failed' as failed
          from public.operational_metrics(${at(2700)}, 100, 100) m`),
      ).toMatchObject([{ has_statistics: true, failed: 1 }]);
    });

    it('recognizes that the clock of a machine was set back', async () => {
      expect(await query(`select public.report_time('machine', ${at(-600)}) as is_jump`)).toEqual([
        { is_jump: true },
      ]);
    });
  });
}
