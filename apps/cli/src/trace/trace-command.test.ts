import { PAYMENT_STATUS_EXAMPLE as EXAMPLE } from '@touchstone/contract/operations/payment-status/response';
import { SCHEMAS } from '@touchstone/contract';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runInProcess } from '../testing/run-in-process.ts';
import { type Running, startServer } from '../testing/serve.ts';

const { payer, nonce } = EXAMPLE.requested;
const NAMED = ['--payer', payer ?? '', '--nonce', nonce ?? ''];

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
  const { code, stdout } = await trace(...NAMED, '--valid-before', '1780272300');
  expect([code, stdout.split('\n')[0]]).toEqual([1, 'Paid. Do not pay again.']);
  for (const text of ['The payment arrived: $0.01', EXAMPLE.payments[0]?.transaction, '31204118'])
    expect(stdout).toContain(text);
  expect(stdout).toContain('Asked by   https://api.example.com/v1/weather');
  expect(requested).toEqual([
    `/v1/payment-status?network=eip155%3A8453&payer=${payer ?? ''}&nonce=${nonce ?? ''}&valid_before=1780272300`,
  ]);
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
  ['no object', [], 'returned no JSON object'],
])('does not believe %s', async (_, body, text) => {
  response = { status: 200, body };
  const { code, stdout, stderr } = await trace(...NAMED);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain(text);
});

it('passes on what the service says, and asks for the name of a payment', async () => {
  const body = { code: 'chain-unavailable', detail: 'Do not pay again yet.' };
  response = { status: 503, body };
  const { code, stderr } = await trace(...NAMED);
  expect([code, stderr]).toEqual([2, expect.stringContaining('Do not pay again yet.')]);
  const unnamed = await trace();
  expect([unnamed.code, unnamed.stderr]).toEqual([2, expect.stringContaining('give its transaction')]);
  expect(requested).toHaveLength(1);
});
