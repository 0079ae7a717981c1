import { RATE_POLICIES, type RatePolicy } from '@touchstone/contract';
import { consumeRateLimit } from '@touchstone/store';
import { getConfig } from '../../config/config.ts';
import { getSecretDatabase } from '../../database/secret-database.ts';
import { getClientAddress, UNKNOWN_CLIENT } from './client-address.ts';
import { withCounterTimeout } from './counter-timeout.ts';
import { createLimiter, type Limiter } from './create-limiter.ts';

/** All clients without a known IP address share one window. Its limit is this multiple of the normal limit. */
const UNKNOWN_CLIENT_FACTOR = 20;

/** Rate limiter of free operations. */
export const freeLimiter: Limiter = createLazyLimiter(() => createLimiter(createOptions(RATE_POLICIES.free)));

const paidLimiter: Limiter = createLazyLimiter(() =>
  createLimiter({ ...createOptions(RATE_POLICIES.paid), applies: isPaid }),
);
const unpaidLimiter: Limiter = createLazyLimiter(() =>
  createLimiter({ ...createOptions(RATE_POLICIES.unpaid), countsAfterResponse: isPaid }),
);

/**
 * Rate limiter of paid operations: one policy for requests with a payment, and one for those without a successful one.
 */
export const paidRouteLimiter: Limiter = (request, respond) =>
  paidLimiter(request, () => unpaidLimiter(request, respond));

const isPaid = (request: Request): boolean => request.headers.has('payment-signature');

/** Creates the limiter at the first request, because the build has no configuration. */
function createLazyLimiter(create: () => Limiter): Limiter {
  let limiter: Limiter | undefined;
  return (request, respond) => {
    limiter ??= create();
    return limiter(request, respond);
  };
}

/** Counter of all policies. One outage pauses it for all of them. */
const consume = withCounterTimeout(
  (client, { name, limit, windowSeconds }) =>
    consumeRateLimit(getSecretDatabase(), {
      key: `${name} ${client}`,
      limit,
      windowSeconds,
      now: Date.now(),
    }),
  Date.now,
);

function createOptions(policy: RatePolicy) {
  const { trustedProxies } = getConfig();
  const proxySettings = { trustedProxies, onVercel: process.env['VERCEL'] === '1' };
  return {
    policy: (client: string) =>
      client === UNKNOWN_CLIENT ? { ...policy, limit: UNKNOWN_CLIENT_FACTOR * policy.limit } : policy,
    consume,
    getClient: (request: Request) => getClientAddress(request.headers, proxySettings),
    now: Date.now,
  };
}
