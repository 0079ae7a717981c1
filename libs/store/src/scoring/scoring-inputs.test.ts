import { DAY_MS, HOUR_MS, MINUTE_MS } from '@touchstone/common';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adoptEndpoint, type Observation } from '../index.ts';
import {
  makeEndpoint,
  makeObservation,
  makeTerms,
  openTestDatabase,
  T0,
  type TestDatabase,
} from '../testing/fixtures.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

const down = { vitality: 'down', outcome: 'timeout', compliance: null, bucket: null } as const;

/** Creates an endpoint with observations at the given hours after T0, and returns its scoring input at an hour. */
async function createEndpoint(
  id: string,
  observations: readonly (readonly [number, Partial<Observation>])[],
) {
  await database.discover(`inputs ${id}`, T0, [makeEndpoint(id)]);
  for (const [hour, extra] of observations) {
    const at = T0 + hour * HOUR_MS;
    await database.record([makeObservation(id, at, extra)], at + MINUTE_MS);
  }
  return (hour: number) => database.readInput(id, T0 + hour * HOUR_MS);
}

describe('the last 24 hours', () => {
  it('contain the probes after the same time of the previous day', async () => {
    const read = await createEndpoint('lastdayaaa', [
      [0, {}],
      [1, down],
      [2, { compliance: 'warnings' }],
      [3, { compliance: 'errors' }],
      [4, { compliance: 'unpayable' }],
      [5, { outcome: 'free', compliance: null }],
      [6, { vitality: 'neither', outcome: 'blocked', compliance: null }],
      [7, { ...down, excluded: true }],
    ]);
    const none = { scored: 0, up: 0, free: 0, pass: 0, warnings: 0, errors: 0, unpayable: 0 };
    expect((await read(8))?.last24h).toEqual({
      scored: 6,
      up: 5,
      free: 1,
      pass: 1,
      warnings: 1,
      errors: 1,
      unpayable: 1,
    });
    expect((await read(26))?.last24h).toEqual({
      ...none,
      scored: 3,
      up: 3,
      free: 1,
      errors: 1,
      unpayable: 1,
    });
    expect((await read(60))?.last24h).toEqual(none);
  });

  it('contain no recheck', async () => {
    const id = 'lastdaybbb';
    const read = await createEndpoint(id, [[1, down]]);
    const at = T0 + 2 * HOUR_MS;
    await database.db.from('leases').insert({
      endpoint_id: id,
      slot_at: new Date(at).toISOString(),
      owner: 'w',
      expires_at: new Date(at + HOUR_MS).toISOString(),
      is_recheck: true,
    });
    await database.record([makeObservation(id, at, { ...down, slotAt: at })], at + MINUTE_MS);
    expect(await read(3)).toMatchObject({ last24h: { scored: 1 }, state: { downSince: T0 + HOUR_MS } });
  });
});

describe('the last seven days', () => {
  it('include the current day in UTC and the six days before it', async () => {
    const read = await createEndpoint('lastweekaa', [
      [-24 * 6 - 1, down],
      [-24 * 6, {}],
      [-1, {}],
      [1, down],
    ]);
    expect((await read(2))?.sums).toMatchObject({ scored: 4, up: 2, last7d: { scored: 3, up: 2 } });
  });
});

describe('changes', () => {
  it('have their payment terms only if they are the latest of their kind', async () => {
    const read = await createEndpoint('changesaaa', [
      [1, { terms: makeTerms('100', '0xa') }],
      [2, { terms: makeTerms('200', '0xa') }],
      [3, { terms: makeTerms('300', '0xa') }],
      [4, { terms: makeTerms('300', '0xb') }],
    ]);
    const changes = (await read(5))?.changes ?? [];
    expect(changes.map(({ kind, at }) => [kind, (at - T0) / HOUR_MS])).toEqual([
      ['price_change', 2],
      ['price_change', 3],
      ['payto_change', 4],
    ]);
    const terms = { version: 2, description: null, options: [] };
    expect(changes.map(({ before, after }) => [before, after])).toEqual([
      [null, null],
      [terms, terms],
      [terms, terms],
    ]);
  });
});

describe('an endpoint', () => {
  it('has the time of its latest compliance verdict', async () => {
    const read = await createEndpoint('verdictaaa', [
      [1, {}],
      [2, down],
    ]);
    expect((await read(3))?.state.complianceAt).toBe(T0 + HOUR_MS);
  });

  it('is adopted until a directory lists it, and comes from a directory also after that drops it', async () => {
    const id = 'adoptedaaa';
    const { resource, host, slug } = makeEndpoint(id);
    await adoptEndpoint(database.db, T0, {
      endpoint: {
        id,
        resource,
        host,
        slug,
        serviceName: null,
        description: null,
        intervalSeconds: 1800,
        offsetSeconds: 0,
      },
      observation: makeObservation(id, T0),
      challenge: null,
      hostLimit: 5,
      provisionalUntil: T0 + HOUR_MS,
    });
    const readSource = async () => (await database.readInput(id, T0 + DAY_MS))?.endpoint.source;
    expect(await readSource()).toBe('adopted');
    await database.discover('sources', T0 + HOUR_MS, [makeEndpoint(id)]);
    expect(await readSource()).toBe('directory');
    for (const hours of [2, 3]) await database.discover('sources', T0 + hours * HOUR_MS, []);
    expect(await readSource()).toBe('directory');
  });
});
