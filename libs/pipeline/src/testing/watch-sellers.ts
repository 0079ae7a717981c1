import { randomBytes } from 'node:crypto';
import {
  createProblem,
  findOperation,
  watchCreateInputSchema,
  watchRenewInputSchema,
} from '@touchstone/contract';
import { createFacilitator, createSeller, type Seller, type WorkResult } from '@touchstone/payment';
import { openPaymentWorld } from '@touchstone/payment/testing';
import { connect } from '@touchstone/store';
import type { Cipher } from '@touchstone/watch';
import { createWatch, readRenewed, renewWatch } from '../watches/buy-watch.ts';
import { createTestPauses } from '../watches/request-limits.ts';
import type { WatchContext, WatchResult } from '../watches/watch-context.ts';
import { startReceivers } from './receivers.ts';
import { BASE_URL } from './watch-world.ts';

const CREATE = '/v1/watch-endpoint-30d';
const RENEW = '/v1/watch/{id}/renew';
const LEASE_SECONDS = 1;
/** Address that receives the payments. The chain is shared, so each run of a test has its own address. */
export const PAY_TO = `0x${randomBytes(20).toString('hex')}` as const;

/**
 * Point of a purchase at which a simulated process ends or waits. The requests of a process that ended never continue.
 */
export type StopPoint =
  | 'before the purchase is stored'
  | 'before the result is stored'
  | 'before the settlement'
  | 'after the settlement'
  | 'after the settlement is recorded';

/**
 * Database functions by stop point. A seller with the stop point ends or waits before it calls one of the functions.
 * `HELD_RESULT` is the database function after whose call the seller ends or waits.
 */
const HELD_CALLS: Partial<Record<StopPoint, readonly string[]>> = {
  'before the purchase is stored': ['create_watch', 'create_renewal'],
  'before the result is stored': ['store_payment_result'],
};
const HELD_RESULT = 'settle_payment';

/** Request for a watch or a renewal, with its payment. `watchId` is null for a watch. */
export interface SaleRequest {
  readonly watchId: string | null;
  readonly body: object | null;
  readonly payment?: string;
}

function requireOperation(path: string) {
  const operation = findOperation('POST', path);
  if (!operation) throw new Error(`the contract has no operation at ${path}`);
  return operation;
}

function toWorkResult(result: WatchResult<unknown>): WorkResult {
  if (result.kind === 'result') return { body: result.body };
  return { problem: createProblem(result.code, result.detail) };
}

/** Calls the paid operations on watches, as the routes of the site do. */
function callSeller(
  seller: Seller,
  context: WatchContext,
  { watchId, body, payment }: SaleRequest,
): Promise<Response> {
  const path = watchId === null ? CREATE : RENEW.replace('{id}', watchId);
  const request = new Request(new URL(path, BASE_URL), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(payment === undefined ? {} : { 'payment-signature': payment }),
    },
    body: body === null ? null : JSON.stringify(body),
  });
  if (watchId === null)
    return seller.respond(request, {
      operation: requireOperation(CREATE),
      input: watchCreateInputSchema,
      toResource: ({ endpoint }) => endpoint,
      work: async (input, buyer, { client }) =>
        toWorkResult(await createWatch(context, input, { buyer, client })),
      cipher: context.cipher,
      publicReplaySeconds: 60,
    });
  return seller.respond(request, {
    operation: requireOperation(RENEW),
    input: watchRenewInputSchema,
    toResource: ({ id }) => id,
    work: async (input, buyer) => toWorkResult(await renewWatch(context, input, buyer)),
    readSettled: (key) => readRenewed(context, key),
  });
}

/**
 * Opens a chain, a facilitator, a database and receivers. Returns functions that send requests to sellers of watches. A
 * seller can end or wait at a known point of a purchase.
 */
export async function openWatchSellers(cipher: Cipher) {
  const [world, receivers] = await Promise.all([openPaymentWorld(), startReceivers()]);
  /**
   * Offset of the sellers' clock from the real time, in milliseconds. Each end of a process adds the duration of a
   * lease.
   */
  let aheadMs = 0;
  const now = (): number => Date.now() + aheadMs;

  /**
   * Creates a seller. Each of its requests calls `hold` at the point, and continues when the promise of `hold` is
   * resolved.
   */
  const open = (point: StopPoint | null, hold: () => Promise<unknown>) => {
    const fetchOrHold: typeof fetch = async (input, init) => {
      const name =
        new URL(input instanceof Request ? input.url : String(input)).pathname.split('/').at(-1) ?? '';
      if (point !== null && HELD_CALLS[point]?.includes(name) === true) await hold();
      const response = await fetch(input, init);
      if (point === 'after the settlement is recorded' && name === HELD_RESULT) await hold();
      return response;
    };
    const facilitator = createFacilitator({ url: world.facilitatorUrl });
    const settle: typeof facilitator.settle = async (...request) => {
      if (point === 'before the settlement') await hold();
      const settled = await facilitator.settle(...request);
      if (point === 'after the settlement') await hold();
      return settled;
    };
    const db = connect({ url: world.database.url, key: world.database.key, fetch: fetchOrHold });
    const leases = { workSeconds: LEASE_SECONDS, settleSeconds: LEASE_SECONDS };
    const terms = { network: world.network, payTo: PAY_TO, baseUrl: BASE_URL, leases };
    const links = { db, chain: world.providers, now, facilitator: { ...facilitator, settle } };
    const seller = createSeller({ ...links, ...terms });
    const testPauses = createTestPauses(now);
    const context = { db, cipher, send: receivers.send, testPauses, baseUrl: BASE_URL, now };
    return (request: SaleRequest) => callSeller(seller, context, request);
  };

  /** Sends requests to a new seller, which ends when all of them have reached the point. */
  const stopAt = async (point: StopPoint, requests: readonly SaleRequest[]): Promise<void> => {
    const reached = Promise.withResolvers<undefined>();
    let held = 0;
    const call = open(point, () => {
      held += 1;
      if (held === requests.length) reached.resolve(undefined);
      return new Promise(() => undefined);
    });
    const sent = requests.map(async (request) => {
      const response = await call(request);
      throw new Error(`the seller responded before its end: ${await response.text()}`);
    });
    await Promise.race([reached.promise, ...sent]);
    aheadMs += LEASE_SECONDS * 1000;
  };

  const close = async (): Promise<void> => {
    await receivers.close();
    await world.close();
  };

  /** Sends a request to a new seller, and waits for `act` at the point of the purchase. */
  const callWith = (point: StopPoint, act: () => Promise<unknown>, request: SaleRequest): Promise<Response> =>
    open(point, act)(request);

  /** `call` sends a request to a seller that does not end. */
  return { world, call: open(null, () => Promise.resolve()), callWith, now, stopAt, close };
}
