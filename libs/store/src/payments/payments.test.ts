import { DAY_MS, HOUR_MS } from '@touchstone/common';
import { describe, expect, it } from 'vitest';
import {
  auditPayment,
  failPayment,
  findPayment,
  storePaymentResult,
  refusePayment,
  releasePayment,
  settlePayment,
  claimUncheckedPayments,
} from './payments.ts';
import { claimPayment, type PaymentClaim } from './claim-payment.ts';
import { prunePayments } from '../retention/retention.ts';
import { useTestDatabase, T0 } from '../testing/fixtures.ts';
import { makePayment } from '../testing/watches.ts';

const LEASE = { leaseSeconds: 30 };
const LATER = T0 + 31_000;

const database = useTestDatabase();

/** Returns the claim of a payment. Payments with different names have different nonces. */
const makeClaim = (name: string, extra: Partial<PaymentClaim> = {}): PaymentClaim =>
  makePayment({ payer: '0xpayer', nonce: `0x${name}`, amount: 2n ** 200n, owner: 'one', ...extra });
const claim = (given: PaymentClaim, now = T0) => claimPayment(database.db, given, { now, ...LEASE });
const keep = (given: PaymentClaim, now = T0) =>
  storePaymentResult(database.db, given, { result: '{"a":1}', now, ...LEASE });
const settle = (given: PaymentClaim, now = T0, receipt = 'receipt') =>
  settlePayment(database.db, given, { transaction: '0xhash', receipt, audited: false, now });
const other = (given: PaymentClaim): PaymentClaim => ({ ...given, owner: 'two' });

