import { mkdtempSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findStateFolder } from '../state-files.ts';
import { createOrder } from './order.ts';
import { MAX_STORED_MS, openStoredPayments, type Payment } from './stored-payments.ts';

const NOW = Date.UTC(2026, 5, 1);
const order = createTestOrder('https://api.example.com/v1/weather');

function createTestOrder(resource: string) {
  const service = new URL('https://touchstone.example');
  return createOrder(service, { path: '/v1/x402-trust', input: { resource }, description: 'a trust report' });
}

function createPayment(nonce: number, signedAt: number, of = order): Payment {
  return {
    url: of.url.href,
    body: of.body,
    signature: 'c2lnbmVk',
    payer: `0x${'1'.repeat(40)}`,
    payTo: `0x${'2'.repeat(40)}`,
    amount: '5000',
    network: 'eip155:8453',
    asset: `0x${'3'.repeat(40)}`,
    nonce: `0x${nonce.toString(16).padStart(64, '0')}`,
    signedAt: new Date(signedAt).toISOString(),
    validBefore: new Date(signedAt + 60_000).toISOString(),
  };
}

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'touchstone-stored-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = (now = NOW) => openStoredPayments(folder, () => now);
const files = () => readdirSync(join(folder, 'payments'));

describe('stored payments', () => {
  it('are found by their order until they are removed', () => {
    const payment = createPayment(1, NOW);
    expect(open().find(order)).toBeNull();
    open().store(payment);
    expect(open().find(order)).toEqual(payment);
    expect(open().find(createTestOrder('https://api.example.com/v1/other'))).toBeNull();
    open().remove(payment);
    expect(open().find(order)).toBeNull();
  });

  it('are readable by their owner only', () => {
    open().store(createPayment(1, NOW));
    const [name = ''] = files();
    expect(statSync(join(folder, 'payments')).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, 'payments', name)).mode & 0o777).toBe(0o600);
  });

  it('are found by the latest time, and deleted after a day', () => {
    open().store(createPayment(1, NOW - 2_000));
    open().store(createPayment(2, NOW));
    open().store(createPayment(3, NOW - 1_000));
    expect(open().find(order)?.nonce).toBe(createPayment(2, NOW).nonce);
    expect(open(NOW + MAX_STORED_MS).find(order)?.nonce).toBe(createPayment(2, NOW).nonce);
    expect(files()).toHaveLength(1);
    expect(open(NOW + MAX_STORED_MS + 1).find(order)).toBeNull();
    expect(files()).toEqual([]);
  });

  it('are ignored when they are damaged', () => {
    open().store(createPayment(1, NOW));
    const [name = ''] = files();
    truncateSync(join(folder, 'payments', name), 20);
    expect(open().find(order)).toBeNull();
  });

  it('cause an error when they cannot be stored', () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    expect(() => openStoredPayments(file, () => NOW).store(createPayment(1, NOW))).toThrow(
      /could not be stored, so it was not sent and nothing was charged/,
    );
  });
});

describe('findStateFolder', () => {
  it('returns the state folder of the user, which XDG_STATE_HOME can change', () => {
    expect(findStateFolder({ XDG_STATE_HOME: '/var/state' })).toBe('/var/state/touchstone');
    const defaultFolder = join(homedir(), '.local', 'state', 'touchstone');
    // The XDG Base Directory Specification requires that relative paths are ignored.
    for (const env of [{}, { XDG_STATE_HOME: '' }, { XDG_STATE_HOME: 'state' }])
      expect(findStateFolder(env)).toBe(defaultFolder);
  });
});
