import type { Providers } from '@touchstone/chain';
import type { Db } from '@touchstone/store';
import { openTill, type Till } from './till.ts';
import type { Leases, SellerOptions } from './types.ts';

/** What serving a paid request needs. */
export interface Shop {
  readonly db: Db;
  readonly till: Till;
  readonly chain: Providers;
  readonly now: () => number;
  readonly leases: Leases;
  readonly onTrouble: (message: string, error: unknown) => void;
}

/** @throws Error when nothing can be sold on the network */
export const openShop = (options: SellerOptions): Shop => ({
  db: options.db,
  till: openTill(options),
  chain: options.chain,
  now: options.now,
  leases: options.leases ?? { workSeconds: 30, settleSeconds: 45 },
  onTrouble: options.onTrouble ?? (() => undefined),
});
