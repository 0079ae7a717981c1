import type { Usd } from '../decimal.ts';

/** Limits of the policy that depend on earlier payments. A day is the last 24 hours. */
export interface LimitPolicy {
  /** Maximum sum of all payments to one host in a day, in US dollars; null for no limit. */
  readonly maxHostUsdPerDay: Usd | null;
  /** Maximum sum of all payments in a day, in US dollars; null for no limit. */
  readonly maxUsdPerDay: Usd | null;
  /** Maximum sum of all payments of the journal, in US dollars; null for no limit. */
  readonly maxUsdTotal: Usd | null;
  /** Maximum number of payments in a day; null for no limit. */
  readonly maxPaymentsPerDay: number | null;
  /**
   * Time in seconds for which a request (method, URL and body) whose response was delivered is not paid again; at most
   * `MAX_MEMORY_SECONDS`, and 0 for no limit.
   */
  readonly repeatAfterSeconds: number;
  /**
   * Time in seconds for which a request is not paid again if an earlier payment of the request brought no delivery, and
   * the earlier payment was settled or its state is unknown; at most `MAX_MEMORY_SECONDS`.
   */
  readonly payAgainAfterSeconds: number;
  /**
   * Number of payments without a delivery, in a day and since the latest delivery, after which a host or a recipient is
   * not paid again; null for no limit. An earlier payment without a delivery leads to a warning. Payments without a
   * response count (at the latest after 5 minutes), and failures whose cause is the seller: 402, 5xx and empty success
   * responses except for 202, 204 and 205. Another status from 400 to 499 counts if the chain shows that the payment was
   * settled.
   */
  readonly maxUndelivered: number | null;
  /**
   * Maximum number of payments in a day to one host, and to one recipient, if Touchstone does not know the host; null for
   * no limit.
   */
  readonly maxUnknownPayments: number | null;
}

export const DEFAULT_LIMITS: LimitPolicy = {
  maxHostUsdPerDay: null,
  maxUsdPerDay: null,
  maxUsdTotal: null,
  maxPaymentsPerDay: null,
  repeatAfterSeconds: 10,
  payAgainAfterSeconds: 3_600,
  maxUndelivered: 2,
  maxUnknownPayments: 1,
};

/** Time for which a ledger keeps single payments, in seconds: 7 days. Older payments only count in the total. */
export const MAX_MEMORY_SECONDS = 604_800;

/** Code of a rule that depends on earlier payments. */
export type LimitCode =
  /** The payments to the host in the last 24 hours would exceed `maxHostUsdPerDay`. */
  | 'host-budget'
  /** The payments in the last 24 hours would exceed `maxUsdPerDay`. */
  | 'day-budget'
  /** The payments of the journal would exceed `maxUsdTotal`. */
  | 'total-budget'
  | 'max-payments'
  /** The same request was paid and delivered less than `repeatAfterSeconds` ago. */
  | 'repeated-request'
  /** The same request was paid, the payment was settled, and nothing was delivered. */
  | 'already-paid'
  /** The same request was paid, nothing was delivered, and the state of the payment is unknown. */
  | 'payment-unclear'
  /** The same request was paid, and the payment can still be settled. Only where no earlier payment can be sent again. */
  | 'payment-open'
  /** Earlier payments to the host or the recipient brought no delivery. */
  | 'undelivered'
  /** Touchstone does not know the host, and the host or the recipient was already paid in the last 24 hours. */
  | 'unknown-repeated';
