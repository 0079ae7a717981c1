import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { scenario } from './test-endpoints.ts';
import { onDay, openTestWorld, TEST_EPOCH } from './test-world.ts';
import type { TestWorld } from './test-world.ts';

let world: TestWorld;
beforeAll(async () => {
  world = await openTestWorld();
});
beforeEach(() => world.setClock(TEST_EPOCH));
afterAll(() => world.close());

const asked = (path: string, init?: RequestInit) => fetch(`${world.ready.controlUrl}${path}`, init);
const put = (body: string, type = 'application/json') =>
  asked('/clock', { method: 'PUT', headers: { 'content-type': type }, body });

describe('the clock', () => {
  test('stops at a moment and answers it with the zone of that moment', async () => {
    const { at, zone } = await world.setClock('2026-01-09T13:00:00+01:00');
    expect(at).toBe('2026-01-09T12:00:00.000Z');
    expect(zone).toEqual(await world.zone());
    expect(zone.unresolvable).toEqual(['oldharbor.sandbox.test']);
    expect(await (await asked('/clock')).json()).toEqual({ at, zone });
  });

  test('follows real time again', async () => {
    expect((await world.setClock(null)).at).toBeNull();
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', ''])(
    'is not moved by a page that sends %j',
    async (type) => {
      expect((await put('{"at":null}', type)).status).toBe(415);
      expect(await (await asked('/clock')).json()).toMatchObject({ at: TEST_EPOCH });
    },
  );

  test.each([
    '',
    '{}',
    'null',
    '{"at":"tomorrow"}',
    '{"at":0}',
    '{"at":null,"speed":2}',
    '{"at":"2026-01-01"}',
  ])('refuses %j', async (body) => {
    expect((await put(body)).status).toBe(400);
    expect(await (await asked('/clock')).json()).toMatchObject({ at: TEST_EPOCH });
  });
});

test('the zone leads every name to the TLS server, and a dead host elsewhere', async () => {
  const zone = await world.zone();
  expect(zone).toEqual({
    suffix: 'sandbox.test',
    address: '127.0.0.1',
    port: world.ready.tlsPort,
    unresolvable: [],
    overrides: zone.overrides,
  });
  expect(Object.keys(zone.overrides)).toEqual(['stillwater.sandbox.test']);
  expect(zone.overrides['stillwater.sandbox.test']?.port).not.toBe(zone.port);
});

test('the scenario tells the truth of the moment', async () => {
  await world.setClock(onDay(12.5));
  const truth: unknown = await (await asked('/scenario')).json();
  expect(truth).toMatchObject({ endpoints: { length: scenario.endpoints.length } });
  expect(truth).toHaveProperty(
    'endpoints',
    expect.arrayContaining([
      expect.objectContaining({
        name: 'brightmap-solar-yield',
        url: 'https://brightmap.sandbox.test/v1/solar/yield',
        kind: 'hanging',
      }),
      expect.objectContaining({
        story: 'delisted',
        listed: false,
        kind: 'healthy',
        behaviour: { kind: 'healthy' },
      }),
      expect.objectContaining({ story: 'payto-swap-recent', wallet: 'stranger-one' }),
    ]),
  );
});

test('nothing else is there', async () => {
  expect((await asked('/')).status).toBe(404);
  expect((await asked('/zone', { method: 'DELETE' })).status).toBe(404);
});
