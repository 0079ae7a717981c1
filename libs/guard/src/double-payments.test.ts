import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { wrapFetchWithPayment } from '@x402/fetch';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readSigned } from './testing/attack.ts';
import { refuse, setUp } from './testing/guarded-client.ts';
import { closeServersAfterEach } from './testing/listen.ts';
import type { Seller } from './testing/seller.ts';
import { KEYS } from './testing/touchstone.ts';

closeServersAfterEach();

const PROGRAM = fileURLToPath(new URL('testing/pay-once.ts', import.meta.url));
const children = new Set<ChildProcess>();
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'double-payments-'));
});
afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** Nonces that reached a seller. The seller settles each of them, so two nonces are a double payment. */
function listNonces(seller: Seller): ReadonlySet<string> {
  return new Set(seller.payments.map((payment) => readSigned(payment)[0]));
}

/** Lets a seller settle the first payment and lose its response. The seller delivers when the payment arrives again. */
function loseFirstResponse(seller: Seller): void {
  seller.deliver = (response) => {
    if (seller.payments.length === 1) response.destroy();
    else response.end('the weather');
  };
}

/** Starts a program that pays once. `result` resolves when the program has ended. */
function start(service: string, seller: Seller) {
  const options = JSON.stringify({ service, keys: KEYS.published.keys });
  const args = [PROGRAM, join(folder, 'payments.jsonl'), `${seller.url}/v2/weather`, options];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  children.add(child);
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  return { child, result: once(child, 'close').then(() => output) };
}

it('pays once when the response is lost and the program tries again', async () => {
  const { guard, client, seller } = await setUp();
  const url = `${seller.url}/v2/weather`;
  const unguarded = wrapFetchWithPayment(fetch, client);
  loseFirstResponse(seller);
  await expect(unguarded(url)).rejects.toThrow(TypeError);
  expect((await unguarded(url)).status).toBe(200);
  expect(listNonces(seller).size).toBe(2);

  seller.payments.length = 0;
  const guarded = wrapFetchWithPayment(guard.wrapFetch(fetch), client);
  await expect(guarded(url)).rejects.toThrow(TypeError);
  expect(await (await guarded(url)).text()).toBe('the weather');
  expect(seller.payments).toHaveLength(2);
  expect(listNonces(seller).size).toBe(1);
  expect(await refuse(guarded(url))).toBe('repeated-request');
});

it('pays once when the program is killed before the response and runs again', async () => {
  const { touchstone, seller } = await setUp();
  const paid = new EventEmitter();
  seller.deliver = () => void paid.emit('payment');
  const arrived = once(paid, 'payment');
  const { child, result } = start(touchstone.url, seller);
  await arrived;
  child.kill('SIGKILL');
  expect(await result).toBe('');
  seller.deliver = (response) => void response.end('the weather');
  expect(await start(touchstone.url, seller).result).toBe('status 200');
  expect(seller.payments).toHaveLength(2);
  expect(listNonces(seller).size).toBe(1);
});

it('pays once when two agents send the same request at once', async () => {
  const { touchstone, seller } = await setUp();
  const waiting: ServerResponse[] = [];
  seller.deliver = (response) => {
    waiting.push(response);
    if (waiting.length === 2) for (const each of waiting) each.end('the weather');
  };
  const agents = [1, 2].map(() => start(touchstone.url, seller).result);
  expect(await Promise.all(agents)).toEqual(['status 200', 'status 200']);
  expect(seller.payments).toHaveLength(2);
  expect(listNonces(seller).size).toBe(1);
});
