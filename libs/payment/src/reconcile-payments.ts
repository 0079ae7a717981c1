import {
  ChainUnreadable,
  findAuthorization,
  type AuthorizationFate,
  type Providers,
} from '@touchstone/chain';
import {
  auditPayment,
  failPayment,
  settlePayment,
  takeUncheckedPayments,
  type Db,
  type Payment,
} from '@touchstone/store';
import { isOver, receiptOf } from './settle-purchase.ts';

export interface ReconcileOptions {
  readonly db: Db;
  /** Providers of the network whose payments are looked after. */
  readonly chain: Providers;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** How many payments are looked at in one pass: 100. */
  readonly limit?: number;
  /** Hears of payments that a facilitator said were settled, and were not. */
  readonly onTrouble?: (message: string, error: unknown) => void;
}

/**
 * How many payments were found settled, how many were given up, how many said to be settled are on the chain and how
 * many are not, and how many stay to be looked at again.
 */
export interface Reconciled {
  readonly settled: number;
  readonly failed: number;
  readonly audited: number;
  readonly disputed: number;
  readonly open: number;
}

/** A payment is looked after once nobody has served it for so long; until then its buyer may come back. */
const GRACE_MS = 120_000;
/** By then a settlement has reached every node. */
const SETTLED_MS = 60_000;
/** Clocks and block times differ by minutes at most. */
const MARGIN_MS = 600_000;
/** A chain that could not be read so often in a row is left for the next pass. */
const MOST_UNREADABLE = 3;

/** As rows have them, in lower case. */
const hex = (text: string): `0x${string}` => text as `0x${string}`;

const fateOf = async ({ chain }: ReconcileOptions, payment: Payment): Promise<AuthorizationFate> =>
  findAuthorization(chain, {
    asset: hex(payment.asset),
    payer: hex(payment.payer),
    nonce: hex(payment.nonce),
    payTo: hex(payment.payTo),
    amount: payment.amount,
    since: payment.createdAt - MARGIN_MS,
  });

/** What a facilitator said was settled: the chain has the last word on it. */
const audit = async (
  { db, now, onTrouble }: ReconcileOptions,
  payment: Payment,
  fate: AuthorizationFate,
): Promise<keyof Reconciled> => {
  if (fate.state === 'paid') {
    await auditPayment(db, payment, { transaction: fate.transaction, now: now() });
    return 'audited';
  }
  await auditPayment(db, payment, { transaction: null, now: now() });
  const { transaction, payer, nonce } = payment;
  onTrouble?.(
    `the facilitator said that it settled a payment, and the chain says that it is ${fate.state}: payer ${payer}, nonce ${nonce}, transaction ${transaction ?? 'unknown'}`,
    null,
  );
  return 'disputed';
};

const reconcile = async (options: ReconcileOptions, payment: Payment): Promise<keyof Reconciled> => {
  const { db, now } = options;
  const fate = await fateOf(options, payment);
  // Its time must be over for the chain, and not for our clock alone.
  if (fate.state === 'unused' && !isOver(fate, payment.validBefore)) return 'open';
  if (payment.state === 'settled') return audit(options, payment, fate);
  if (fate.state === 'paid') {
    const { transaction } = fate;
    const receipt = receiptOf(payment, transaction);
    await settlePayment(db, payment, { transaction, receipt, audited: true, now: now() });
    return 'settled';
  }
  if (payment.state === 'failed') {
    await auditPayment(db, payment, { transaction: null, now: now() });
    return 'audited';
  }
  const refused = fate.state !== 'unused';
  return (await failPayment(db, payment, { refused, now: now() })) ? 'failed' : 'open';
};

/**
 * Looks after payments whose settlement was begun and never heard of again, and whose buyers did not come back: what the
 * chain says of each is recorded, and those that can no longer be settled are given up. What a facilitator said was
 * settled is compared with the chain once, and what failed is looked for once more. A payment that cannot be read stays
 * as it is, and comes after all others the next time.
 */
export const reconcilePayments = async (options: ReconcileOptions): Promise<Reconciled> => {
  const { db, chain, now, limit = 100 } = options;
  const { network } = chain;
  const at = now();
  const payments = await takeUncheckedPayments(db, {
    network,
    now: at,
    openBefore: at - GRACE_MS,
    settledBefore: at - SETTLED_MS,
    failedBefore: at - MARGIN_MS,
    limit,
  });
  const counts = { settled: 0, failed: 0, audited: 0, disputed: 0, open: 0 };
  let unreadable = 0;
  for (const payment of payments) {
    try {
      counts[unreadable < MOST_UNREADABLE ? await reconcile(options, payment) : 'open'] += 1;
      if (unreadable < MOST_UNREADABLE) unreadable = 0;
    } catch (error) {
      if (!(error instanceof ChainUnreadable)) throw error;
      unreadable += 1;
      counts.open += 1;
    }
  }
  return counts;
};