describe('a payment', () => {
  it('is claimed, stored, settled and found, exact to the atomic unit', async () => {
    const given = makeClaim('whole');
    expect(await findPayment(database.db, given)).toBeNull();
    const nothing = { result: null, receipt: null, settledAt: null, attempt: 0, retryAt: null };
    const absent = { state: 'absent', isSamePayment: false, stored: null };
    expect(await claim(given)).toEqual({ ...nothing, ...absent, outcome: 'claimed', openPayments: [] });
    expect(await keep(given)).toBe('stored');
    expect(await settle(given, T0 + 5)).toBe('receipt');
    expect({ ...(await findPayment(database.db, given)), owner: 'one' }).toEqual({
      ...given,
      state: 'settled',
      result: '{"a":1}',
      receipt: 'receipt',
      transaction: '0xhash',
      auditedAt: null,
      isLeased: false,
      createdAt: T0,
      settledAt: T0 + 5,
    });
    const settled = { outcome: 'settled', result: '{"a":1}', receipt: 'receipt', settledAt: T0 + 5 };
    const { payTo, amount } = given;
    const stored = { state: 'settled', isSamePayment: true, stored: { payTo, amount, createdAt: T0 } };
    expect(await claim(other(given), LATER)).toMatchObject({ ...settled, ...stored });
    // A second settlement returns the receipt of the first settlement.
    expect(await settle(given, LATER, 'another')).toBe('receipt');
  });

  it('is claimed by exactly one of many concurrent requests', async () => {
    const owners = Array.from({ length: 20 }, (_, index) => makeClaim('many', { owner: `${index}` }));
    const outcomes = await Promise.all(owners.map((given) => claim(given)));
    expect(outcomes.map(({ outcome }) => outcome).toSorted()).toEqual([
      ...Array.from({ length: 19 }, () => 'busy'),
      'claimed',
    ]);
  });

  it('serves only the request that it was first presented with', async () => {
    const given = makeClaim('bound');
    await claim(given);
    for (const changed of [{ route: 'POST /v1/x402-history' }, { requestHash: 'changed' }]) {
      expect((await claim({ ...given, ...changed }, LATER)).outcome).toBe('other');
    }
    await keep(given);
    await settle(given);
    const changed = await claim({ ...given, requestHash: 'changed' }, LATER);
    expect(changed).toMatchObject({ outcome: 'other', isSamePayment: true, state: 'settled', result: null });
    const copied = await claim({ ...given, secretHash: null }, LATER);
    expect(copied).toMatchObject({ outcome: 'other', isSamePayment: false, state: 'settled', result: null });
  });

  it('is claimed again after its lease, and its first owner cannot settle it', async () => {
    const given = makeClaim('worker');
    await claim(given);
    expect((await claim(other(given), T0 + 29_000)).outcome).toBe('busy');
    expect((await claim(other(given), LATER)).outcome).toBe('claimed');
    expect(await keep(given, LATER)).toBe('superseded');
    expect(await keep(other(given), LATER)).toBe('stored');
    expect(await keep(other(given), LATER)).toBe('superseded');
  });

  it('stores its result after long work if no other request has taken it over', async () => {
    const given = makeClaim('slow');
    await claim(given);
    expect(await keep(given, LATER)).toBe('stored');
  });

  it('is never worked on again after its result is stored', async () => {
    const given = makeClaim('earned');
    await claim(given);
    await keep(given);
    expect((await claim(other(given), T0 + 29_000)).outcome).toBe('busy');
    const resumed = { outcome: 'resumed', result: '{"a":1}', attempt: 2 };
    expect(await claim(other(given), LATER)).toMatchObject(resumed);
    // The second request holds the lease. A release by the first request does not end this lease. A release by the
    // second request ends the lease, so the first request can settle the payment immediately.
    await releasePayment(database.db, given, LATER);
    expect((await claim(given, LATER)).outcome).toBe('busy');
    expect(await releasePayment(database.db, other(given), LATER)).toBe(false);
    expect(await claim(given, LATER)).toMatchObject({ outcome: 'resumed', attempt: 3 });
  });

  it('can be used again after failed work, also for another request', async () => {
    const given = makeClaim('nothing');
    await claim(given);
    expect(await releasePayment(database.db, other(given), T0)).toBe(false);
    expect((await claim(other(given))).outcome).toBe('busy');
    expect(await releasePayment(database.db, given, T0)).toBe(true);
    expect(await findPayment(database.db, given)).toBeNull();
    expect((await claim({ ...given, requestHash: 'changed' })).outcome).toBe('claimed');
  });

  it.each([{ paymentHash: 'another' }, { secretHash: 'another' }, { secretHash: null }])(
    'with a stored result is refused when it is presented differently: %j',
    async (changed) => {
      const given = makeClaim(`mine${JSON.stringify(changed)}`);
      const stolen = { ...other(given), ...changed };
      await claim(given);
      await keep(given);
      expect((await claim(stolen, LATER)).outcome).toBe('other');
      await settle(given);
      expect(await claim(stolen, LATER)).toMatchObject({ outcome: 'other', result: null });
      expect((await claim(other(given), LATER)).outcome).toBe('settled');
    },
  );

  it('returns the other open payments of its payer, and no payments of other payers', async () => {
    const mine = (name: string, extra: Partial<PaymentClaim> = {}) =>
      makeClaim(name, { payer: '0xbusy', amount: 7n, ...extra });
    expect((await claim(makeClaim('other', { payer: '0xother' }))).openPayments).toEqual([]);
    expect((await claim(mine('b1'))).openPayments).toEqual([]);
    await claim(mine('b2', { amount: 2n ** 200n }));
    await keep(mine('b2'));
    await claim(mine('b3'));
    await keep(mine('b3'));
    await settle(mine('b3'));
    await claim(mine('b4', { network: 'eip155:137' }));
    const { openPayments } = await claim(mine('b5'));
    expect(openPayments.toSorted((a, b) => a.nonce.localeCompare(b.nonce))).toEqual([
      { nonce: '0xb1', amount: 7n },
      { nonce: '0xb2', amount: 2n ** 200n },
    ]);
    // Payments whose lease or validity has expired are not returned as open payments.
    expect((await claim(mine('b6', { validBefore: T0 + 900_000 }), T0 + 301_000)).openPayments).toEqual([]);
  });

  it('returns all earlier payments when its payer sends many payments concurrently', async () => {
    const many = Array.from({ length: 12 }, (_, index) => makeClaim(`m${index}`, { payer: '0xmany' }));
    const counts = await Promise.all(many.map(async (given) => (await claim(given)).openPayments.length));
    expect(counts.toSorted((a, b) => a - b)).toEqual(many.map((_, index) => index));
  });

  it('is limited for an hour after three refusals of its payer, unless one was settled since', async () => {
    const of = (name: string) => makeClaim(name, { payer: '0xpoor', validBefore: T0 + 9 * HOUR_MS });
    const refused = async (name: string, now: number) => {
      expect((await claim(of(name), now)).outcome).toBe('claimed');
      await keep(of(name), now);
      expect(await refusePayment(database.db, other(of(name)), now)).toBe(false);
      expect(await refusePayment(database.db, of(name), now)).toBe(true);
      expect((await findPayment(database.db, of(name)))?.state).toBe('failed');
    };
    // The payment `p1` is refused twice, with a release in between. Both refusals count.
    await refused('p1', T0);
    await claim(of('p1'), T0 + 1);
    expect(await releasePayment(database.db, of('p1'), T0 + 2)).toBe(true);
    await refused('p1', T0 + 3);
    await refused('p2', T0 + 4);
    const limited = { outcome: 'limited', retryAt: T0 + 3 + HOUR_MS };
    expect(await claim(of('p3'), T0 + 5)).toMatchObject(limited);
    expect(await claim(of('p2'), T0 + 5)).toMatchObject(limited);
    expect(await findPayment(database.db, of('p3'))).toBeNull();
    expect((await claim(makeClaim('rich', { payer: '0xrich' }), T0 + 5)).outcome).toBe('claimed');
    await refused('p3', T0 + 5 + HOUR_MS);
    await claim(of('p4'), T0 + 6 + HOUR_MS);
    await keep(of('p4'), T0 + 6 + HOUR_MS);
    await settle(of('p4'), T0 + 6 + HOUR_MS);
    await refused('p5', T0 + 7 + HOUR_MS);
    await refused('p6', T0 + 8 + HOUR_MS);
    expect((await claim(of('p7'), T0 + 9 + HOUR_MS)).outcome).toBe('claimed');
  });

  it('fails when the chain shows no transfer and no request serves it, and settles if a transfer appears', async () => {
    const given = makeClaim('lost');
    await claim(given);
    await keep(given);
    const fail = (now: number) => failPayment(database.db, given, { refused: false, now });
    expect(await fail(T0 + 29_000)).toBe(false);
    expect(await fail(LATER)).toBe(true);
    expect(await findPayment(database.db, given)).toMatchObject({ state: 'failed', result: null });
    expect(await settle(given, T0 + 302_000)).toBe('receipt');
    expect(await fail(T0 + 303_000)).toBe(false);
  });

  it('is compared with the chain until it is audited; payments with the oldest check come first', async () => {
    const of = (name: string) => makeClaim(name, { network: 'eip155:10' });
    const take = async (now: number, limit = 10) => {
      const order = { openBefore: now, settledBefore: now, failedBefore: now, now, limit };
      const taken = await claimUncheckedPayments(database.db, { ...order, network: 'eip155:10' });
      return taken.map(({ nonce }) => nonce).toSorted();
    };
    for (const [index, name] of ['open', 'sold', 'disputed', 'expired'].entries()) {
      await claim(of(name), T0 + index);
      await keep(of(name), T0 + index);
    }
    await claim(of('atwork'), T0 + 9);
    await settle(of('sold'));
    await settle(of('disputed'));
    await refusePayment(database.db, of('expired'), T0);
    expect(await take(T0 - 1)).toEqual([]);
    const later = T0 + 900_000;
    expect(await take(later, 1)).toEqual(['0xopen']);
    expect(await take(later + 1, 4)).toEqual(['0xatwork', '0xdisputed', '0xexpired', '0xsold']);
    expect(await take(later + 2, 1)).toEqual(['0xopen']);
    const audit = (name: string, transaction: string | null) =>
      auditPayment(database.db, of(name), { transaction, now: later });
    await audit('sold', '0xother');
    await audit('disputed', null);
    await audit('expired', null);
    expect(await take(later + 3)).toEqual(['0xatwork', '0xopen']);
    // The transaction of unfinished work that the chain does not have.
    await claimPayment(database.db, other(of('atwork')), { ...LEASE, now: LATER, paidBy: '0xfalse' });
    await releasePayment(database.db, other(of('atwork')), LATER);
    expect((await findPayment(database.db, of('atwork')))?.transaction).toBe('0xfalse');
    await audit('atwork', null);
    const states = ['sold', 'disputed', 'expired', 'open', 'atwork'].map(async (name) => {
      const found = await findPayment(database.db, of(name));
      return [found?.state, found?.transaction, found?.result === null];
    });
    expect(await Promise.all(states)).toEqual([
      ['settled', '0xother', false],
      ['disputed', '0xhash', false],
      ['failed', null, true],
      ['settling', null, false],
      ['working', null, true],
    ]);
    // A disputed payment still returns its result, because the facilitator caused the dispute and not the payer.
    expect((await claim(of('disputed'), later)).outcome).toBe('settled');
  });

  it('keeps its result for a day and its row for ever; failed payments are deleted after a week', async () => {
    const [settled, dead, refused] = [makeClaim('aged'), makeClaim('expired'), makeClaim('refused')];
    await claim(refused);
    await keep(refused);
    await refusePayment(database.db, refused, T0);
    await claim(settled);
    await keep(settled);
    await settle(settled);
    await claim(dead);
    await auditPayment(database.db, dead, { transaction: null, now: LATER });
    const prune = (now: number) => prunePayments(database.db, { now, limit: 1_000 });
    await prune(T0 + DAY_MS - 1);
    expect((await findPayment(database.db, settled))?.result).not.toBeNull();
    expect((await prune(T0 + DAY_MS + 1_000)).results).toBeGreaterThan(0);
    expect(await findPayment(database.db, settled)).toMatchObject({ state: 'settled', result: null });
    expect((await claim(other(settled), T0 + DAY_MS)).outcome).toBe('settled');
    expect(await findPayment(database.db, dead)).not.toBeNull();
    expect((await prune(T0 + 8 * DAY_MS)).payments).toBeGreaterThan(0);
    expect(await findPayment(database.db, dead)).toBeNull();
    expect(await findPayment(database.db, settled)).not.toBeNull();
    // A failed payment is kept until it was compared with the chain once more.
    expect(await findPayment(database.db, refused)).not.toBeNull();
    await auditPayment(database.db, refused, { transaction: null, now: T0 });
    await prune(T0 + 8 * DAY_MS);
    expect(await findPayment(database.db, refused)).toBeNull();
  });

  it('that failed and is claimed again keeps its first time, and its result for the client with the secret', async () => {
    const given = makeClaim('again');
    await claim(given);
    await keep(given);
    expect(await refusePayment(database.db, given, T0)).toBe(true);
    const again = { outcome: 'claimed', state: 'failed', stored: { createdAt: T0 } };
    expect(await claim(given, LATER)).toMatchObject(again);
    expect(await releasePayment(database.db, given, LATER)).toBe(true);
    const options = { ...LEASE, now: LATER, paidBy: '0xhash' };
    const paid = (payment: PaymentClaim) => claimPayment(database.db, payment, options);
    expect((await paid({ ...given, secretHash: 'other' })).outcome).toBe('other');
    expect(await paid(given)).toMatchObject({ outcome: 'resumed', attempt: 1 });
  });
});
