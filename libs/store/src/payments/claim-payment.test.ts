import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestDatabase, T0, type TestDatabase } from '../testing/fixtures.ts';
import { claimPayment, type PaymentClaim } from './claim-payment.ts';
import { findPayment, refusePayment, storePaymentResult } from './payments.ts';

const LATER = T0 + 31_000;

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

const given: PaymentClaim = {
  network: 'eip155:8453',
  asset: '0xusdc',
  payer: '0xpayer',
  nonce: '0x1',
  route: 'POST /v1/x402-trust',
  requestHash: 'request',
  paymentHash: 'payment',
  secretHash: 'secret',
  resource: 'https://api.example.com/',
  payTo: '0xshop',
  amount: 2n ** 200n,
  validBefore: T0 + 300_000,
  owner: 'one',
};

it('a payment that is settled again has its own lease, and the terms of its first claim', async () => {
  await claimPayment(database.db, given, { now: T0, leaseSeconds: 30 });
  await storePaymentResult(database.db, given, { result: '{}', now: T0, leaseSeconds: 30 });
  const resume = (now: number) => {
    const changed = { ...given, owner: 'two', amount: 1n, payTo: '0xother' };
    return claimPayment(database.db, changed, { now, leaseSeconds: 30, settleSeconds: 45 });
  };
  const { payTo, amount } = given;
  const stored = { payTo, amount, createdAt: T0 };
  expect(await resume(LATER)).toMatchObject({ outcome: 'resumed', attempt: 2, stored });
  expect((await resume(LATER + 44_000)).outcome).toBe('busy');
  expect(await resume(LATER + 46_000)).toMatchObject({ outcome: 'resumed', attempt: 3, stored });
});

it('a failed payment that is claimed again keeps the time of its first claim', async () => {
  const failed = { ...given, nonce: '0x2' };
  await claimPayment(database.db, failed, { now: T0, leaseSeconds: 30 });
  await storePaymentResult(database.db, failed, { result: '{}', now: T0, leaseSeconds: 30 });
  expect(await refusePayment(database.db, failed, T0)).toBe(true);
  const again = await claimPayment(database.db, failed, { now: LATER, leaseSeconds: 30 });
  expect(again).toMatchObject({ outcome: 'claimed', state: 'failed', stored: { createdAt: T0 } });
  expect(await findPayment(database.db, failed)).toMatchObject({ state: 'working', createdAt: T0 });
});
