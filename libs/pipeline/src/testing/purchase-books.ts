import { createHash } from 'node:crypto';
import type { WatchCreated } from '@touchstone/contract';
import type { Db } from '@touchstone/store';
import type { Cipher } from '@touchstone/watch';
import { expect } from 'vitest';

const SIGNING_KEY = /^[0-9a-f]{64}$/;
const MONTH_MS = 30 * 24 * 60 * 60 * 1000;

/** Reads all rows of the payments and of the tables of watches. */
export async function readRows(db: Db) {
  const [payments, purchases, watches, log, destinations, deliveries, attempts] = await Promise.all([
    db.from('payments').select().throwOnError(),
    db.from('watch_purchases').select().throwOnError(),
    db.from('watches').select().throwOnError(),
    db.from('watch_log').select().order('sequence').throwOnError(),
    db.from('watch_destinations').select().throwOnError(),
    db.from('watch_deliveries').select().throwOnError(),
    db.from('watch_attempts').select().throwOnError(),
  ]);
  return {
    payments: payments.data,
    purchases: purchases.data,
    watches: watches.data,
    log: log.data,
    destinations: destinations.data,
    deliveries: deliveries.data,
    attempts: attempts.data,
  };
}

type Rows = Awaited<ReturnType<typeof readRows>>;

/**
 * Compares the database with the chain: each transfer is one settled payment and one applied purchase, each applied
 * creation is one active watch, and each applied renewal added 30 days.
 *
 * @param transactions hashes of the transfers on the chain
 */
export function expectBalanced(rows: Rows, transactions: readonly string[]): void {
  const settled = rows.payments.filter(({ state }) => state === 'settled');
  const applied = rows.purchases.filter(({ applied_at: appliedAt }) => appliedAt !== null);
  expect(settled.map(({ transaction }) => transaction).toSorted()).toEqual(transactions.toSorted());
  expect(applied.map(({ nonce }) => nonce).toSorted()).toEqual(settled.map(({ nonce }) => nonce).toSorted());

  const toCreated = (purchases: Rows['purchases']) =>
    purchases.filter(({ kind }) => kind === 'create').map(({ watch_id: id }) => id);
  const active = rows.watches.filter(({ status }) => status === 'active');
  expect(active.map(({ id }) => id).toSorted()).toEqual(toCreated(applied).toSorted());
  // A repeated creation leaves no second watch.
  expect(rows.watches.map(({ id }) => id).toSorted()).toEqual(toCreated(rows.purchases).toSorted());
  for (const watch of rows.watches) {
    const renewals = applied.filter(({ kind, watch_id: id }) => kind === 'renew' && id === watch.id).length;
    const duration = Date.parse(watch.expires_at) - Date.parse(watch.created_at);
    expect(duration).toBe((1 + renewals) * MONTH_MS);
    const logged = rows.log.filter(({ watch_id: id }) => id === watch.id).map(({ type }) => type);
    const renewed = Array.from({ length: renewals }, () => 'renewed');
    expect(logged).toEqual(watch.status === 'active' ? ['created', ...renewed] : []);
  }
}

/** Returns the texts by which someone could use a watch or sign its messages. */
export function toSecrets({ secret, webhook_secret: webhookSecret }: WatchCreated): readonly string[] {
  const signingKey = createHash('sha256').update(secret).digest('hex');
  return [secret.replace('wsk_', ''), signingKey, webhookSecret.replace('whsec_', '')];
}

/**
 * Checks that no row contains one of the secrets in plain text. Each stored URL and each known signing key can be
 * decrypted, so the check searches for texts that are stored.
 */
export async function expectWithoutSecrets(
  rows: Rows,
  secrets: ReadonlySet<string>,
  { decrypt }: Pick<Cipher, 'decrypt'>,
): Promise<void> {
  const text = JSON.stringify(rows);
  for (const secret of secrets) expect(text).not.toContain(secret);
  for (const { url } of rows.destinations) {
    const decrypted = await decrypt(url ?? '');
    expect(secrets).toContain(decrypted.split('/').at(-1));
  }
  const keys = await Promise.all(rows.watches.map(({ signing_key: key }) => decrypt(key)));
  expect(keys).toEqual(expect.arrayContaining([...secrets].filter((secret) => SIGNING_KEY.test(secret))));
}
