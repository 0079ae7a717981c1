import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createMigratedTemplate,
  findPostgres,
  openSession,
  startServer,
  TEMPLATE,
} from '@touchstone/embedded/testing/postgres';
import { claimSlots, insertEndpoints, recordProbes, selectIds } from '../testing/postgres/probe-actions.ts';

const bin = findPostgres();
const ENDPOINTS = 2_000;
const BATCH = 40;
const LEASE_SECONDS = 60;
const KILLS = 3;

describe.skipIf(bin === null)('a killed PostgreSQL server', () => {
  let server: Awaited<ReturnType<typeof startServer>>;
  const open = () => openSession(`127.0.0.1:${server.port}`, TEMPLATE);
  beforeAll(async () => {
    server = await startServer(bin ?? '');
    await createMigratedTemplate(`127.0.0.1:${server.port}`);
  });
  afterAll(() => server.stop());

  /**
   * Claims and records batches of probe slots until no slot is due or the server is killed. Adds the endpoints of each
   * confirmed batch to `recorded`.
   */
  const work = async (owner: string, now: number, recorded: Set<string>): Promise<void> => {
    const session = await open();
    for (;;) {
      const slots = await claimSlots(session, { owner, now, limit: BATCH, leaseSeconds: LEASE_SECONDS });
      if (slots.length === 0) break;
      await recordProbes(session, { owner, now }, slots);
      for (const { endpoint_id } of slots) recorded.add(endpoint_id);
    }
    await session.close();
  };

  /** Returns the endpoints that have a stored observation. */
  const readObserved = async (): Promise<ReadonlySet<unknown>> => {
    const session = await open();
    const rows = await session.rows('select endpoint_id from observations');
    await session.close();
    return new Set(rows.map(({ endpoint_id }) => endpoint_id));
  };

  it('loses no confirmed observation, records none twice, and keeps no slot', async () => {
    const admin = await open();
    await insertEndpoints(admin, selectIds('aaaa', ENDPOINTS), 'i.id');
    await admin.close();
    const recorded = new Set<string>();
    let interrupted = 0;
    for (let round = 0; round <= KILLS; round += 1) {
      const workers = ['one', 'two', 'three'].map((name) =>
        work(`${name} ${round}`, 601 + round * 2 * LEASE_SECONDS, recorded),
      );
      const results = Promise.allSettled(workers);
      if (round < KILLS) {
        const before = recorded.size;
        await expect
          .poll(() => recorded.size, { timeout: 60_000, interval: 5 })
          .toBeGreaterThan(before + 2 * BATCH);
        await server.kill();
      }
      interrupted += (await results).filter(({ status }) => status === 'rejected').length;
      // Each round is checked, because a later round could record the lost observations again and hide the loss.
      const stored = await readObserved();
      expect([...recorded].filter((id) => !stored.has(id))).toEqual([]);
    }
    expect(interrupted).toBeGreaterThanOrEqual(KILLS);
    const after = await open();
    const [counts] = await after.rows(`
        select (select count(*) from observations) as observations,
          (select count(distinct endpoint_id) from observations) as endpoints,
          (select count(*) from leases) as leases,
          (select sum(probes) from daily_rollups) as probes,
          (select sum(slots_due) from daily_rollups) as due`);
    expect(counts).toEqual({
      observations: ENDPOINTS,
      endpoints: ENDPOINTS,
      leases: 0,
      probes: ENDPOINTS,
      due: ENDPOINTS,
    });
    await after.close();
  });
});
