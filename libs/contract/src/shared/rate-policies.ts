/** Rate limit: maximum number of requests that one client can send in a time window. */
export interface RatePolicy {
  /** Name of the limit in the RateLimit headers and in the stored counters. */
  readonly name: string;
  readonly limit: number;
  readonly windowSeconds: number;
}

/** Rate limits per client and kind of request. */
export const RATE_POLICIES = {
  /**
   * Requests to free operations: five per second. A person sends fewer requests, and the load on the service is small.
   */
  free: { name: 'free', limit: 300, windowSeconds: 60 },
  /**
   * Requests for the summary of one endpoint: ten per second. A payer requests a summary before each payment. This
   * limit is separate from the limit `free`, so that page views and other free requests of the payer cannot block a
   * payment.
   */
  summary: { name: 'summary', limit: 600, windowSeconds: 60 },
  /**
   * Requests for the summaries of a range: one per second. A range costs as much as many summaries. A guard reads
   * each range at most every five minutes.
   */
  rangeSummaries: { name: 'range-summaries', limit: 60, windowSeconds: 60 },
  /**
   * Live checks of endpoints, including those that return a shared result: one every three seconds. A check sends about
   * four requests to another host.
   */
  check: { name: 'check', limit: 20, windowSeconds: 60 },
  /**
   * New claims of hosts, and readings of their proofs: one in three seconds. Each reading sends requests to the host.
   */
  claim: { name: 'claim', limit: 20, windowSeconds: 60 },
  /**
   * Requests for pictures of endpoint pages, if the service must draw the picture first: one per second. A process
   * draws one picture at a time, and at most about three pictures per second for all clients together.
   */
  picture: { name: 'picture', limit: 60, windowSeconds: 60 },
  /**
   * Disputes of verdicts. A signature takes 3 ms to check, and the check of a contract wallet calls the contract. A
   * provider sends a few disputes, and repeats a request with a wrong signature.
   */
  dispute: { name: 'dispute', limit: 20, windowSeconds: 600 },
  /**
   * Reported outcomes of payments: one per second. A signature takes 3 ms to check, and a payment about 30 calls to a chain,
   * which each payer has for 100 payments a day.
   */
  outcome: { name: 'outcome', limit: 60, windowSeconds: 60 },
  /**
   * States of payments: one in two seconds. A state costs about 5 calls to a chain, and about 60 calls if a payment of 7
   * days is searched. A queue limits the calls of all clients.
   */
  paymentStatus: { name: 'payment-status', limit: 30, windowSeconds: 60 },
  /**
   * MCP messages, where each message of a batch counts: twenty per second. Agents of one host send a few messages for
   * each tool call.
   */
  mcp: { name: 'mcp', limit: 1_200, windowSeconds: 60 },
  /**
   * Requests without a payment to paid operations: ten per second. Even hundreds of agents on one host can each request a
   * challenge.
   */
  unpaid: { name: 'unpaid', limit: 600, windowSeconds: 60 },
  /**
   * Requests with a payment, including repeated requests: twenty per second. One host sends fewer requests. A request
   * whose response is an error counts twice, because an invalid payment can reach the facilitator.
   */
  paid: { name: 'paid', limit: 1_200, windowSeconds: 60 },
  /**
   * Requests for endpoints and providers that do not exist: two per second. A crawler with old URLs sends fewer
   * requests. Each request can cost a database query.
   */
  unknownPage: { name: 'unknown-page', limit: 120, windowSeconds: 60 },
} as const satisfies Readonly<Record<string, RatePolicy>>;
