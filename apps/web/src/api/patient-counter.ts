import type { RatePolicy } from '@touchstone/contract';
import type { Taken } from './rate-limit.ts';

type Take = (client: string, policy: RatePolicy) => Promise<Taken>;

/** A counter that takes longer is no longer waited for: the answer matters more than the count. */
const PATIENCE_MS = 500;

/** For how long one that failed is not asked again, so that an outage does not slow down every request. */
const REST_MS = 5_000;

/**
 * Asks a counter that may be slow or away.
 *
 * @param now milliseconds since the epoch
 * @returns what it says; null when it failed, took too long, or did so within the last five seconds
 */
export function patientCounter(
  take: Take,
  now: () => number,
): (client: string, policy: RatePolicy) => Promise<Taken | null> {
  let restsUntil = -Infinity;
  return async (client, policy) => {
    if (now() < restsUntil) return null;
    const taken = await inTime(take(client, policy));
    if (taken === null) restsUntil = now() + REST_MS;
    return taken;
  };
}

async function inTime(asked: Promise<Taken>): Promise<Taken | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS, null).unref();
  });
  const taken = await Promise.race([asked.catch(() => null), late]);
  clearTimeout(timer);
  return taken;
}
