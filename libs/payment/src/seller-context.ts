import type { Providers } from '@touchstone/chain';
import type { Db } from '@touchstone/store';
import { openGateway, type Gateway } from './gateway/gateway.ts';
import type { Leases, SellerOptions } from './types.ts';

/** The connections and settings that every paid request uses. */
export interface SellerContext {
  readonly db: Db;
  readonly gateway: Gateway;
  readonly chain: Providers;
  /** Returns the time in milliseconds since the epoch. */
  readonly now: () => number;
  readonly leases: Leases;
  readonly onError: (message: string, error: unknown) => void;
}

/**
 * Opens the seller context.
 * @throws Error when the network has no suitable USDC, or `payTo` is not an address
 */
export const openSellerContext = (options: SellerOptions): SellerContext => ({
  db: options.db,
  gateway: openGateway(options),
  chain: options.chain,
  now: options.now,
  leases: options.leases ?? { workSeconds: 30, settleSeconds: 45 },
  onError: options.onError ?? (() => undefined),
});
