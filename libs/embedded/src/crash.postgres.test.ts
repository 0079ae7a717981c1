import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPostgres, startPostgres, type RealPostgres } from './testing/postgres.ts';
import { formatLiteral, type Session } from './testing/psql-session.ts';

const bin = findPostgres();
const T0 = Date.parse('2026-11-01T00:00:00Z');
const ENDPOINTS = 2_000;
const BATCH = 40;
const LEASE_SECONDS = 60;
const KILLS = 3;
const at = (seconds: number): string => `'${new Date(T0 + seconds * 1000).toISOString()}'::timestamptz`;

describe.skipIf(bin === null)(
  bin === null ? 'a killed server (skipped: no PostgreSQL found)' : 'a killed PostgreSQL server',
  () => {
    let postgres: RealPostgres;
    beforeAll(async () => {
      postgres = await startPostgres(bin ?? '');
    }, 120_000);
    afterAll(() => postgres.stop());

    /**
     * Claims and records batches until no slot is due, or until the server is killed. `recorded` receives the endpoints
     * whose recording was confirmed.
     */
    const work = async (owner: string, seconds: number, recorded: Set<string>): Promise<void> => {
      const session: Session = await postgres.session();
      for (;;) {
        const slots = await session.rows(
          `select endpoint_id, slot_at from claim_due_endpoints('${owner}', ${at(seconds)}, ${BATCH}, ${LEASE_SECONDS})`,
        );
        if (slots.length === 0) break;
        const rows = slots.map(({ endpoint_id, slot_at }) => ({
          endpointId: endpoint_id,
          slotAt: slot_at,
          at: new Date(T0 + seconds * 1000).toISOString(),
          outcome: 'challenged',
          vitality: 1,
          excluded: false,
          bucket: 3,
          latencyMs: 2,
        }));
        await session.exec(
          `select * from record_observations('${owner}', ${at(seconds)}, ${formatLiteral(JSON.stringify(rows))})`,
        );
        for (const { endpoint_id } of slots) recorded.add(String(endpoint_id));
      }
      await session.close();
    };

    it('loses no confirmed observation, records none twice, and keeps no slot', async () => {
      const admin = await postgres.session();
      await admin.exec(`
        with e as (
          insert into endpoints (id, resource, probe_url, host, slug, templated, first_seen_at)
          select i.id, 'https://' || i.id, 'https://' || i.id, i.id, i.id, false, ${at(0)}
          from (
            select 'aaaa' || translate(lpad(g::text, 6, '0'), '0189', 'abcd') as id from generate_series(1, ${ENDPOINTS}) g
          ) i
          returning id, host
        ), s as (insert into endpoint_states (endpoint_id) select id from e)
        insert into schedules (endpoint_id, host, offset_seconds, next_probe_at)
        select id, host, 600, ${at(600)} from e`);
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
          await postgres.kill();
        }
        interrupted += (await results).filter(({ status }) => status === 'rejected').length;
      }
      expect(interrupted).toBeGreaterThanOrEqual(KILLS);
      const after = await postgres.session();
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
    }, 120_000);
  },
);
