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

/**
 * SQL that stores data as the first release did: listings, a failed probe, scores, two adopted endpoints (one of them
 * listed later), and an endpoint that has been down for weeks.
 */
const OLD_DATA = `
  insert into public.endpoints (id, resource, host, slug, templated, service_name, description, first_seen_at, adopted_at)
  values
    ('oneeeeeeee', 'https://one.example/', 'one.example', 'one', false, 'One', 'Text', '2026-11-01', null),
    ('twoooooooo', 'https://two.example/', 'two.example', 'two', false, 'Two', null, '2026-11-01', null),
    ('downeeeeee', 'https://down.example/', 'down.example', 'down', false, 'Down', null, '2026-10-01', null),
    ('adopteeeee', 'https://three.example/', 'three.example', 'three', false, 'Three', null, '2026-11-01', '2026-11-01'),
    ('latereeeee', 'https://later.example/', 'later.example', 'later', false, 'Later', null, '2026-11-01', '2026-11-01');
  insert into public.endpoint_states (endpoint_id, last_outcome)
  select id, 'timeout' from public.endpoints;
  update public.endpoint_states set down_since = '2026-10-12 09:30:00Z', misses = 900, liveness = 'down',
    last_observed_at = '2026-11-01 23:30:00Z', last_probed_at = '2026-11-01 23:30:00Z'
  where endpoint_id = 'downeeeeee';
  insert into public.changes (endpoint_id, at, kind) select id, first_seen_at, 'listed' from public.endpoints;
  insert into public.listings (endpoint_id, directory, first_listed_at, last_listed_at, last_run_id)
  values ('oneeeeeeee', 'north', '2026-11-01', '2026-11-02', 1), ('twoooooooo', 'north', '2026-11-01', '2026-11-02', 1),
    ('downeeeeee', 'north', '2026-10-01', '2026-11-02', 1), ('twoooooooo', 'south', '2026-11-01', '2026-11-02', 2),
    ('latereeeee', 'north', '2026-11-02', '2026-11-02', 1);
  select public.maintain_observation_partitions('2026-11-01', '2026-11-01');
  insert into public.observations (endpoint_id, at, outcome, vitality, failure)
  values ('oneeeeeeee', '2026-11-01 10:00:00Z', 'timeout', 0, 'processing ERR_DEADLINE');
  insert into public.daily_rollups (endpoint_id, day, probes, scored, latency_n, latency_sum_ms)
  values ('oneeeeeeee', '2026-11-01', 48, 48, 0, 0);
  insert into public.snapshots (
    endpoint_id, slug, resource, host, templated, score, grade, recommendation, confidence, probes_30d, pay_on,
    first_seen, last_probed_at, listing_status, computed_at, content_hash, content_changed_at, days_tracked, error_flags, warning_flags
  )
  select id, slug, resource, host, templated, 70.5, 'B', 'proceed', 0.9, 48, '[]', first_seen_at,
    '2026-11-01 23:30:00Z', 'listed', '2026-11-02', 'hash', '2026-11-02', 1, 0, 0
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
      { id: 'downeeeeee', low: 70.5, high: 70.5, source: 'directory' },
      { id: 'latereeeee', low: 70.5, high: 70.5, source: 'directory' },
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
      { id: 'downeeeeee', directory: 'north', name: 'Down' },
      { id: 'latereeeee', directory: 'north', name: 'Later' },
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

  it('keeps the start of an outage, and counts the endpoint as not reachable', async () => {
    const since = '2026-10-12 09:30:00+00';
    expect(
      await query(`
        select t.failing_since as state, s.failing_since as snapshot, t.last_failure as failure
        from public.endpoint_states t join public.snapshots s using (endpoint_id)
        where t.failing_since is not null or s.failing_since is not null`),
    ).toEqual([{ state: since, snapshot: since, failure: null }]);
    expect(
      await query(
        `select e ->> 'endpoints' as endpoints, e ->> 'reachable' as reachable from public.ecosystem() e`,
      ),
    ).toEqual([{ endpoints: '5', reachable: '4' }]);
    await query(`
      select * from public.record_observations('worker', '2026-11-02 00:00:00Z', '[{
        "endpointId": "downeeeeee", "at": "2026-11-02T00:00:00Z", "outcome": "not-found", "vitality": 0,
        "excluded": false, "httpStatus": 410, "method": "GET", "failure": "http-410", "failurePhase": "response",
        "failureDetail": "HTTP 410 Gone."
      }]')`);
    expect(
      await query(`
        select failing_since as since, (last_failure ->> 'since')::timestamptz as "failureSince", last_failure ->> 'error' as error
        from public.endpoint_states where endpoint_id = 'downeeeeee'`),
    ).toEqual([{ since, failureSince: since, error: 'http-410' }]);
  });

  it('has the event of a listing only for endpoints that a directory listed', async () => {
    expect(
      await query(`
        select endpoint_id as id, at from public.changes
        where kind = 'listed' and endpoint_id in ('adopteeeee', 'latereeeee', 'oneeeeeeee') order by 1`),
    ).toEqual([
      { id: 'latereeeee', at: '2026-11-02 00:00:00+00' },
      { id: 'oneeeeeeee', at: '2026-11-01 00:00:00+00' },
    ]);
  });

  it('has summaries without a price range, and scores without inputs of the new formula', async () => {
    const summaries = await query(`
      select s -> 'snapshot' ->> 'score' as score, s -> 'snapshot' -> 'lowest_price_usd_30d' as low,
        s -> 'snapshot' -> 'highest_price_usd_30d' as high, s -> 'payTo' as "payTo"
      from public.endpoint_summary('oneeeeeeee', p_pay_to => '0xaa') s`);
    const payTo = { observed: false, current: false };
    expect(summaries).toEqual([{ score: '70.5', low: null, high: null, payTo }]);
    const scores = await query(`
      select b.endpoint_id as id, b.score, b.scoring_version as version, b.inputs
      from public.bulk_scores(array['oneeeeeeee', 'unknownnnn']) b`);
    expect(scores).toEqual([{ id: 'oneeeeeeee', score: 70.5, version: '1.0.0', inputs: null }]);
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
