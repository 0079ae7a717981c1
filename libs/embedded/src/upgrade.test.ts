import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vector } from '@electric-sql/pglite/vector';
import { createPgliteConnection } from '@supabase/lite/pglite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKeys, startEmbedded, type EmbeddedDatabase } from './index.ts';
import { MIGRATIONS, migrate, readMigrations } from './migrate.ts';

/** Last migration of the first release. */
const LAST_OF_FIRST_RELEASE = '20261122000900';

const dataDir = mkdtempSync(join(tmpdir(), 'touchstone-upgrade-'));
const migrations = readMigrations(MIGRATIONS);
const isFirstRelease = ({ version }: { readonly version: string }): boolean =>
  version <= LAST_OF_FIRST_RELEASE;
let database: EmbeddedDatabase;

/** SQL that stores data as the first release did: listings, a failed probe, a score and an adopted endpoint. */
const OLD_DATA = `
  insert into public.endpoints (id, resource, host, slug, templated, service_name, description, first_seen_at, adopted_at)
  values
    ('oneeeeeeee', 'https://one.example/', 'one.example', 'one', false, 'One', 'Text', '2026-11-01', null),
    ('twoooooooo', 'https://two.example/', 'two.example', 'two', false, 'Two', null, '2026-11-01', null),
    ('adopteeeee', 'https://three.example/', 'three.example', 'three', false, 'Three', null, '2026-11-01', '2026-11-01');
  insert into public.endpoint_states (endpoint_id, last_outcome)
  select id, 'timeout' from public.endpoints;
  insert into public.listings (endpoint_id, directory, first_listed_at, last_listed_at, last_run_id)
  values ('oneeeeeeee', 'north', '2026-11-01', '2026-11-02', 1), ('twoooooooo', 'north', '2026-11-01', '2026-11-02', 1),
    ('twoooooooo', 'south', '2026-11-01', '2026-11-02', 2);
  select public.maintain_observation_partitions('2026-11-01', '2026-11-01');
  insert into public.observations (endpoint_id, at, outcome, vitality, failure)
  values ('oneeeeeeee', '2026-11-01 10:00:00Z', 'timeout', 0, 'processing ERR_DEADLINE');
  insert into public.daily_rollups (endpoint_id, day, probes, scored, latency_n, latency_sum_ms)
  values ('oneeeeeeee', '2026-11-01', 48, 48, 0, 0);
  insert into public.snapshots (
    endpoint_id, slug, resource, host, templated, score, grade, recommendation, confidence, probes_30d, pay_on,
    first_seen, listing_status, computed_at, content_hash, content_changed_at, days_tracked, error_flags, warning_flags
  )
  select id, slug, resource, host, templated, 70.5, 'B', 'proceed', 0.9, 48, '[]', first_seen_at, 'listed',
    '2026-11-02', 'hash', '2026-11-02', 1, 0, 0
  from public.endpoints;
  insert into public.snapshot_details (endpoint_id, scoring_version, inputs, facts)
  select id, '1.0.0', '{}', '{}' from public.endpoints;
`;

beforeAll(async () => {
  const connection = await createPgliteConnection({
    url: `file://${dataDir}`,
    pgliteOptions: { extensions: { vector } },
  });
  await connection.driver.waitReady;
  await migrate(connection.driver, migrations.filter(isFirstRelease));
  await connection.driver.exec(OLD_DATA);
  await connection.close();
  database = await startEmbedded({ dataDir, keys: createKeys() });
});
afterAll(async () => {
  await database.close();
  rmSync(dataDir, { recursive: true, force: true });
});

async function query(sql: string): Promise<readonly unknown[]> {
  return (await database.connection.driver.query(sql)).rows;
}

describe('a data folder of the first release', () => {
  it('is upgraded by the new migrations', () => {
    const added = migrations.filter((migration) => !isFirstRelease(migration));
    expect(added.length).toBeGreaterThan(0);
    expect(database.applied).toEqual(added.map(({ version }) => version));
  });

  it('ranks by the score until each endpoint is scored again, and queues all of them', async () => {
    expect(
      await query(`
        select endpoint_id as id, score_low as low, score_high as high, listing_source as source from public.snapshots
        order by 1`),
    ).toEqual([
      { id: 'adopteeeee', low: 70.5, high: 70.5, source: 'adopted' },
      { id: 'oneeeeeeee', low: 70.5, high: 70.5, source: 'directory' },
      { id: 'twoooooooo', low: 70.5, high: 70.5, source: 'directory' },
    ]);
    expect(
      await query(`select endpoint_ids from public.claim_scores('2026-11-02 00:00:00Z', 60, 10)`),
    ).toEqual([
      { endpoint_ids: expect.arrayContaining(['adopteeeee', 'oneeeeeeee', 'twoooooooo']) as unknown },
    ]);
  });

  it('gives the texts of an endpoint to its only directory, and to none of several', async () => {
    expect(
      await query(
        'select endpoint_id as id, directory, service_name as name from public.listings order by 1, 2',
      ),
    ).toEqual([
      { id: 'oneeeeeeee', directory: 'north', name: 'One' },
      { id: 'twoooooooo', directory: 'north', name: null },
      { id: 'twoooooooo', directory: 'south', name: null },
    ]);
  });

  it('keeps the texts of an endpoint with several directories until they are read', async () => {
    const read = (): Promise<readonly unknown[]> =>
      query(`select service_name as name from public.endpoints where id = 'twoooooooo'`);
    const recordSouth = (name: string): Promise<readonly unknown[]> =>
      query(`
        select public.record_listings(r.id, '2026-11-03', '{
          "offset": 0, "nextOffset": 1, "items": 1, "duplicates": 0, "rejected": 0
        }', '[{
          "id": "twoooooooo", "resource": "https://two.example/", "host": "two.example", "slug": "two",
          "templated": false, "options": [], "serviceName": "${name}"
        }]')
        from public.start_discovery('south', '2026-11-03') r`);
    await recordSouth('South');
    expect(await read()).toEqual([{ name: 'Two' }]);
    expect(
      await query(`select count(*)::int as n from public.changes where kind = 'metadata_change'`),
    ).toEqual([{ n: 0 }]);
  });

  it('has scoring inputs, reports and a history without the new values', async () => {
    const inputs = await query(`
      select i.last24h ->> 'scored' as scored, i.window_sums -> 'causes' as causes,
        i.window_sums -> 'responseHistogram' as histogram, i.state -> 'lastFailure' as failure
      from public.scoring_inputs('2026-11-01 20:00:00Z', array['oneeeeeeee']) i`);
    expect(inputs).toEqual([{ scored: '1', causes: {}, histogram: null, failure: null }]);
    const sources = await query(`
      select s.source ->> 'scoringVersion' as version, s.source -> 'endpoint' ->> 'source' as source
      from public.report_sources(array['adopteeeee']) s`);
    expect(sources).toEqual([{ version: '1.0.0', source: 'adopted' }]);
    const histories = await query(`
      select h -> 'raw' -> 0 ->> 6 as cause, h -> 'raw' -> 0 ->> 1 as outcome, h -> 'causes30d' as causes
      from public.endpoint_history('oneeeeeeee', '2026-11-01', '2026-11-02', 10, 10, 1000, false) h`);
    expect(histories).toEqual([{ cause: null, outcome: 'timeout', causes: {} }]);
  });
});
