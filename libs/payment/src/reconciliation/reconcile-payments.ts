import {
  ChainUnreadableError,
  readAuthorizationState,
  type AuthorizationState,
  type Providers,
} from '@touchstone/chain';
import { MINUTE_MS } from '@touchstone/common';
import {
  auditPayment,
  failPayment,
  settlePayment,
  claimUncheckedPayments,
  type Db,
  type Payment,
} from '@touchstone/store';
import { PAYMENT_STATES } from '../fulfilment/payment-states.ts';
import { createReceipt, isExpired, toSearchStart } from '../fulfilment/settlement-outcome.ts';
import { toHex } from '../request/read-payment.ts';

export interface ReconcileOptions {
  readonly db: Db;
  /** RPC providers of the network. Only payments on this network are compared with the chain. */
  readonly chain: Providers;
  /** Returns the time in milliseconds since the epoch. */
  readonly now: () => number;
  /** Maximum number of payments in one run; default 100. */
  readonly limit?: number;
  /**
   * Called for each payment that a facilitator reported as settled and that is not on the chain, and once for each paid
   * payment whose work is unfinished.
   */
  readonly onError?: (message: string, error: unknown) => void;
}

/** Counts of a reconciliation run without payments. */
const NOTHING_RECONCILED = {
  settled: 0,
  /** Open payments that were not settled before their authorization ended. */
  failed: 0,
  /** Payments whose state `settled` or `failed` the chain confirmed. */
  audited: 0,
  /** Payments that were reported as settled and are not on the chain. */
  disputed: 0,
  /** Payments that are left for a later run. */
  open: 0,
};
/** Numbers of payments in one reconciliation run, by result. */
export type ReconciliationCounts = Readonly<typeof NOTHING_RECONCILED>;

/**
 * Minimum time since the lease of an open payment ended, in milliseconds. Until then, the buyer may send the request
 * again.
 */
const OPEN_GRACE_MS = 2 * MINUTE_MS;
/** Minimum age of a settlement in milliseconds. Some nodes may not have the block of a younger settlement yet. */
const SETTLED_GRACE_MS = MINUTE_MS;
/**
 * Minimum time since a failed payment expired, in milliseconds. Our clock and block times can differ by some minutes.
 */
const FAILED_GRACE_MS = 10 * MINUTE_MS;
/**
 * Maximum number of payments in a row that could not be read from the chain. After this number, the other payments are
 * left for a later run.
 */
const MAX_UNREADABLE = 3;

const readState = ({ chain }: ReconcileOptions, payment: Payment): Promise<AuthorizationState> =>
  readAuthorizationState(chain, {
    asset: toHex(payment.asset),
    payer: toHex(payment.payer),
    nonce: toHex(payment.nonce),
    payTo: toHex(payment.payTo),
    amount: payment.amount,
    since: toSearchStart(payment.createdAt),
  });

/** Returns the next state of a payment according to PAYMENT_STATES; null if the chain does not change the state. */
function toNextState(state: Payment['state'], isPaid: boolean): Payment['state'] | null {
  if (state === 'disputed') return null;
  const { events } = PAYMENT_STATES[state];
  return events[isPaid ? 'chain-paid' : 'chain-unpaid'].next;
}

const describeDispute = ({ transaction, payer, nonce }: Payment, { state }: AuthorizationState): string =>
  `the facilitator reported a payment as settled, but its authorization is ${state} on the chain: payer ${payer}, nonce ${nonce}, transaction ${transaction ?? 'unknown'}`;

const describeUndelivered = ({ payer, nonce }: Payment, transaction: string | null): string =>
  `a payment was settled, and its result is not delivered until its request is sent again: payer ${payer}, nonce ${nonce}, transaction ${transaction ?? 'unknown'}`;

async function reconcilePayment(
  options: ReconcileOptions,
  payment: Payment,
): Promise<keyof ReconciliationCounts> {
  const { db } = options;
  const authorization = await readState(options, payment);
  // An unused payment stays open until the time of the chain has passed the end of its validity. The time of our clock
  // is not sufficient, because a later block can have an earlier time.
  if (authorization.state === 'unused' && !isExpired(authorization, payment.validBefore)) return 'open';
  const transaction = authorization.state === 'paid' ? authorization.transaction : null;
  const next = toNextState(payment.state, transaction !== null);
  if (next === null) return 'open';
  if (transaction !== null && next === 'settled' && payment.state !== 'settled') {
    const receipt = createReceipt(payment, transaction);
    await settlePayment(db, payment, { transaction, receipt, audited: true });
    return 'settled';
  }
  if (next === 'failed' && payment.state !== 'failed') {
    const refused = authorization.state !== 'unused';
    return (await failPayment(db, payment, { refused })) ? 'failed' : 'open';
  }
  await auditPayment(db, payment, { transaction });
  if (next === 'working' && transaction === null) return 'failed';
  if (next === 'working') {
    options.onError?.(describeUndelivered(payment, transaction), null);
    return 'settled';
  }
  if (next !== 'disputed') return 'audited';
  options.onError?.(describeDispute(payment, authorization), null);
  return 'disputed';
}

/**
 * Compares payments with the chain:
 * - open payments whose buyer sent no further request; a paid payment without a result is reported once, and stays open
 * - each settled payment, once
 * - each failed payment, once after its authorization has expired
 *
 * A payment whose state cannot be read from the chain keeps its stored state, and is the last payment of the next run.
 */
export async function reconcilePayments(options: ReconcileOptions): Promise<ReconciliationCounts> {
  const { db, chain, now, limit = 100 } = options;
  const startedAt = now();
  const payments = await claimUncheckedPayments(db, {
    network: chain.network,
    now: startedAt,
    openBefore: startedAt - OPEN_GRACE_MS,
    settledBefore: startedAt - SETTLED_GRACE_MS,
    failedBefore: startedAt - FAILED_GRACE_MS,
    limit,
  });
  const counts = { ...NOTHING_RECONCILED };
  let unreadable = 0;
  for (const payment of payments) {
    try {
      counts[unreadable < MAX_UNREADABLE ? await reconcilePayment(options, payment) : 'open'] += 1;
      if (unreadable < MAX_UNREADABLE) unreadable = 0;
    } catch (error) {
      if (!(error instanceof ChainUnreadableError)) throw error;
      unreadable += 1;
      counts.open += 1;
    }
  }
  return counts;
}
