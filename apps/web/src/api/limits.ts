import { takeRateLimit } from '@touchstone/store';
import { config } from '../config.ts';
import { secretDb } from '../secret-data.ts';
import { clientAddress } from './client-address.ts';
import { createLimiter, type Limiter, type Policy, type Taken } from './rate-limit.ts';

/** Free data: five a second for a minute is more than anybody reads, and little for this service. */
const FREE: Policy = { name: 'free', limit: 300, windowSeconds: 60 };

/**
 * Challenges, and payments that bought nothing: ten a second lets a host with hundreds of agents buy, who each ask
 * once before they pay, while nobody keeps the facilitator busy with payments that are none.
 */
const UNPAID: Policy = { name: 'unpaid', limit: 600, windowSeconds: 60 };

/** A counter that takes longer is no longer waited for: the answer matters more than the count. */
const PATIENCE_MS = 500;

/** Bounds what costs nothing. */
export const freeLimiter: Limiter = lazily(() => createLimiter({ ...shared(), policy: FREE }));

/** Bounds what is asked of paid routes without buying anything. */
export const unpaidLimiter: Limiter = lazily(() =>
  createLimiter({
    ...shared(),
    policy: UNPAID,
    countsAfter: (request) => request.headers.has('payment-signature'),
  }),
);

/** Made at the first request: the build has no configuration. */
function lazily(create: () => Limiter): Limiter {
  let limiter: Limiter | undefined;
  return (request, answer) => {
    limiter ??= create();
    return limiter(request, answer);
  };
}

function shared() {
  const { trustedProxies } = config();
  const surroundings = { trustedProxies, onVercel: process.env['VERCEL'] === '1' };
  return {
    take: takeInTime,
    clientOf: (request: Request) => clientAddress(request.headers, surroundings),
    now: Date.now,
  };
}

async function takeInTime(client: string, { name, limit, windowSeconds }: Policy): Promise<Taken | null> {
  const taken = takeRateLimit(secretDb(), {
    key: `${name} ${client}`,
    limit,
    windowSeconds,
    now: Date.now(),
  });
  const late = new Promise<null>((resolve) => {
    setTimeout(resolve, PATIENCE_MS, null).unref();
  });
  return Promise.race([taken.catch(() => null), late]);
}
