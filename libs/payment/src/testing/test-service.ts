import { problemSchema } from '@touchstone/contract';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { Db } from '@touchstone/store';
import { createFacilitator, createSeller, type Buyer } from '../index.ts';
import type { SellerOptions } from '../types.ts';
import { createPayment, type Reply } from './buyer.ts';
import { openProxy } from './facilitator-proxy.ts';
import { openPaymentWorld, type TestNetwork } from './payment-world.ts';
import { serveSeller, type ResultSettings, type Work } from './serve-seller.ts';

export const BODY = { resource: 'https://api.example.com/v1/weather' };
/**
 * Timeouts of the facilitator client, in milliseconds. The timeouts are shorter than the delay of a slow facilitator,
 * and longer than a normal call on a busy machine.
 */
const TIMEOUTS = { verifyMs: 4_000, settleMs: 4_000 };

/**
 * Timeouts of the facilitator client for many simultaneous purchases, in milliseconds. The timeouts are long because
 * one machine runs all processes.
 */
const LONG_TIMEOUTS = { verifyMs: 60_000, settleMs: 60_000 };

/**
 * Starts a database and a proxy of the facilitator that fails on demand, and creates a payer with USDC. Tests open
 * their sellers with `openSeller`.
 */
async function openTestService(network?: TestNetwork) {
  const world = await openPaymentWorld(network);
  const payTo = privateKeyToAddress(generatePrivateKey());
  const proxy = await openProxy(world.facilitatorUrl);
  const sellers: { close: () => Promise<unknown> }[] = [];
  const workedFor: ({ resource: string } & Buyer)[] = [];
  const defaultWork: Work = (input, buyer) => {
    workedFor.push({ ...input, ...buyer });
    return Promise.resolve({ body: { about: input.resource, run: workedFor.length } });
  };
  /** Settings that a test may change: the work, and the clock offset of all sellers in milliseconds. */
  const behavior = { work: defaultWork, clockOffsetMs: 0 };

  /** Opens a seller with its own HTTP server, like one process of the service. */
  const openSeller = async (options: Partial<SellerOptions> = {}, settings: ResultSettings = {}) => {
    const seller = createSeller({
      db: world.db,
      facilitator: createFacilitator({ url: proxy.url, timeouts: TIMEOUTS }),
      network: world.network,
      payTo,
      baseUrl: 'https://touchstone.example',
      now: () => Date.now() + behavior.clockOffsetMs,
      chain: world.providers,
      sleep: () => Promise.resolve(),
      ...options,
    });
    const server = await serveSeller(seller, (...call) => behavior.work(...call), settings);
    sellers.push(server);
    return { ...server, trust: `${server.url}/v1/x402-trust`, history: `${server.url}/v1/x402-history` };
  };

  const openSellerWithLongTimeouts = (options: Partial<SellerOptions> = {}) => {
    const facilitator = createFacilitator({ url: proxy.url, timeouts: LONG_TIMEOUTS });
    return openSeller({ facilitator, ...options });
  };

  /** Ends the leases of all payments. Leases are compared with the clock of the database, which tests cannot set. */
  const endLeases = async (): Promise<void> => {
    const ended = { lease_until: new Date(0).toISOString() };
    const { error } = await world.db.from('payments').update(ended).in('state', ['working', 'settling']);
    expect(error).toBeNull();
  };

  const payer = await world.createWallet();
  /** Opens a seller, and signs a payment for a trust report. */
  const preparePayment = async () => {
    const seller = await openSeller();
    return { seller, ...(await createPayment(payer, seller.trust, BODY)) };
  };

  const countTransfers = async () => (await world.listTransfersTo(payTo)).length;
  /** Makes the work last until the returned function was called `count` times. */
  const holdWork = (count: number) => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    behavior.work = async (...call) => {
      await promise;
      return defaultWork(...call);
    };
    let calls = 0;
    return (): void => {
      calls += 1;
      if (calls === count) resolve(undefined);
    };
  };
  const findPaymentRow = async (nonce: string) => {
    const { data } = await world.db.from('payments').select();
    return data?.find((row) => row.nonce === nonce);
  };
  /** Sends a request, and checks that no money moves and that the response has `notCharged`. */
  const expectNotCharged = async (attempt: () => Promise<Reply>): Promise<Reply> => {
    const before = await countTransfers();
    const reply = await attempt();
    expect(await countTransfers()).toBe(before);
    expect(reply.body['notCharged']).toBe(true);
    expect(String(reply.body['detail']).split('Nothing was charged.')).toHaveLength(2);
    expect(reply.headers.get('cache-control')).toBe('no-store');
    if (reply.status !== 402) expect(problemSchema.parse(reply.body).status).toBe(reply.status);
    return reply;
  };

  return {
    world,
    proxy,
    /** Address that receives the payments. */
    payTo,
    payer,
    workedFor,
    defaultWork,
    behavior,
    openSeller,
    openSellerWithLongTimeouts,
    preparePayment,
    holdWork,
    countTransfers,
    findPaymentRow,
    endLeases,
    expectNotCharged,
    /** Closes all sellers and restores the initial settings. The chain and the database are not reset. */
    reset: async () => {
      world.restoreTime();
      workedFor.length = 0;
      Object.assign(behavior, { work: defaultWork, clockOffsetMs: 0 });
      proxy.setFault(null);
      proxy.calls.length = 0;
      for (const seller of sellers.splice(0)) await seller.close();
    },
    close: async () => {
      await proxy.close();
      await world.close();
    },
  };
}

type TestService = Awaited<ReturnType<typeof openTestService>>;

export function useTestService(network?: TestNetwork): TestService {
  // The cast is safe, because tests run after `beforeAll`.
  const service = {} as TestService;
  beforeAll(async () => void Object.assign(service, await openTestService(network)));
  afterEach(() => service.reset());
  afterAll(() => service.close());
  return service;
}

/**
 * Returns a database client that calls `before` with the name of each database function before it calls the function.
 * The call fails if `before` rejects.
 */
export function interceptCalls(db: Db, before: (name: string) => Promise<unknown>): Db {
  return new Proxy(db, {
    get: (target, member) =>
      member === 'rpc'
        ? async (...call: Parameters<Db['rpc']>) => {
            await before(call[0]);
            return target.rpc(...call);
          }
        : (Reflect.get(target, member) as unknown),
  });
}

/** Returns the status of a reply, and its problem code or refusal reason. */
export function toStatusAndCode({ status, body }: Reply) {
  return [status, body['code'] ?? body['error']];
}
