import { UNKNOWN_CLIENT } from '@touchstone/common';
import { PAYMENT_HEADERS, RATE_POLICIES, type RatePolicy } from '@touchstone/contract';
import { consumeRateLimit } from '@touchstone/store';
import { getConfig, isSingleInstance } from '../../platform/config/config.ts';
import { getSecretDatabase } from '../../platform/database/databases.ts';
import { getProcessValue } from '../../platform/process-value.ts';
import { getClientAddress, toQueueClient } from './client-address.ts';
import { createProcessCounter, withCounterTimeout } from './process-counter.ts';
import { createLimiter, type Limiter, type LimiterOptions } from './create-limiter.ts';

/**
 * Factor for the limit of clients without a known IP address. The limit is higher because all these clients share one
 * window.
 */
const UNKNOWN_CLIENT_FACTOR = 20;

const isPaid = (request: Request): boolean =>
  Object.values(PAYMENT_HEADERS).some((name) => request.headers.has(name));

export const freeLimiter = createLazyLimiter(RATE_POLICIES.free);

/** Rate limiter of new claims, and of readings of their proofs. */
export const claimLimiter = createLazyLimiter(RATE_POLICIES.claim);

/** Rate limiter of the summaries of single endpoints. */
export const summaryLimiter = createLazyLimiter(RATE_POLICIES.summary);

/** Rate limiter of the summaries of ranges. */
export const rangeSummariesLimiter = createLazyLimiter(RATE_POLICIES.rangeSummaries);

/** Rate limiter of live checks, which the route and the page share. */
export const checkLimiter = createLazyLimiter(RATE_POLICIES.check);

/** Rate limiter of requests for pictures that the service must draw. */
export const pictureLimiter = createLazyLimiter(RATE_POLICIES.picture);

/** Rate limiter of disputes. */
export const disputeLimiter = createLazyLimiter(RATE_POLICIES.dispute);

/** Rate limiter of reported outcomes. */
export const outcomeLimiter = createLazyLimiter(RATE_POLICIES.outcome);

/** Rate limiter of states of payments. */
export const paymentStatusLimiter = createLazyLimiter(RATE_POLICIES.paymentStatus);

/**
 * Rate limiter of MCP messages. Each message of a batch counts. Most messages need no database call, so each instance
 * counts its messages by itself.
 */
export const mcpLimiter = createLazyLimiter(RATE_POLICIES.mcp, { countShared: () => Promise.resolve(null) });

const paidLimiter = createLazyLimiter(RATE_POLICIES.paid, {
  countsBesideResponse: true,
  countsErrorsTwice: true,
});
const unpaidLimiter = createLazyLimiter(RATE_POLICIES.unpaid);

/**
 * Rate limiter of paid operations with two policies: one for requests with a payment, and one for requests without.
 * Challenges are free, so the number of challenges that a client requests must not stop the payments of other buyers
 * behind the same address.
 */
export const limitPaidRequests: Limiter = (request, respond) =>
  isPaid(request) ? paidLimiter(request, respond) : unpaidLimiter(request, respond);

/** Creates a limiter at the first request, because the build has no configuration. */
function createLazyLimiter(policy: RatePolicy, options: Partial<LimiterOptions> = {}): Limiter {
  let limiter: Limiter | undefined;
  return (request, respond, cost) => {
    limiter ??= createLimiter({ ...createOptions(policy), ...options });
    return limiter(request, respond, cost);
  };
}

/**
 * Shared counter of all policies. A failed call pauses the counter for all policies. The wider networks of IPv6 clients
 * are counted by each instance only, so that a request causes one call.
 */
const countShared = withCounterTimeout(
  (client, { name, limit, windowSeconds }, cost) =>
    consumeRateLimit(getSecretDatabase(), {
      key: `${name} ${client}`,
      cost,
      limit,
      windowSeconds,
      now: Date.now(),
    }),
  Date.now,
);

/** Returns the client of a request for rate limiting: the client address, or `UNKNOWN_CLIENT`. */
export function getClient(request: Request): string {
  const { trustedProxies } = getConfig();
  return getClientAddress(request.headers, { trustedProxies, onVercel: process.env['VERCEL'] === '1' });
}

/** Returns the client of a request in the queues: an IPv4 address, an IPv6 network of /48, or `UNKNOWN_CLIENT`. */
export function getQueueClient(request: Request): string {
  return toQueueClient(getClient(request));
}

/** Returns the policy for one client. The limit is higher for `UNKNOWN_CLIENT`. */
export function getClientPolicy(policy: RatePolicy, client: string): RatePolicy {
  return client === UNKNOWN_CLIENT ? { ...policy, limit: UNKNOWN_CLIENT_FACTOR * policy.limit } : policy;
}

function createOptions(policy: RatePolicy): LimiterOptions {
  return {
    policy: (client: string) => getClientPolicy(policy, client),
    counter: getProcessValue('rate-limit-counter', () => createProcessCounter(Date.now)),
    ...(isSingleInstance(process.env) ? {} : { countShared }),
    getClient,
    now: Date.now,
  };
}
