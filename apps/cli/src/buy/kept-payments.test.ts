import { mkdtempSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KEPT_MS, openKeptPayments, stateFolder } from './kept-payments.ts';
import { orderOf } from './order.ts';
import type { Payment } from './payment.ts';

const NOW = Date.UTC(2026, 5, 1);
const order = orderFor('https://api.example.com/v1/weather');

function orderFor(resource: string) {
  const service = new URL('https://touchstone.example');
  return orderOf(service, { path: '/v1/x402-trust', input: { resource }, what: 'a trust report' });
}

function paymentOf(nonce: number, signedAt: number, of = order): Payment {
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
  folder = mkdtempSync(join(tmpdir(), 'touchstone-kept-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = (now = NOW) => openKeptPayments(folder, () => now);
const files = () => readdirSync(join(folder, 'payments'));

describe('payments that are kept', () => {
  it('are found for the same order alone, until they are forgotten', () => {
    const payment = paymentOf(1, NOW);
    expect(open().find(order)).toBeNull();
    open().keep(payment);
    expect(open().find(order)).toEqual(payment);
    expect(open().find(orderFor('https://api.example.com/v1/other'))).toBeNull();
    open().forget(payment);
    expect(open().find(order)).toBeNull();
  });

  it('are for their owner alone to read', () => {
    open().keep(paymentOf(1, NOW));
    const [name = ''] = files();
    expect(statSync(join(folder, 'payments')).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, 'payments', name)).mode & 0o777).toBe(0o600);
  });

  it('come back latest first, and not after a day, when they are cleared away', () => {
    open().keep(paymentOf(1, NOW - 2_000));
    open().keep(paymentOf(2, NOW));
    open().keep(paymentOf(3, NOW - 1_000));
    expect(open().find(order)?.nonce).toBe(paymentOf(2, NOW).nonce);
    expect(open(NOW + KEPT_MS).find(order)?.nonce).toBe(paymentOf(2, NOW).nonce);
    expect(files()).toHaveLength(1);
    expect(open(NOW + KEPT_MS + 1).find(order)).toBeNull();
    expect(files()).toEqual([]);
  });

  it('are passed over where they are damaged', () => {
    open().keep(paymentOf(1, NOW));
    const [name = ''] = files();
    truncateSync(join(folder, 'payments', name), 20);
    expect(open().find(order)).toBeNull();
  });

  it('that cannot be written down are not sent', () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    expect(() => openKeptPayments(file, () => NOW).keep(paymentOf(1, NOW))).toThrow(
      /could not be kept, so it was not sent and nothing was charged/,
    );
  });
});

describe('where they are kept', () => {
  it('is the state folder of the user, which XDG_STATE_HOME moves', () => {
    expect(stateFolder({ XDG_STATE_HOME: '/var/state' })).toBe('/var/state/touchstone');
    const usual = join(homedir(), '.local', 'state', 'touchstone');
    // A relative one is to be taken for none (XDG Base Directory Specification).
    for (const env of [{}, { XDG_STATE_HOME: '' }, { XDG_STATE_HOME: 'state' }])
      expect(stateFolder(env)).toBe(usual);
  });
});
