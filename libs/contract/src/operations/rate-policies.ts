/** Maximum number of requests of one client in a time window. */
export interface RatePolicy {
  /** Slug of the policy in the RateLimit headers and in the counter. */
  readonly name: string;
  readonly limit: number;
  readonly windowSeconds: number;
}

/** Rate limits per client. */
export const RATE_POLICIES = {
  /** Free operations: five requests a second, more than a reader needs and little load for the service. */
  free: { name: 'free', limit: 300, windowSeconds: 60 },
  /**
   * Requests to paid operations without a payment, and with a payment that bought nothing. Ten a second is enough for
   * a host with hundreds of agents that each request one challenge, and limits invalid payments to the facilitator.
   */
  unpaid: { name: 'unpaid', limit: 600, windowSeconds: 60 },
  /** Requests with a payment, repeated ones included: twenty a second, more than one host buys. */
  paid: { name: 'paid', limit: 1_200, windowSeconds: 60 },
} as const satisfies Readonly<Record<string, RatePolicy>>;
