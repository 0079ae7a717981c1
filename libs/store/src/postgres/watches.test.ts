import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { server, useSharedDatabase } from '../testing/postgres/shared-database.ts';
import {
  addEndpoints,
  claim,
  DAY,
  prepare,
  record,
  recordResults,
  toCancel,
  toEndpointId,
  toResult,
  toRow,
  toSettle,
  toWatchId,
} from '../testing/postgres/watch-actions.ts';
import { at, toTime } from '../testing/postgres/sql-time.ts';

describe.skipIf(server === '')('watches on PostgreSQL', () => {
  const shared = useSharedDatabase();
  const { open } = shared;

  beforeEach(() => shared.admin.exec('truncate watches cascade'));

  it('loses, repeats and reorders nothing while recorders, owners and deliverers run at the same time', async () => {
    const endpoints = 6;
    const kept = 12;
    const changing = 10;
    await addEndpoints(shared.admin, 1, endpoints);
    for (let n = 1; n <= kept; n += 1) {
      await prepare(shared.admin, n, (n % endpoints) + 1);
      await shared.admin.exec(toSettle(n));
    }
    let isRunning = true;
    const runRecorder = async (offset: number): Promise<void> => {
      const session = await open();
      for (let round = 0; round < 15; round += 1) {
        // Each session records other times, so no observation is a duplicate. The batches contain the same endpoints in
        // different orders.
        const rows = Array.from({ length: 9 }, (_, i) =>
          toRow(
            ((round * (offset + 1) + i) % endpoints) + 1,
            100 + round * 100 + i * 3 + offset,
            (round + i) % 5 === 0,
          ),
        );
        await record(session, rows);
      }
    };
    const runOwner = async (): Promise<void> => {
      const session = await open();
      for (let n = kept + 1; n <= kept + changing; n += 1) {
        await prepare(session, n, (n % endpoints) + 1);
        await session.exec(toSettle(n));
        if (n % 2 === 0) await session.exec(toCancel(n));
      }
    };
    const runSettler = async (): Promise<void> => {
      const session = await open();
      // Settles each payment again and advances the watches, while `runOwner` buys the same watches.
      for (let round = 0; round < changing; round += 1) {
        await session.exec(toSettle(kept + 1 + round));
        await session.exec(`select advance_watches(${at(DAY)}, 100)`);
      }
    };
    const sent = new Map<number, number[]>();
    const runDeliverer = async (owner: string): Promise<void> => {
      const worker = { session: await open(), owner };
      for (let idle = 0, round = 0; isRunning || idle < 3; round += 1) {
        const claimed = await claim(worker);
        idle = claimed.length === 0 ? idle + 1 : 0;
        if (claimed.length === 0) {
          await sleep(20);
          continue;
        }
        const results = claimed.map((delivery) => {
          const isFailure = (delivery.destination_id + round) % 3 === 0;
          if (isFailure) return { ...toResult(delivery, 'retry'), nextAttemptAt: toTime(10 * DAY) };
          const sequences = delivery.entries.map(({ sequence }) => sequence);
          sent.set(delivery.destination_id, [...(sent.get(delivery.destination_id) ?? []), ...sequences]);
          return toResult(delivery);
        });
        await recordResults(worker, results);
      }
    };
    const deliverers = ['d1', 'd2', 'd3'].map(runDeliverer);
    await Promise.all([runRecorder(0), runRecorder(1), runRecorder(2), runOwner(), runSettler()]);
    isRunning = false;
    await Promise.all(deliverers);
    await shared.admin.exec(
      `update watch_destinations set liveness_sent_at = null, next_due_at = ${at(0)} where next_due_at is not null`,
    );
    await runDeliverer('d1');

    const count = async (sql: string): Promise<unknown> =>
      (await shared.admin.rows(`select count(*)::int as n from ${sql}`))[0]?.['n'];
    expect(await count('watch_log')).toBeGreaterThan(150);
    // The sequence numbers in the log of a watch have no gap and no duplicate.
    expect(
      await count(`(
          select 1 from watches w join watch_log l on l.watch_id = w.id group by w.id, w.last_sequence
          having count(*) <> w.last_sequence or max(l.sequence) <> w.last_sequence
        ) g`),
    ).toBe(0);
    // The log of each watch that was active during the whole test contains each price change once.
    expect(
      await count(`(
          select w.id from watches w where w.id in (${Array.from({ length: kept }, (_, i) => `'${toWatchId(i + 1)}'`).join()})
            and (select array_agg(c.at order by c.at) from changes c where c.endpoint_id = w.endpoint_id and c.kind = 'price_change')
              is distinct from
                (select array_agg(l.at order by l.at) from watch_log l where l.watch_id = w.id and l.type = 'price_change')
        ) g`),
    ).toBe(0);
    // In each log, `created` is the first entry, and no entry follows `cancelled`. Each purchase is applied once.
    expect(
      await count(`watch_log l join watches w on w.id = l.watch_id
          where (l.type = 'cancelled' and l.sequence <> w.last_sequence) or (l.type = 'created') <> (l.sequence = 1)`),
    ).toBe(0);
    expect(await count('watch_purchases where applied_at is null')).toBe(0);
    expect(await count(`watches where status = 'cancelled'`)).toBe(changing / 2);
    // Each pushed entry is delivered once to each destination, in the order of the log.
    expect(await count(`watch_deliveries where state <> 'delivered'`)).toBe(0);
    expect(
      await count(`watch_log l join watch_destinations d on d.watch_id = l.watch_id
          left join watch_deliveries v on v.destination_id = d.id and v.sequence = l.sequence
          where (l.type <> 'created') <> (v.sequence is not null)`),
    ).toBe(0);
    expect([...sent.values()].flat()).toHaveLength(Number(await count('watch_deliveries')));
    for (const sequences of sent.values())
      expect(sequences).toEqual([...new Set(sequences)].toSorted((a, b) => a - b));
    expect(await count('schedules s where not s.watched')).toBe(0);
    expect(await shared.countDeadlocks()).toBe(0);
  });

  it('ends the five-minute interval when the last two watches are cancelled at the same time', async () => {
    await addEndpoints(shared.admin, 100, 100);
    for (const n of [201, 202]) {
      await prepare(shared.admin, n, 100);
      await shared.admin.exec(toSettle(n));
    }
    const isWatched = async () =>
      (
        await shared.admin.rows(`select watched from schedules where endpoint_id = '${toEndpointId(100)}'`)
      )[0];
    expect(await isWatched()).toEqual({ watched: true });
    const [one, two] = [await open(), await open()];
    await one.exec('begin');
    await one.exec(toCancel(201));
    // The second cancellation waits for the schedule, which the first cancellation has locked.
    const second = two.exec(toCancel(202));
    await shared.expectLockWaits();
    await one.exec('commit');
    await second;
    expect(await isWatched()).toEqual({ watched: false });
  });

  it('activates a watch once when two processes settle its payment, and does not delete it meanwhile', async () => {
    await addEndpoints(shared.admin, 101, 101);
    await prepare(shared.admin, 211, 101);
    // The audit finds no transfer, so the refused payment is final in the store. A later settlement still activates its
    // watch.
    await shared.admin.exec(`select fail_payment('n', 'a', 'p211', 'n211', true, 'o211', ${at(1)})`);
    await shared.admin.exec(`select audit_payment('n', 'a', 'p211', 'n211', '', ${at(2)})`);
    const [one, two, cleaner] = [await open(), await open(), await open()];
    await one.exec('begin');
    await one.exec(toSettle(211, 2 * 3600));
    const second = two.exec(toSettle(211, 2 * 3600 + 1));
    // The watch is old enough to be deleted, and its payment is being settled.
    await cleaner.exec(`select advance_watches(${at(2 * 3600)}, 1000)`);
    await one.exec('commit');
    await second;
    const rows = await shared.admin.rows(
      `select w.status, l.type from watches w join watch_log l on l.watch_id = w.id where w.id = '${toWatchId(211)}'`,
    );
    expect(rows).toEqual([{ status: 'active', type: 'created' }]);
  });

  it('ignores the late result of a worker while another worker claims its deliveries', async () => {
    await addEndpoints(shared.admin, 102, 102);
    await prepare(shared.admin, 221, 102);
    await shared.admin.exec(toSettle(221));
    await record(shared.admin, [toRow(102, 100), toRow(102, 200)]);
    const seconds = 11 * DAY;
    const first = { session: await open(), owner: 'first', seconds };
    const second = { session: await open(), owner: 'second', seconds: seconds + 60 };
    const held = await claim(first);
    expect(held).toHaveLength(2);
    const results = held.map((delivery) => toResult(delivery));
    await second.session.exec('begin');
    expect(await claim(second)).toEqual(held);
    // The late results wait for the commit of the second claim, and then change nothing.
    const late = recordResults(first, results);
    await shared.expectLockWaits();
    await second.session.exec('commit');
    const nothing = { delivered: 0, retried: 0, limited: 0, exhausted: 0, disabled: 0 };
    expect(await late).toEqual(nothing);
    expect(await recordResults(second, results)).toEqual({ ...nothing, delivered: 2 });
  });

  /**
   * Records failed probes of an endpoint, five minutes apart. Returns how many raw observations each recording reads.
   */
  const countReads = async (endpoint: number, day: number, misses: number): Promise<number[]> => {
    const readCount = async (): Promise<number> => {
      await shared.admin.exec('select pg_stat_force_next_flush()');
      const [row] = await shared.admin.rows(`
        select sum(seq_tup_read + coalesce(idx_tup_read, 0))::int as n from pg_stat_user_tables t
        left join (select relid, sum(idx_tup_read) as idx_tup_read from pg_stat_user_indexes group by relid) i using (relid)
        where relname like 'observations\\_%'`);
      return Number(row?.['n']);
    };
    const reads: number[] = [];
    for (let slot = 0; slot < misses; slot += 1) {
      const before = await readCount();
      await record(shared.admin, [toRow(endpoint, day * DAY + slot * 300, true)]);
      reads.push((await readCount()) - before);
    }
    return reads;
  };
  const buyWatches = async (endpoint: number, numbers: readonly number[], sensitivity: number) => {
    await addEndpoints(shared.admin, endpoint, endpoint);
    for (const n of numbers) {
      await prepare(shared.admin, n, endpoint);
      await shared.admin.exec(toSettle(n));
    }
    await shared.admin.exec(`update watches set liveness_sensitivity_n = ${sensitivity}`);
  };

  it('counts missed probes once for all watches of an endpoint', async () => {
    await buyWatches(103, [301], 10);
    const [last] = (await countReads(103, 3, 7)).slice(-1);
    await buyWatches(104, [302, 303, 304, 305, 306], 10);
    expect((await countReads(104, 5, 7)).at(-1)).toBe(last);
    expect(last).toBeGreaterThan(5);
  });

  it('counts missed probes until every watch has reported the outage', async () => {
    await buyWatches(105, [307], 3);
    const reads = await countReads(105, 7, 5);
    expect(reads.map((count) => count > 0)).toEqual([false, true, true, false, false]);
  });
});
