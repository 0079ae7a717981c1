import { randomBytes } from 'node:crypto';
import { createFacilitator, createSeller } from '@touchstone/payment';
import { openPaymentWorld } from '@touchstone/payment/testing';
import { connect } from '@touchstone/store';
import type { Cipher } from '@touchstone/watch';
import { startReceivers } from './receivers.ts';
import { serveWatches } from './serve-watches.ts';
import { BASE_URL } from './watch-world.ts';

const LEASE_SECONDS = 1;
/** Address that receives the payments. The chain is shared, so each run of a test has its own. */
export const PAY_TO = `0x${randomBytes(20).toString('hex')}` as const;

/** Point of a purchase at which a simulated process ends: its requests never continue. */
export type StopPoint =
  | 'before the purchase is stored'
  | 'before the result is stored'
  | 'before the settlement'
  | 'after the settlement'
  | 'after the settlement is recorded';

/** Functions of the database whose calls never begin, and a function whose calls never return. */
const HELD_CALLS: Partial<Record<StopPoint, readonly string[]>> = {
  'before the purchase is stored': ['create_watch', 'create_renewal'],
  'before the result is stored': ['store_payment_result'],
};
const HELD_RESULT = 'settle_payment';

/** Opens a chain, a facilitator, a database and receivers, for sellers of watches that end at a known point. */
export async function openWatchSellers(cipher: Cipher) {
  const [world, receivers] = await Promise.all([openPaymentWorld(), startReceivers()]);
  /** Time by which the clock of the sellers is ahead, in milliseconds. Each end of a process adds a lease. */
  let aheadMs = 0;
  const now = (): number => Date.now() + aheadMs;

  /** Starts a seller. `onHeld` is called for each request that reaches the point. */
  const open = async (point: StopPoint | null = null, onHeld?: () => void) => {
    const hold = (): Promise<never> => {
      onHeld?.();
      return new Promise(() => undefined);
    };
    const fetchOrHold: typeof fetch = async (input, init) => {
      const name =
        new URL(input instanceof Request ? input.url : String(input)).pathname.split('/').at(-1) ?? '';
      if (point !== null && HELD_CALLS[point]?.includes(name) === true) return hold();
      const response = await fetch(input, init);
      return point === 'after the settlement is recorded' && name === HELD_RESULT ? hold() : response;
    };
    const facilitator = createFacilitator({ url: world.facilitatorUrl });
    const settle: typeof facilitator.settle = async (...request) => {
      if (point === 'before the settlement') return hold();
      const settled = await facilitator.settle(...request);
      return point === 'after the settlement' ? hold() : settled;
    };
    const db = connect({ url: world.database.url, key: world.database.key, fetch: fetchOrHold });
    const leases = { workSeconds: LEASE_SECONDS, settleSeconds: LEASE_SECONDS };
    const terms = { network: world.network, payTo: PAY_TO, baseUrl: BASE_URL, leases };
    const seller = createSeller({
      db,
      facilitator: { ...facilitator, settle },
      chain: world.providers,
      now,
      ...terms,
    });
    return serveWatches(seller, { db, cipher, send: receivers.send, baseUrl: BASE_URL, now });
  };

  const survivor = await open();

  /**
   * Starts a seller and sends `count` requests to it. Ends the seller when all of them have reached the point.
   *
   * @param send sends all requests to the seller at a URL
   */
  const stopAt = async (
    point: StopPoint,
    count: number,
    send: (url: string) => readonly Promise<{ readonly text: string }>[],
  ): Promise<void> => {
    const reached = Promise.withResolvers<undefined>();
    let held = 0;
    const { createUrl, close } = await open(point, () => {
      held += 1;
      if (held === count) reached.resolve(undefined);
    });
    const sent = send(createUrl).map(async (reply) => {
      throw new Error(`the seller responded before its end: ${(await reply).text}`);
    });
    await Promise.race([reached.promise, ...sent]);
    await close();
    aheadMs += LEASE_SECONDS * 1000;
    for (const outcome of await Promise.allSettled(sent))
      if (outcome.status === 'rejected' && !String(outcome.reason).includes('fetch failed'))
        throw outcome.reason;
  };

  const close = async (): Promise<void> => {
    await Promise.all([survivor.close(), receivers.close()]);
    await world.close();
  };

  return { world, url: survivor.createUrl, now, stopAt, close };
}
