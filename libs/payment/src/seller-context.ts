import { openGateway } from './gateway/gateway.ts';
import { createChainCheck } from './gateway/query-chain.ts';
import { createPurchaseQueue } from './queue/purchase-queue.ts';
import type { SellerOptions } from './types.ts';

/** Limits of payment lookups. A lookup makes one short database call, and at most one query to the chain. */
const LOOKUP_LIMITS = { maxSlots: 16, maxSlotsPerClient: 4, maxPurchases: 1_000, maxPurchasesPerClient: 100 };

const UNLIMITED = {
  maxSlots: Infinity,
  maxSlotsPerClient: Infinity,
  maxPurchases: Infinity,
  maxPurchasesPerClient: Infinity,
};

/** The connections and settings that every paid request uses. */
export type SellerContext = ReturnType<typeof openSellerContext>;

/**
 * Opens the seller context.
 * @throws Error when the network has no suitable USDC, or `payTo` is not an address
 */
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
    /** Queue of the requests that look up a payment before its purchase: repeated and refused payments. */
    lookupQueue: createPurchaseQueue(LOOKUP_LIMITS),
    /** Hashes of the payments that this process received. */
    recentPayments: createMemory(),
    /** Payers whose last payment was settled. */
    settledPayers: createMemory(),
    ongoingRequests: createOngoingRequests(),
    runAfterResponse,
    onError: options.onError ?? (() => undefined),
  };
}

/** Request that has a payment and that this process handles now. */
export interface OngoingRequest {
  /** Returns true if another request with the same payment was under way at the same time. */
  readonly hasCopies: () => boolean;
}

/** Creates an empty set of the requests with payments that are under way in this process. */
export function createOngoingRequests() {
  const requests = new Map<string, Set<{ hasCopies: boolean }>>();
  return {
    /**
     * Runs a request with a payment.
     * @param key key of the payment
     */
    run: async <T>(key: string, handle: (request: OngoingRequest) => Promise<T>): Promise<T> => {
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

/** Maximum number of keys in one memory of payments or payers. */
const MAX_KEYS = 10_000;

/**
 * Creates an empty memory: a set of keys of payments or of payers. If the memory is full, a new key replaces the oldest
 * key.
 */
function createMemory() {
  const keys = new Set<string>();
  return {
    /** Adds a key. @returns true if the key was not in the memory before */
    add: (key: string): boolean => {
      if (keys.has(key)) return false;
      keys.add(key);
      const [oldest] = keys;
      if (keys.size > MAX_KEYS && oldest !== undefined) keys.delete(oldest);
      return true;
    },
    has: (key: string): boolean => keys.has(key),
    forget: (key: string): void => void keys.delete(key),
  };
}
