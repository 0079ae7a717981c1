import { HOUR_MS } from '@touchstone/common';
import { describe, expect, it } from 'vitest';
import { useTestDatabase, T0 } from '../testing/fixtures.ts';
import { makePayment } from '../testing/watches.ts';
import { claimPayment, type PaymentClaim } from './claim-payment.ts';
import { extendPaymentLease, findPayment, releasePayment, storePaymentResult } from './payments.ts';

const LEASE = { leaseSeconds: 30 };
const LATER = T0 + 31_000;

const database = useTestDatabase();

const makeClaim = (name: string): PaymentClaim =>
  makePayment({ payer: '0xpayer', nonce: `0x${name}`, owner: 'one' });
const claim = (given: PaymentClaim, now = T0) => claimPayment(database.db, given, { now, ...LEASE });
const keep = (given: PaymentClaim, now = T0) =>
  storePaymentResult(database.db, given, { result: '{"a":1}', now, ...LEASE });
const other = (given: PaymentClaim): PaymentClaim => ({ ...given, owner: 'two' });

describe('a payment', () => {
  it('that nobody took over is held by an extension that comes after the end of its lease', async () => {
    const given = makeClaim('late');
    await claim(given);
    await extendPaymentLease(database.db, given, { now: LATER, ...LEASE });
    expect((await claim(other(given), LATER + 1_000)).outcome).toBe('busy');
    expect(await keep(given, LATER)).toBe('stored');
    await releasePayment(database.db, given, LATER);
    // A released payment is not held again.
    await extendPaymentLease(database.db, given, { now: LATER, ...LEASE });
    expect((await claim(other(given), LATER)).outcome).toBe('resumed');
  });

  it('has no lease after the clock of the database was set back by an hour', async () => {
    const given = makeClaim('early');
    await claim(given, T0 + HOUR_MS);
    expect((await claim(other(given))).outcome).toBe('claimed');
    await claim(given, T0 + 2 * HOUR_MS);
    await extendPaymentLease(database.db, given, { now: T0, ...LEASE });
    expect((await claim(other(given), T0 + 1_000)).outcome).toBe('busy');
  });

  it('is leased according to the clock of the database', async () => {
    const given = makeClaim('clock');
    await claim(given, Date.now() - HOUR_MS);
    expect(await findPayment(database.db, given)).toMatchObject({ isLeased: false });
    const now = (await claimPayment(database.db, other(given), LEASE)).outcome;
    expect([now, (await findPayment(database.db, given))?.isLeased]).toEqual(['claimed', true]);
  });

  it('that is settled again has a lease that only its owner extends, and the terms of its first claim', async () => {
    const given = makeClaim('resumed');
    await claim(given);
    await keep(given);
    const changed = { ...other(given), amount: 1n, payTo: '0xother' };
    const at = (now: number) => ({ now, leaseSeconds: 10 });
    const resume = (now: number) => claimPayment(database.db, changed, at(now));
    const stored = { payTo: given.payTo, amount: given.amount, createdAt: T0 };
    expect(await resume(LATER)).toMatchObject({ outcome: 'resumed', attempt: 2, stored });
    await extendPaymentLease(database.db, given, at(LATER + 8_000));
    expect(await resume(LATER + 10_000)).toMatchObject({ outcome: 'resumed', attempt: 3, stored });
    await extendPaymentLease(database.db, changed, at(LATER + 18_000));
    expect((await resume(LATER + 27_000)).outcome).toBe('busy');
  });
});
