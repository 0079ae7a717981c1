import { setTimeout as sleep } from 'node:timers/promises';
import type { AuthorizationState } from '@touchstone/chain';
import { openGateway } from './gateway/gateway.ts';
import { createChainCheck } from './gateway/query-chain.ts';
import { createPurchaseQueue } from './queue/purchase-queue.ts';
import type { SellerOptions } from './types.ts';

/** Limits of payment lookups. A lookup makes short database calls and no query to the chain. */
const LOOKUP_LIMITS = { maxSlots: 16, maxSlotsPerClient: 4, maxPurchases: 1_000, maxPurchasesPerClient: 100 };

/** Limits of chain queries for payments that the facilitator has not verified. */
const CHAIN_LIMITS = { maxSlots: 8, maxSlotsPerClient: 4, maxPurchases: 500, maxPurchasesPerClient: 50 };

const UNLIMITED = {
  maxSlots: Infinity,
  maxSlotsPerClient: Infinity,
  maxPurchases: Infinity,
  maxPurchasesPerClient: Infinity,
};

export type SellerContext = ReturnType<typeof openSellerContext>;

/** @throws Error when the network has no suitable USDC, or `payTo` is not an address */
export function openSellerContext(options: SellerOptions) {
  const { db, chain, now, runAfterResponse } = options;
  return {
    db,
    gateway: openGateway(options),
    chain,
    /** Resolves to false when no provider of the network responds. */
    isChainReadable: createChainCheck(chain, now),
    now,
    leases: options.leases ?? { workSeconds: 30, settleSeconds: 45 },
    queue: options.queue ?? createPurchaseQueue(UNLIMITED),
    toQueueClient: options.toQueueClient ?? ((client: string) => client),
    /** Queue of the database lookups of payments that may have been sent before. */
    lookupQueue: createPurchaseQueue(LOOKUP_LIMITS),
    /**
     * Queue of the chain queries for payments that the facilitator has not verified. Repeats of known payments never wait
     * for this queue.
     */
    chainQueue: createPurchaseQueue(CHAIN_LIMITS),
    /** Hashes of the payments that this process received. */
    recentPayments: createMemory<true>(),
    /** Payers whose last payment was settled. */
    settledPayers: createMemory<true>(),
    /** Running chain queries, and final states of used nonces without a payment, by payer, nonce and amount. */
    authorizationStates: createMemory<Promise<AuthorizationState>>(),
    sleep: options.sleep ?? ((ms: number) => sleep(ms)),
    ongoingRequests: createOngoingRequests(),
    runAfterResponse,
    onError: options.onError ?? (() => undefined),
  };
}

/** Request that has a payment and that this process handles now. */
export interface OngoingRequest {
  /** Time at which the request arrived, in milliseconds since the epoch. */
  readonly arrivedAt: number;
  /** Returns true if another request with the same payment was under way at the same time. */
  readonly hasCopies: () => boolean;
}

/** Creates an empty set of the requests with payments that are under way in this process. */
export function createOngoingRequests() {
  const requests = new Map<string, Set<{ hasCopies: boolean }>>();
  return {
    run: async <T>(
      key: string,
      handle: (request: Pick<OngoingRequest, 'hasCopies'>) => Promise<T>,
    ): Promise<T> => {
      const copies = requests.get(key) ?? new Set();
      requests.set(key, copies);
      const own = { hasCopies: copies.size > 0 };
      for (const copy of copies) copy.hasCopies = true;
      copies.add(own);
      try {
        return await handle({ hasCopies: () => own.hasCopies });
      } finally {
        copies.delete(own);
        if (copies.size === 0) requests.delete(key);
      }
    },
  };
}

/** Maximum number of keys in one memory of payments, payers or nonces. */
const MAX_KEYS = 10_000;

/** Creates an empty memory: a map whose new key replaces the oldest key when the map is full. */
function createMemory<Value>() {
  const values = new Map<string, Value>();
  return {
    get: (key: string): Value | undefined => values.get(key),
    /** Sets the value of a key, and makes it the newest key. @returns true if the key was not in the memory before */
    set: (key: string, value: Value): boolean => {
      const isNew = !values.delete(key);
      values.set(key, value);
      const [oldest] = values.keys();
      if (values.size > MAX_KEYS && oldest !== undefined) values.delete(oldest);
      return isNew;
    },
    forget: (key: string): void => void values.delete(key),
  };
}
