import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect } from './client.ts';
import {
  claimPayment,
  failPayment,
  findPayment,
  keepPaymentResult,
  prunePayments,
  readOpenPayments,
  releasePayment,
  settlePayment,
  type PaymentClaim,
} from './payments.ts';
import { HOUR, openTestDatabase, T0, type TestDatabase } from './testing/fixtures.ts';

const LEASE = { leaseSeconds: 30 };
const LATER = T0 + 31_000;
const DAY = 24 * HOUR;

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

/** A payment of its own for every name. */
const claimOf = (name: string, extra: Partial<PaymentClaim> = {}): PaymentClaim => ({
  network: 'eip155:8453',
  asset: '0xusdc',
  payer: '0xpayer',
  nonce: `0x${name}`,
  route: 'POST /v1/x402-trust',
  requestHash: 'request',
  headerHash: 'header',
  resource: 'https://api.example.com/',
  payTo: '0xshop',
  amount: 2n ** 200n,
  validBefore: T0 + 300_000,
  owner: 'one',
  ...extra,
});
const claim = (given: PaymentClaim, now = T0) => claimPayment(database.db, given, { now, ...LEASE });
const keep = (given: PaymentClaim, now = T0) =>
  keepPaymentResult(database.db, given, { result: '{"a":1}', now, ...LEASE });
const settle = (given: PaymentClaim, now = T0, receipt = 'receipt') =>
  settlePayment(database.db, given, { transaction: '0xhash', receipt, now });
const other = (given: PaymentClaim): PaymentClaim => ({ ...given, owner: 'two' });

describe('a payment', () => {
  it('is taken, kept, settled and found, to the atomic unit', async () => {
    const given = claimOf('whole');
    expect(await findPayment(database.db, given)).toBeNull();
    const first = { headerHash: 'header', createdAt: T0 };
    expect(await claim(given)).toEqual({ outcome: 'claimed', result: null, receipt: null, ...first });
    expect(await keep(given)).toBe(true);
    expect(await settle(given, T0 + 5)).toBe('receipt');
    expect({ ...(await findPayment(database.db, given)), owner: 'one' }).toEqual({
      ...given,
      state: 'settled',
      result: '{"a":1}',
      receipt: 'receipt',
      transaction: '0xhash',
      leaseUntil: T0 + 5,
      createdAt: T0,
      settledAt: T0 + 5,
    });
    const again = { ...other(given), headerHash: 'another' };
    const settled = { outcome: 'settled', result: '{"a":1}', receipt: 'receipt' };
    expect(await claim(again, LATER)).toEqual({ ...settled, ...first });
    // The receipt that was handed out first holds.
    expect(await settle(given, LATER, 'another')).toBe('receipt');
  });

  it('is taken by one of many that come at once', async () => {
    const owners = Array.from({ length: 20 }, (_, index) => claimOf('many', { owner: `${index}` }));
    const outcomes = await Promise.all(owners.map((given) => claim(given)));
    expect(outcomes.map(({ outcome }) => outcome).toSorted()).toEqual([
      ...Array.from({ length: 19 }, () => 'busy'),
      'claimed',
    ]);
  });

  it('serves the request it came with, and no other', async () => {
    const given = claimOf('bound');
    await claim(given);
    for (const changed of [{ route: 'POST /v1/x402-history' }, { requestHash: 'changed' }]) {
      expect((await claim({ ...given, ...changed }, LATER)).outcome).toBe('other');
    }
    await keep(given);
    await settle(given);
    expect((await claim({ ...given, requestHash: 'changed' }, LATER)).outcome).toBe('other');
  });

  it('whose lease is over is worked for again, and is no longer its first owner’s to settle', async () => {
    const given = claimOf('worker');
    await claim(given);
    expect((await claim(other(given), T0 + 29_000)).outcome).toBe('busy');
    expect((await claim(other(given), LATER)).outcome).toBe('claimed');
    expect(await keep(given, LATER)).toBe(false);
    expect(await keep(other(given), LATER)).toBe(true);
    expect(await keep(other(given), LATER)).toBe(false);
  });

  it('that nobody else took over is kept however long the work was', async () => {
    const given = claimOf('slow');
    await claim(given);
    expect(await keep(given, LATER)).toBe(true);
  });

  it('whose work is done is never worked for again', async () => {
    const given = claimOf('earned');
    await claim(given);
    await keep(given);
    expect((await claim(other(given), T0 + 29_000)).outcome).toBe('busy');
    expect(await claim(other(given), LATER)).toMatchObject({ outcome: 'resumed', result: '{"a":1}' });
    // Released, it can be settled again at once; by who does not hold it, not.
    await releasePayment(database.db, given, LATER);
    expect((await claim(given, LATER)).outcome).toBe('busy');
    await releasePayment(database.db, other(given), LATER);
    expect((await claim(given, LATER)).outcome).toBe('resumed');
  });

  it('whose work came to nothing is as good as new, for another request too', async () => {
    const given = claimOf('nothing');
    await claim(given);
    await releasePayment(database.db, other(given), T0);
    expect((await claim(other(given))).outcome).toBe('busy');
    await releasePayment(database.db, given, T0);
    expect(await findPayment(database.db, given)).toBeNull();
    expect((await claim({ ...given, requestHash: 'changed' })).outcome).toBe('claimed');
  });

  it('is given up when nobody serves it and its time is over, and is settled all the same if it was', async () => {
    const given = claimOf('lost');
    await claim(given);
    await keep(given);
    const read = (before: number) =>
      readOpenPayments(database.db, { network: given.network, before, limit: 100 });
    expect((await read(LATER)).map(({ nonce }) => nonce)).toContain('0xlost');
    expect((await read(T0)).map(({ nonce }) => nonce)).not.toContain('0xlost');
    expect(await failPayment(database.db, given, T0 + 29_000)).toBe(false);
    expect(await failPayment(database.db, given, LATER)).toBe(false);
    expect(await failPayment(database.db, given, T0 + 301_000)).toBe(true);
    expect(await findPayment(database.db, given)).toMatchObject({ state: 'failed', result: null });
    expect(await settle(given, T0 + 302_000)).toBe('receipt');
    expect(await failPayment(database.db, given, T0 + 303_000)).toBe(false);
  });

  it('keeps its result for a day and its row for ever; what came to nothing goes after a week', async () => {
    const [settled, dead] = [claimOf('aged'), claimOf('dead')];
    await claim(settled);
    await keep(settled);
    await settle(settled);
    await claim(dead);
    const prune = (now: number) => prunePayments(database.db, { now, limit: 1_000 });
    await prune(T0 + DAY - 1);
    expect((await findPayment(database.db, settled))?.result).not.toBeNull();
    expect((await prune(T0 + DAY + 1_000)).results).toBeGreaterThan(0);
    expect(await findPayment(database.db, settled)).toMatchObject({ state: 'settled', result: null });
    expect((await claim(other(settled), T0 + DAY)).outcome).toBe('settled');
    expect(await findPayment(database.db, dead)).not.toBeNull();
    expect((await prune(T0 + 8 * DAY)).payments).toBeGreaterThan(0);
    expect(await findPayment(database.db, dead)).toBeNull();
    expect(await findPayment(database.db, settled)).not.toBeNull();
  });
});

describe('the ledger', () => {
  it('is nobody else’s to read', async () => {
    const stranger = connect({ url: database.url, key: database.keys.publishable });
    expect((await stranger.from('payments').select()).data ?? []).toEqual([]);
    expect(
      (await stranger.rpc('find_payment', { p_network: '', p_asset: '', p_payer: '', p_nonce: '' })).error,
    ).not.toBeNull();
  });
});
