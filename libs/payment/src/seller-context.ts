import type { Providers } from '@touchstone/chain';
import type { Db } from '@touchstone/store';
import { openGateway, type Gateway } from './gateway/gateway.ts';
import { createChainCheck } from './gateway/query-chain.ts';
import { createPurchaseQueue, type PurchaseQueue } from './queue/purchase-queue.ts';
import {
  createOngoingRequests,
  createRecentPayments,
  type OngoingRequests,
  type RecentPayments,
} from './request/received-payments.ts';
import type { Leases, SellerOptions } from './types.ts';

/** Limits of the lookups. Each of them is one short database call, and at most one query to the chain. */
const LOOKUP_LIMITS = { maxTurns: 8, maxTurnsPerClient: 4, maxPurchases: 1_000, maxPurchasesPerClient: 100 };

const UNLIMITED = {
  maxTurns: Infinity,
  maxTurnsPerClient: Infinity,
  maxPurchases: Infinity,
  maxPurchasesPerClient: Infinity,
};

/** The connections and settings that every paid request uses. */
export interface SellerContext {
  readonly db: Db;
  readonly gateway: Gateway;
  readonly chain: Providers;
  /** Resolves to false when no provider of the network responds. */
  readonly isChainReadable: () => Promise<boolean>;
  /** Returns the time in milliseconds since the epoch. */
  readonly now: () => number;
  readonly leases: Leases;
  readonly queue: PurchaseQueue;
  /** Queue of the requests that look a payment up before its purchase: repeated and refused payments. */
  readonly lookupQueue: PurchaseQueue;
  readonly recentPayments: RecentPayments;
  /** Requests with payments that are under way in this process. */
  readonly ongoingRequests: OngoingRequests;
  readonly runAfterResponse: SellerOptions['runAfterResponse'];
  readonly onError: (message: string, error: unknown) => void;
}

/**
 * Opens the seller context.
 * @throws Error when the network has no suitable USDC, or `payTo` is not an address
 */
export function openSellerContext(options: SellerOptions): SellerContext {
  return {
    db: options.db,
    gateway: openGateway(options),
    chain: options.chain,
    isChainReadable: createChainCheck(options.chain, options.now),
    now: options.now,
    leases: options.leases ?? { workSeconds: 30, settleSeconds: 45 },
    queue: options.queue ?? createPurchaseQueue(UNLIMITED),
    lookupQueue: createPurchaseQueue(LOOKUP_LIMITS),
    recentPayments: createRecentPayments(),
    ongoingRequests: createOngoingRequests(),
    runAfterResponse: options.runAfterResponse,
    onError: options.onError ?? (() => undefined),
  };
}
