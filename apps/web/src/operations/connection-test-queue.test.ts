import type { WatchCreateRequest } from '@touchstone/contract';
import { createWatchSecret } from '@touchstone/watch';
import { expect, it } from 'vitest';
import { useTestDatabase } from '../testing/test-database.ts';

const { getModules } = useTestDatabase(async () => ({
  ...(await import('./connection-test-queue.ts')),
  ...(await import('./routes/watch-routes.ts')),
  ...(await import('./watch-context.ts')),
}));

const WEBHOOK = 'https://alerts.example.com/x';

/**
 * Requests a watch of an endpoint that is not in the catalog. The service refuses the request. Returns the error code.
 */
async function create(client: string, webhooks: readonly string[]) {
  const request: WatchCreateRequest = {
    endpoint: 'https://unknown.example.com/',
    events: ['payto_change'],
    livenessSensitivityN: 2,
    webhookUrls: webhooks.map((url, index) => ({ url, path: `delivery.webhook_urls[${index}]` })),
    chatUrls: [],
  };
  const buyer = {
    network: 'eip155:84532',
    asset: '0xasset',
    payer: '0xpayer',
    nonce: '0xnonce',
    owner: 'owner',
  };
  const modules = getModules();
  const result = await modules.createInQueue(modules.getWatchContext(), request, { buyer, client });
  return result.kind === 'problem' ? result.code : result.kind;
}

/** Sends an edit with the secret of an unknown watch. */
async function edit(body: object): Promise<Response> {
  const { id, secret } = createWatchSecret();
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
  const url = `http://localhost/v1/watch/${id}`;
  return getModules().watchRoute.PATCH(
    new Request(url, { method: 'PATCH', headers, body: JSON.stringify(body) }),
  );
}

/** Fills the queue with connection tests of one client. The tests end when the test calls `release`. */
function fillQueue(client: string) {
  let release = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    release = resolve;
  });
  const run = () =>
    getModules().connectionTestQueue.run(client, () =>
      ended.then(() => ({ kind: 'result' as const, body: null })),
    );
  const tests = Array.from({ length: 200 }, run).filter((test) => test !== null);
  return {
    count: tests.length,
    end: async () => {
      release();
      await Promise.all(tests);
    },
  };
}

it('runs the connection tests of other clients while URLs of one client do not respond', async () => {
  const attack = fillQueue('attacker');
  expect(attack.count).toBe(24);
  expect(await create('attacker', [WEBHOOK])).toBe('rate-limited');
  expect(await create('attacker', [])).toBe('unknown-resource');
  expect(await create('honest', [WEBHOOK])).toBe('unknown-resource');
  expect((await edit({ delivery: { webhook_url: WEBHOOK } })).status).toBe(401);
  await attack.end();
  expect(await create('attacker', [WEBHOOK])).toBe('unknown-resource');
});

it('asks a client with too many connection tests to repeat the request', async () => {
  const attack = fillQueue('unknown');
  const refused = await edit({ delivery: { webhook_url: WEBHOOK } });
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '10']);
  expect(await refused.json()).toMatchObject({
    code: 'rate-limited',
    detail: expect.stringContaining('connection tests') as unknown,
  });
  expect((await edit({ liveness_sensitivity_n: 3 })).status).toBe(401);
  await attack.end();
});
