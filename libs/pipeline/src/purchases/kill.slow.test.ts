import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { HOUR_MS } from '@touchstone/common';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPurchaseWorld, type PurchaseWorld } from '../testing/purchase-world.ts';
import { useWorld } from '../testing/world.ts';
import { buyPurchases } from './buy-purchases.ts';

const PROGRAM = fileURLToPath(new URL('../testing/purchase-process.ts', import.meta.url));
/**
 * Endpoints of one host, so that the job buys from one after the other. No request to a seller is then in flight when the
 * process is killed, and the seller settles nothing afterwards.
 */
const ENDPOINTS = [
  ['https://skyfall.sandbox.test/v2/current', { city: 'Lisbon' }],
  ['https://skyfall.sandbox.test/v2/forecast', { lat: '38.72', lon: '-9.14', days: '7' }],
] as const;

const world = useWorld({ isShared: true });
let shop: PurchaseWorld;
let proxy: Server;
/** Called before a database request of the job is forwarded. Resolves to false if the request must not be forwarded. */
let onRequest: () => Promise<boolean>;

beforeAll(async () => {
  shop = await openPurchaseWorld(world);
  for (const [resource, query] of ENDPOINTS) await shop.storeEndpoint(resource, query);
  // The leases of killed processes have ended for this process.
  shop.advance(HOUR_MS);
  proxy = createServer((request, response) => {
    void (async () => {
      const body = await buffer(request);
      if (!(await onRequest())) return response.destroy();
      const { connection: _connection, host: _host, ...headers } = request.headers;
      const forwarded = await fetch(new URL(request.url ?? '/', world.database.url), {
        method: request.method ?? 'GET',
        headers: headers as Record<string, string>,
        ...(body.length > 0 ? { body } : {}),
      });
      const type = forwarded.headers.get('content-type') ?? 'application/json';
      response.writeHead(forwarded.status, { 'content-type': type }).end(await forwarded.text());
    })();
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
});
afterAll(() => {
  proxy.close();
  proxy.closeAllConnections();
  shop.close();
});

/** Runs the job in a process, and kills the process at its database request with a number. Returns true if it was killed. */
async function runAndKill(requestNumber: number): Promise<boolean> {
  const { port } = proxy.address() as AddressInfo;
  const settings = {
    DATABASE_URL: `http://127.0.0.1:${port}`,
    DATABASE_KEY: world.keys.secret,
    WALLET_KEY: shop.key,
  };
  const child = fork(PROGRAM, { env: { ...process.env, ...settings }, execArgv: [], stdio: 'inherit' });
  const exited = once(child, 'exit');
  let requests = 0;
  onRequest = async () => {
    requests += 1;
    if (requests !== requestNumber) return child.signalCode === null;
    child.kill('SIGKILL');
    await exited;
    return false;
  };
  await exited;
  if (child.signalCode === null) expect(child.exitCode).toBe(0);
  return child.signalCode !== null;
}

it('loses and repeats no payment when its process is killed at every second database request', async () => {
  let kills = 0;
  while (await runAndKill(2 * kills + 1)) {
    kills += 1;
    await buyPurchases(shop.createContext());
    const { spent, transfers, ledger } = await shop.readBooks();
    expect(ledger).toEqual({ sum: spent, transactions: transfers, undecided: 0 });
    await world.context.db.from('purchase_schedules').delete().neq('endpoint_id', '').throwOnError();
  }
  const outcomes = (await shop.readLedger()).map(({ outcome, charged }) => `${outcome}, charged: ${charged}`);
  expect(kills).toBeGreaterThan(8);
  expect(new Set(outcomes)).toEqual(
    new Set(['delivered, charged: true', 'unclear, charged: true', 'unclear, charged: false']),
  );
});
