/** How much one client may ask within a window of time. */
export interface RatePolicy {
  /** A slug: what clients and the counter call it. */
  readonly name: string;
  readonly limit: number;
  readonly windowSeconds: number;
}

/** What bounds one client, by what it asks. */
export const RATE_POLICIES = {
  /** Free data: five a second for a minute is more than anybody reads, and little for this service. */
  free: { name: 'free', limit: 300, windowSeconds: 60 },
  /**
   * Challenges, and payments that bought nothing: ten a second lets a host with hundreds of agents buy, who each ask
   * once before they pay, while nobody keeps the facilitator busy with payments that are none.
   */
  unpaid: { name: 'unpaid', limit: 600, windowSeconds: 60 },
  /** Requests with a payment, sold results asked for again among them: no host buys twenty reports a second. */
  paid: { name: 'paid', limit: 1_200, windowSeconds: 60 },
} as const satisfies Readonly<Record<string, RatePolicy>>;
