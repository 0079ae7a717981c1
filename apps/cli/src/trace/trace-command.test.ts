import { PAYMENT_STATUS_EXAMPLE as EXAMPLE } from '@touchstone/contract/operations/payment-status/response';
import { SCHEMAS } from '@touchstone/contract';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runInProcess } from '../testing/run-in-process.ts';
import { type Running, startServer } from '../testing/serve.ts';

const { network, asset, payer, nonce } = EXAMPLE.requested;
const WALLET = ['--payer', payer ?? '', '--nonce', nonce ?? ''];
const END = String(Date.parse(EXAMPLE.requested.validBefore ?? '') / 1_000);
const NAMED = [...WALLET, '--network', 'base', '--asset', asset, '--valid-before', END];
const QUERY = `network=eip155%3A8453&payer=${payer ?? ''}&nonce=${nonce ?? ''}&asset=${asset}&valid_before=${END}`;

/** Creates the header of a payment whose signature is not checked. */
function createHeader(x402Version: 1 | 2, change: object = {}): string {
  const authorization = { from: payer, to: payer, value: '10000', nonce, validAfter: '0', validBefore: END };
  const terms = { scheme: 'exact', network: x402Version === 1 ? 'base' : network, ...change };
  const payload = { signature: '0x', authorization };
  const accepted = { ...terms, asset, amount: '10000', payTo: payer, maxTimeoutSeconds: 300 };
  const payment = x402Version === 1 ? { x402Version, ...terms, payload } : { x402Version, accepted, payload };
  return Buffer.from(JSON.stringify(payment)).toString('base64');
}

let folder = '';
let service: Running;
let response: { status: number; body: unknown };
let requested: (string | undefined)[] = [];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'touchstone-trace-'));
  [response, requested] = [{ status: 200, body: EXAMPLE }, []];
  service = await startServer((request, reply) => {
    requested.push(request.url);
    reply.writeHead(response.status, { 'content-type': 'application/json' });
    reply.end(JSON.stringify(response.body));
  });
});
afterEach(async () => {
  await service[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

const trace = (...args: readonly string[]) =>
  runInProcess(['trace', '--service', `http://127.0.0.1:${String(service.port)}`, ...args]);

it('says first what happened to the money, and exits with 1 if it is not safe to pay again', async () => {
  const { code, stdout } = await trace(...NAMED);
  expect([code, stdout.split('\n')[0]]).toEqual([1, 'Paid. Do not pay again.']);
  for (const text of ['The payment arrived: $0.01', EXAMPLE.payments[0]?.transaction, '31204118'])
    expect(stdout).toContain(text);
  expect(stdout).toContain('Asked by   https://api.example.com/v1/weather');
  expect(requested).toEqual([`/v1/payment-status?${QUERY}`]);
});

it('reads all values from the signed payment, also with the name of a network of version 1', async () => {
  await trace('--payment', createHeader(2));
  await trace('--payment', createHeader(1), '--asset', asset);
  expect(requested.map((url) => [...new URLSearchParams(url?.split('?')[1])].toSorted().join('&'))).toEqual(
    Array.from({ length: 2 }, () => [...new URLSearchParams(QUERY)].toSorted().join('&')),
  );
});

it.each<[string, readonly string[], string]>([
  ['a nonce without a network', [...WALLET, '--asset', asset], 'Give --network and --asset'],
  ['a nonce without a token', [...WALLET, '--network', network], 'Give --network and --asset'],
  [
    'a header with another name',
    ['--payment', createHeader(2), '--network', 'base'],
    'Give --payment without',
  ],
  ['a header of version 1 without a token', ['--payment', createHeader(1)], 'Add --asset'],
  ['a header with another token', ['--payment', createHeader(2), '--asset', '0x1'], 'Leave out --asset'],
  [
    'a payment of Solana',
    ['--payment', createHeader(2, { network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp' })],
    'has no nonce. Name it by its transaction',
  ],
  ['text that is no payment', ['--payment', 'e30='], 'no readable payment'],
  ['no name', [], 'give --payment'],
])('asks nothing about %s', async (_, args, text) => {
  const { code, stderr } = await trace(...args);
  expect([code, stderr.replaceAll(/\s+/g, ' ')]).toEqual([2, expect.stringContaining(text)]);
  expect(requested).toHaveLength(0);
});

it('exits with 0 if it is safe to pay again', async () => {
  const body = { ...EXAMPLE, state: 'expired', cause: 'unused', payments: [], safeToPayAgain: true };
  response = { status: 200, body };
  const { code, stdout } = await trace(...NAMED);
  expect([code, stdout.split('\n')[0]]).toEqual([0, 'Not charged: the payment expired. Safe to pay again.']);
});

it('checks the signature with the given keys, and prints the signed document', async () => {
  const keys = join(folder, 'keys.json');
  writeFileSync(keys, JSON.stringify(SCHEMAS['key-set'].example));
  const { code, stdout } = await trace(...NAMED, '--keys', keys, '--json');
  expect([code, JSON.parse(stdout)]).toEqual([1, EXAMPLE]);
  response = { status: 200, body: { ...EXAMPLE, safeToPayAgain: true } };
  const forged = await trace(...NAMED, '--keys', keys);
  expect([forged.code, forged.stdout]).toEqual([2, '']);
  expect(forged.stderr).toContain('not signed with the given keys (forged)');
});

it.each<[string, unknown, string]>([
  ['a paid state that is safe', { ...EXAMPLE, safeToPayAgain: true }, 'not the state of a payment'],
  [
    'the state of another payment',
    { ...EXAMPLE, requested: { ...EXAMPLE.requested, nonce: '7' } },
    'another payment: its nonce differs',
  ],
  [
    'the state in another token',
    { ...EXAMPLE, requested: { ...EXAMPLE.requested, asset: payer } },
    'another payment: its asset differs',
  ],
  [
    'the state for another end',
    { ...EXAMPLE, requested: { ...EXAMPLE.requested, validBefore: '2026-06-01T00:04:59.000Z' } },
    'another payment: its validBefore differs',
  ],
  ['no object', [], 'returned no JSON object'],
])('does not believe %s', async (_, body, text) => {
  response = { status: 200, body };
  const { code, stdout, stderr } = await trace(...NAMED);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain(text);
});

it('passes on what the service says', async () => {
  const body = { code: 'chain-unavailable', detail: 'Do not pay again yet.' };
  response = { status: 503, body };
  const { code, stderr } = await trace(...NAMED);
  expect([code, stderr]).toEqual([2, expect.stringContaining('Do not pay again yet.')]);
});
