import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KEY_SET_PATH } from '@touchstone/contract';
import type { JournalEntry } from '@touchstone/guard';
import { signDocument } from '@touchstone/trust';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createPaymentEntry,
  createRefusalEntry,
  createResponseEntry,
  createStatusEntry,
} from './testing/journal-entries.ts';
import { createKeys } from '../testing/reports.ts';
import { runInProcess } from '../testing/run-in-process.ts';
import { SELLER_WALLET } from '../testing/seller.ts';
import { startServer } from '../testing/serve.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'touchstone-receipts-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
function writeJournal(entries: readonly JournalEntry[]): string {
  const file = join(folder, `${String((files += 1))}.jsonl`);
  writeFileSync(file, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
  return file;
}

const B = { resource: 'https://b.example.com/x', at: '2026-06-02T00:00:00.000Z' };
const ENTRIES = [
  createPaymentEntry('a', { signedUsd: '0.1' }),
  createResponseEntry('a', { transaction: '0xc1a1' }),
  createPaymentEntry('b', { ...B, method: 'POST', signedUsd: '0.000000000000000001' }),
  createResponseEntry('b', { httpStatus: 502, delivered: false }),
  createPaymentEntry('c', { ...B, signedUsd: null, amountUsd: null }),
  createPaymentEntry('d', { signedUsd: '5' }),
  createStatusEntry('d', 'expired'),
  createRefusalEntry(),
];

const receipts = (entries: readonly JournalEntry[], ...args: readonly string[]) =>
  runInProcess(['receipts', '--journal', writeJournal(entries), ...args]);

describe('touchstone receipts', () => {
  it('lists the newest payment first', async () => {
    const { code, stdout, stderr } = await receipts(ENTRIES);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe(
      [
        '2026-06-01 10:00 UTC  $0.01  Not charged\n  GET https://api.example.com/v1/weather\n  No response with a status.\n',
        '2026-06-02 00:00 UTC  price unknown  Open\n  GET https://b.example.com/x\n  No response with a status.\n',
        '2026-06-02 00:00 UTC  $0.01  Open\n  POST https://b.example.com/x\n  The response had status 502.\n',
        '2026-06-01 10:00 UTC  $0.01  Delivered\n  GET https://api.example.com/v1/weather\n  0xc1a1\n',
        '1 payment refused: see --refused.\n',
      ].join('\n'),
    );
  });

  it('sums exactly what counts in the budgets', async () => {
    expect((await receipts(ENTRIES, '--by', 'host')).stdout).toBe(
      [
        'api.example.com  1 payment   1 delivered  $0.10',
        'b.example.com    2 payments  0 delivered  $0.000000000000000001 and 1 payment of unknown price',
        'total            3 payments  1 delivered  $0.100000000000000001 and 1 payment of unknown price\n',
      ].join('\n'),
    );
    const days = (await receipts(ENTRIES, '--by', 'day')).stdout;
    expect(days.match(/^\S+/gm)).toEqual(['2026-06-01', '2026-06-02', 'total']);
  });

  it('shows refusals with their first reason', async () => {
    const { stdout } = await receipts(ENTRIES, '--refused');
    expect(stdout).toBe(
      '2026-06-01 10:00 UTC  $0.01  Refused\n  GET https://api.example.com/v1/weather\n  The price is $2.00, above $1.\n',
    );
  });

  it('filters by host and time', async () => {
    expect((await receipts(ENTRIES, '--host', 'B.example.com')).stdout.match(/b\.example/g)).toHaveLength(2);
    expect((await receipts(ENTRIES, '--since', '2026-06-02')).stdout.match(/GET|POST/g)).toHaveLength(2);
    expect((await receipts(ENTRIES, '--since', '1h')).stdout).toBe('No payments match.\n');
  });

  it('exports all values without the signed payment', async () => {
    const entries = [createPaymentEntry('a', { header: 'c2lnbmVk', challenge: '{"x402Version":2}' })];
    const json = (await receipts(entries, '--export', 'json')).stdout;
    expect(JSON.parse(json)).toMatchObject([
      { state: 'open', payer: expect.any(String) as unknown, challenge: '{"x402Version":2}' },
    ]);
    const csv = (await receipts(entries, '--export', 'csv')).stdout;
    expect(csv.split('\r\n')).toHaveLength(3);
    expect(json + csv).not.toContain('c2lnbmVk');
  });

  it('prints no control characters of a seller', async () => {
    const payment = createPaymentEntry('a', {
      resource: 'https://a.example/\u001b[2J\u202e',
      network: '\u001b]0;x',
    });
    const refusal = createRefusalEntry({
      reasons: [{ code: 'max-price', action: 'abort', message: '\u001b[31mx\n::error::y' }],
    });
    for (const args of [[], ['--refused'], ['--by', 'host'], ['--export', 'csv'], ['--export', 'json']]) {
      const { stdout } = await receipts([payment, refusal], ...args);
      expect(stdout).not.toMatch(/[\u001b\u202e]|^::/m);
    }
  });

  it.each([
    [['--journal', '/does/not/exist.jsonl'], '/does/not/exist.jsonl does not exist'],
    [['--since', 'yesterday'], '--since must be a number of days or hours'],
    [['--by', 'host', '--export', 'csv'], 'cannot be used with'],
  ])('explains %j', async (args, message) => {
    const { code, stderr } = await receipts(ENTRIES, ...args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  it('names the line of a journal that cannot be read', async () => {
    const file = writeJournal(ENTRIES);
    writeFileSync(file, `${readFileSync(file, 'utf8')}{"kind":\n`);
    const { code, stderr } = await runInProcess(['receipts', '--journal', file]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('Line 9 of ')]);
    expect(stderr).not.toContain('    at ');
  });
});

const KEY = `0x${'01'.repeat(32)}` as const;
const NONCE_1 = `0x${'1'.repeat(64)}`;
const NONCE_2 = `0x${'2'.repeat(64)}`;
const MINE = { payer: privateKeyToAccount(KEY).address, endpoint: 'https://api.example.com/v1/{city}' };

describe('touchstone receipts report', () => {
  it('reports the latest certain outcome at each endpoint once', async () => {
    const now = Date.now();
    const at = (minutes: number) => new Date(now - minutes * 60_000).toISOString();
    const pay = (id: string, minutes: number, change: object = {}) =>
      createPaymentEntry(id, { ...MINE, at: at(minutes), nonce: `0x${id.repeat(64)}`, ...change });
    const respond = (id: string, minutes: number, httpStatus: number) =>
      createResponseEntry(id, { at: at(minutes), httpStatus, delivered: httpStatus === 200 });
    const file = writeJournal([
      ...[pay('a', 50), respond('a', 50, 200), pay('b', 40), respond('b', 40, 502)],
      // The cause of status 404 can be the request.
      ...[pay('c', 30), respond('c', 30, 404)],
      ...[pay('d', 20, { endpoint: 'https://b.example.com/x' }), respond('d', 20, 200)],
      ...[pay('e', 10, { payer: SELLER_WALLET, endpoint: 'https://c.example.com/x' }), respond('e', 10, 200)],
      ...[pay('f', 9, { endpoint: null }), respond('f', 9, 200)],
      ...[pay('1', 60 * 24 * 31, { endpoint: 'https://d.example.com/x' }), respond('1', 60 * 24 * 31, 200)],
    ]);
    const received: Record<string, unknown>[] = [];
    await using server = await startServer((request, response) => {
      void text(request).then((body) => {
        const outcome = JSON.parse(body) as Record<string, unknown>;
        received.push(outcome);
        // The service does not know the payment of this endpoint yet.
        const isKnown = outcome['resource'] === MINE.endpoint;
        response.writeHead(isKnown ? 200 : 404, { 'content-type': 'application/json' }).end('{}');
      });
    });
    const service = `http://127.0.0.1:${String(server.port)}`;
    const report = () =>
      runInProcess(['receipts', '--journal', file, 'report', '--service', service], '', {
        env: { TOUCHSTONE_KEY: KEY },
      });
    const first = await report();
    expect(first).toMatchObject({ code: 1, stderr: `${service} returned status 404.\n` });
    expect(first.stdout).toContain('Reported 1 outcome of 2.');
    // Both outcomes are sent at the same time.
    expect(received.toSorted((a, b) => String(a['nonce']).localeCompare(String(b['nonce'])))).toMatchObject([
      { resource: MINE.endpoint, delivered: false, http_status: 502, nonce: `0x${'b'.repeat(64)}` },
      { resource: 'https://b.example.com/x', delivered: true, http_status: 200 },
    ]);
    expect((await report()).stdout).toContain('Reported 0 outcomes of 1.');
    expect(received).toHaveLength(3);
  });

  it('needs the key of the wallet', async () => {
    const args = ['report', '--service', 'http://127.0.0.1:9'];
    const { code, stderr } = await receipts(ENTRIES, ...args);
    expect([code, stderr]).toEqual([2, expect.stringContaining('TOUCHSTONE_KEY')]);
  });
});

describe('touchstone receipts trace', () => {
  it('writes the states of open payments to the journal, and shows them', async () => {
    const keys = await createKeys('https://touchstone.example');
    const nonces: (string | null)[] = [];
    await using server = await startServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://127.0.0.1');
      if (pathname === KEY_SET_PATH) {
        response.end(JSON.stringify(keys.published));
        return;
      }
      const names = ['network', 'payer', 'nonce', 'asset'] as const;
      const [network, payer, nonce, asset] = names.map((name) => searchParams.get(name));
      const validBefore = new Date(Number(searchParams.get('valid_before')) * 1_000).toISOString();
      nonces.push(nonce ?? null);
      if (pathname !== '/v1/payment-status' || nonce === NONCE_2) {
        response.writeHead(503).end('{}');
        return;
      }
      const payments = [{ transaction: `0x${'ab'.repeat(32)}` }];
      const status = {
        ...{ schemaType: 'payment-status', generatedAt: new Date().toISOString(), signature: null },
        ...{ requested: { network, payer, nonce, asset, validBefore }, payments },
        ...{ state: 'settled', safeToPayAgain: false },
      };
      void signDocument(status, keys.signing).then((signed) =>
        response.setHeader('content-type', 'application/json').end(JSON.stringify(signed)),
      );
    });
    const file = writeJournal([
      ...[createPaymentEntry('a'), createResponseEntry('a')],
      ...[createPaymentEntry('b', { nonce: NONCE_1 }), createPaymentEntry('c', { nonce: NONCE_2 })],
    ]);
    const service = `http://127.0.0.1:${String(server.port)}`;
    const traced = await runInProcess(['receipts', '--journal', file, 'trace', '--service', service]);
    expect(traced).toMatchObject({ code: 1, stderr: '' });
    expect(nonces).toEqual([NONCE_1, NONCE_2]);
    expect(traced.stdout.match(/Paid, nothing delivered|Open|Delivered/g)).toEqual([
      'Paid, nothing delivered',
      'Open',
    ]);
    expect(traced.stdout).toContain('The state of 1 payment could not be read.');
    const listed = await runInProcess(['receipts', '--journal', file]);
    expect(listed.stdout).toContain(`0x${'ab'.repeat(32)}`);
  });
});
