import { openGateway } from './gateway/gateway.ts';
import { createChainCheck } from './gateway/query-chain.ts';
import { createPurchaseQueue } from './queue/purchase-queue.ts';
import { createMemory, createOngoingRequests } from './request/received-payments.ts';
import type { SellerOptions } from './types.ts';

/** Limits of the lookups. Each of them is one short database call, and at most one query to the chain. */
const LOOKUP_LIMITS = { maxTurns: 8, maxTurnsPerClient: 4, maxPurchases: 1_000, maxPurchasesPerClient: 100 };

const UNLIMITED = {
  maxTurns: Infinity,
  maxTurnsPerClient: Infinity,
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
    /** Queue of the requests that look a payment up before its purchase: repeated and refused payments. */
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
