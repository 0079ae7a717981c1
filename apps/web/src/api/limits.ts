import { RATE_POLICIES, type RatePolicy } from '@touchstone/contract';
import { consumeRateLimit } from '@touchstone/store';
import { config } from '../config.ts';
import { secretDb } from '../secret-data.ts';
import { clientAddress, UNKNOWN_CLIENT } from './client-address.ts';
import { patientCounter } from './patient-counter.ts';
import { createLimiter, type Limiter } from './rate-limit.ts';

/** Clients of whom nobody says who they are share one window, as wide as those of so many. */
const CROWD = 20;

/** Bounds what costs nothing. */
export const freeLimiter: Limiter = lazily(() => createLimiter(shared(RATE_POLICIES.free)));

const paidLimiter: Limiter = lazily(() => createLimiter({ ...shared(RATE_POLICIES.paid), applies: isPaid }));
const unpaidLimiter: Limiter = lazily(() =>
  createLimiter({ ...shared(RATE_POLICIES.unpaid), countsAfter: isPaid }),
);

/** Bounds what is asked of paid routes: what carries a payment, and what bought nothing. */
export const saleLimiter: Limiter = (request, answer) =>
  paidLimiter(request, () => unpaidLimiter(request, answer));

const isPaid = (request: Request): boolean => request.headers.has('payment-signature');

/** Made at the first request: the build has no configuration. */
function lazily(create: () => Limiter): Limiter {
  let limiter: Limiter | undefined;
  return (request, answer) => {
    limiter ??= create();
    return limiter(request, answer);
  };
}

/** One counter for all policies: when it is away, it is away for each. */
const take = patientCounter(
  (client, { name, limit, windowSeconds }) =>
    consumeRateLimit(secretDb(), { key: `${name} ${client}`, limit, windowSeconds, now: Date.now() }),
  Date.now,
);

function shared(policy: RatePolicy) {
  const { trustedProxies } = config();
  const surroundings = { trustedProxies, onVercel: process.env['VERCEL'] === '1' };
  return {
    policy: (client: string) =>
      client === UNKNOWN_CLIENT ? { ...policy, limit: CROWD * policy.limit } : policy,
    take,
    clientOf: (request: Request) => clientAddress(request.headers, surroundings),
    now: Date.now,
  };
}
