import { describe, expect, test } from 'vitest';
import { scenario } from '../testing/story-requests.ts';
import { toIsoTime, useTestSandbox, TEST_EPOCH } from '../testing/test-sandbox.ts';

const sandbox = useTestSandbox();

function send(path: string, init?: RequestInit) {
  return fetch(`${sandbox.ready.controlUrl}${path}`, init);
}

function put(body: string, type = 'application/json') {
  return send('/clock', { method: 'PUT', headers: { 'content-type': type }, body });
}

describe('the clock', () => {
  test('stops at a time and returns it with the zone of that time', async () => {
    const { at, zone } = await sandbox.setClock('2026-01-09T13:00:00+01:00');
    expect(at).toBe('2026-01-09T12:00:00.000Z');
    expect(zone).toEqual(await sandbox.zone());
    expect(zone.unresolvable).toEqual(['oldharbor.sandbox.test']);
    expect(await (await send('/clock')).json()).toEqual({ at, zone });
  });

  test('follows real time again', async () => {
    expect((await sandbox.setClock(null)).at).toBeNull();
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', ''])(
    'is not changed by a request with the media type %j, which a web page can send',
    async (type) => {
      expect((await put('{"at":null}', type)).status).toBe(415);
      expect(await (await send('/clock')).json()).toMatchObject({ at: TEST_EPOCH });
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
  ])('rejects %j', async (body) => {
    expect((await put(body)).status).toBe(400);
    expect(await (await send('/clock')).json()).toMatchObject({ at: TEST_EPOCH });
  });
});

test('the zone maps every name to the TLS server, and a dead host to another port', async () => {
  const zone = await sandbox.zone();
  expect(zone).toEqual({
    suffix: 'sandbox.test',
    address: '127.0.0.1',
    port: sandbox.ready.tlsPort,
    unresolvable: [],
    overrides: zone.overrides,
  });
  expect(Object.keys(zone.overrides)).toEqual(['stillwater.sandbox.test']);
  expect(zone.overrides['stillwater.sandbox.test']?.port).not.toBe(zone.port);
});

test('the scenario contains the current state of each endpoint', async () => {
  await sandbox.setClock(toIsoTime(12.5));
  const body: unknown = await (await send('/scenario')).json();
  expect(body).toMatchObject({ endpoints: { length: scenario.endpoints.length } });
  expect(body).toHaveProperty(
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

test('responds with 404 to other paths and methods', async () => {
  expect((await send('/')).status).toBe(404);
  expect((await send('/zone', { method: 'DELETE' })).status).toBe(404);
});
