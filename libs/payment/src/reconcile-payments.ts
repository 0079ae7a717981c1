import { ChainUnreadable, findAuthorization, type Providers } from '@touchstone/chain';
import { failPayment, readOpenPayments, settlePayment, type Db, type Payment } from '@touchstone/store';
import { receiptOf } from './settle-purchase.ts';

export interface ReconcileOptions {
  readonly db: Db;
  /** Providers of the network whose payments are looked after. */
  readonly chain: Providers;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** How many payments are looked at in one pass: 100. */
  readonly limit?: number;
}

/** How many payments were found settled, how many were given up, and how many stay open. */
export interface Reconciled {
  readonly settled: number;
  readonly failed: number;
  readonly open: number;
}

/** A payment is looked after once nobody has served it for so long; until then its buyer may come back. */
const GRACE_MS = 120_000;
/** Clocks and block times differ by minutes at most. */
const MARGIN_MS = 600_000;

/** As rows have them, in lower case. */
const hex = (text: string): `0x${string}` => text as `0x${string}`;

const fateOf = async ({ chain }: ReconcileOptions, payment: Payment) =>
  findAuthorization(chain, {
    asset: hex(payment.asset),
    payer: hex(payment.payer),
    nonce: hex(payment.nonce),
    payTo: hex(payment.payTo),
    amount: payment.amount,
    since: payment.createdAt - MARGIN_MS,
  });

const reconcile = async (options: ReconcileOptions, payment: Payment): Promise<keyof Reconciled> => {
  const { db, now } = options;
  const fate = await fateOf(options, payment);
  if (fate.state === 'paid') {
    const receipt = receiptOf(payment, fate.transaction);
    await settlePayment(db, payment, { transaction: fate.transaction, receipt, now: now() });
    return 'settled';
  }
  // Its time must be over for the chain, and not for our clock alone.
  if (fate.state === 'unused' && fate.headAt <= payment.validBefore) return 'open';
  return (await failPayment(db, payment, now())) ? 'failed' : 'open';
};

/**
 * Looks after payments whose settlement was begun and never heard of again, and whose buyers did not come back: what the
 * chain says of each is recorded, and those that can no longer be settled are given up. A network that cannot be read
 * leaves them open.
 */
export const reconcilePayments = async (options: ReconcileOptions): Promise<Reconciled> => {
  const { db, chain, now, limit = 100 } = options;
  const payments = await readOpenPayments(db, { network: chain.network, before: now() - GRACE_MS, limit });
  const counts = { settled: 0, failed: 0, open: 0 };
  for (const payment of payments) {
    try {
      counts[await reconcile(options, payment)] += 1;
    } catch (error) {
      if (!(error instanceof ChainUnreadable)) throw error;
      counts.open = payments.length - counts.settled - counts.failed;
      return counts;
    }
  }
  return counts;
};
