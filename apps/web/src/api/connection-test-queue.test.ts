import { setTimeout as sleep } from 'node:timers/promises';
import type { Seller } from '@touchstone/payment';
import { createWatchSecret } from '@touchstone/watch';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { startWatchDatabase } from '../testing/watch-database.ts';

/** Seller that takes no payment: it runs the work of the operation. */
const seller: Pick<Seller, 'respond'> = {
  respond: async (_request, operation) => {
    // The work of both operations is replaced below and reads no argument.
    await operation.work({} as never, {} as never, {} as never);
    return new Response('{}');
  },
};

let database: Awaited<ReturnType<typeof startWatchDatabase>>;
let modules: typeof import('./connection-test-queue.ts') &
  typeof import('./paid-route.ts') &
  typeof import('./watch-routes.ts') &
  typeof import('../operations/paid-operations.ts') &
  typeof import('../operations/watch-operations.ts');
let createRoute: typeof import('../app/v1/watch-endpoint-30d/route.ts');
let release = (): void => undefined;
let running = 0;

beforeAll(async () => {
  vi.resetModules();
  vi.doMock('../operations/seller.ts', () => ({ openSeller: () => seller }));
  database = await startWatchDatabase();
  modules = {
    ...(await import('./connection-test-queue.ts')),
    ...(await import('./paid-route.ts')),
    ...(await import('./watch-routes.ts')),
    ...(await import('../operations/paid-operations.ts')),
    ...(await import('../operations/watch-operations.ts')),
  };
  createRoute = await import('../app/v1/watch-endpoint-30d/route.ts');
});
afterAll(async () => {
  vi.doUnmock('../operations/seller.ts');
  vi.resetModules();
  await database.close();
});

const buy = (path: string): Request =>
  new Request(`http://localhost${path}`, { method: 'POST', headers: { 'payment-signature': 'eyJ9' } });

/** Sends an edit with the secret of an unknown watch. */
const edit = (body: object): Promise<Response> => {
  const { id, secret } = createWatchSecret();
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
  const url = `http://localhost/v1/watch/${id}`;
  return Promise.resolve(
    modules.watchRoute.PATCH(new Request(url, { method: 'PATCH', headers, body: JSON.stringify(body) })),
  );
};
const withUrl = { delivery: { webhook_url: 'https://alerts.example.com/x' } };

it('delays other purchases and edits without URLs by no slow connection test', async () => {
  const ended = new Promise<void>((resolve) => {
    release = resolve;
  });
  vi.spyOn(modules.createWatchOperation, 'work').mockImplementation(async () => {
    running += 1;
    await ended;
    return { body: {} };
  });
  vi.spyOn(modules.trustOperation, 'work').mockResolvedValue({ body: {} });
  const creates = Array.from({ length: 20 }, async () => createRoute.POST(buy('/v1/watch-endpoint-30d')));
  await expect.poll(() => running).toBe(8);
  expect((await modules.paidRoute(modules.trustOperation).POST(buy('/v1/x402-trust'))).status).toBe(200);
  expect((await edit({ liveness_sensitivity_n: 3 })).status).toBe(401);

  // An edit with URLs waits for one of the 8 places.
  let isEdited = false;
  const waiting = edit(withUrl).then((response) => {
    isEdited = true;
    return response;
  });
  await sleep(50);
  expect([isEdited, running]).toEqual([false, 8]);
  release();
  expect((await waiting).status).toBe(401);
  expect((await Promise.all(creates)).map(({ status }) => status)).toEqual(creates.map(() => 200));
  expect(running).toBe(20);
});

it('refuses requests while 200 wait', async () => {
  const ended = new Promise<void>((resolve) => {
    release = resolve;
  });
  const enqueue = async () => modules.enqueueConnectionTests(() => ended);
  const tasks = Array.from({ length: 8 }, enqueue);
  // The queue starts its tasks asynchronously.
  await sleep(1);
  tasks.push(...Array.from({ length: 200 }, enqueue));
  const refused = await edit(withUrl);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '10']);
  expect(await refused.json()).toMatchObject({
    code: 'rate-limited',
    detail: expect.stringContaining('connection tests') as unknown,
  });
  const unsold = await createRoute.POST(buy('/v1/watch-endpoint-30d'));
  expect([unsold.status, unsold.headers.get('retry-after')]).toEqual([503, '10']);
  release();
  await Promise.all(tasks);
  expect((await edit(withUrl)).status).toBe(401);
});
