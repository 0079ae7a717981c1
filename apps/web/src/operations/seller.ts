import { createFacilitator, createPurchaseQueue, createSeller, type Seller } from '@touchstone/payment';
import { createChainSources } from '@touchstone/pipeline';
import { after } from 'next/server';
import { logError } from '../platform/request-log.ts';
import { getConfig, getSiteOrigin } from '../platform/config/config.ts';
import type { PaymentConfig } from '../platform/config/payment-config.ts';
import { getSecretDatabase } from '../platform/database/databases.ts';

/**
 * Limits of the purchases of this process. A purchase holds a turn while it uses the facilitator and the database, except
 * for work that waits for an endpoint. A higher number of turns would make these requests time out. A payment would
 * expire in a longer queue.
 */
const PURCHASE_LIMITS = {
  maxTurns: 16,
  maxTurnsPerClient: 12,
  maxPurchases: 2_000,
  maxPurchasesPerClient: 200,
};

let seller: Seller | null | undefined;

/**
 * Returns the seller of paid operations; null if payments are disabled. The seller is created at the first request to a
 * paid route.
 */
export function openSeller(): Seller | null {
  if (seller === undefined) {
    const { payment } = getConfig();
    seller = payment === null ? null : createConfiguredSeller(payment);
  }
  return seller;
}

function createConfiguredSeller({ network, payTo, facilitatorUrl, cdp, rpcUrls }: PaymentConfig): Seller {
  const [chain] = createChainSources(new Map([...rpcUrls].filter(([other]) => other === network)));
  if (chain === undefined) throw new Error(`RPC_URLS has no provider of ${network}`);
  return createSeller({
    db: getSecretDatabase(),
    facilitator: createFacilitator({ url: facilitatorUrl, ...(cdp === null ? {} : { auth: cdp }) }),
    network,
    payTo,
    baseUrl: getSiteOrigin(process.env),
    now: Date.now,
    chain: chain.providers,
    queue: createPurchaseQueue(PURCHASE_LIMITS),
    runAfterResponse: after,
    onError: (message, error) => logError({ paymentError: message }, error),
  });
}
