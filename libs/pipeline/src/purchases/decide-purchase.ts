import { ChainUnreadableError, readAuthorizationState, readBlockTime } from '@touchstone/chain';
import { HOUR_MS, MINUTE_MS } from '@touchstone/common';
import { hasExample, judgeOutcome } from '@touchstone/delivery';
import {
  claimOpenPurchases,
  decidePurchase,
  StoreError,
  type OpenPurchase,
  type PurchaseAnswer,
  type PurchaseDecision,
} from '@touchstone/store';
import { findChain, LEASE_MS, toHex, type PurchaseContext } from './purchase-context.ts';

/** Payment of a purchase that was signed. Times are milliseconds since the epoch. */
export type SignedPurchase = Pick<
  OpenPurchase,
  | 'id'
  | 'resource'
  | 'requestedUrl'
  | 'requestSha256'
  | 'network'
  | 'asset'
  | 'payer'
  | 'payTo'
  | 'amount'
  | 'reservedAt'
> & { readonly nonce: string; readonly validBefore: number };

/** Time after the end of a payment from which on a block proves that it was never charged. Block times can go back. */
const EXPIRY_MARGIN_MS = MINUTE_MS;
/** Maximum number of open purchases in one step. */
const BATCH_SIZE = 50;

/**
 * Decides open purchases whose worker has stopped, and those that the chain did not show before. A purchase without a
 * recorded payment was never sent. Every other purchase is decided by the chain.
 *
 * @returns numbers of decided purchases, and of purchases that stay open
 */
export async function decideOpenPurchases(
  context: PurchaseContext,
): Promise<{ readonly decided: number; readonly open: number }> {
  const { db, now } = context;
  const at = now();
  const open = await claimOpenPurchases(db, { now: at, leaseUntil: at + LEASE_MS, limit: BATCH_SIZE });
  let decided = 0;
  for (const purchase of open) {
    try {
      if (await decideOpen(context, purchase)) decided += 1;
    } catch (error) {
      if (!(error instanceof ChainUnreadableError || error instanceof StoreError)) throw error;
      context.logError?.(`The test purchase ${purchase.id} stays open: ${error.message}`);
    }
  }
  return { decided, open: open.length - decided };
}

async function decideOpen(context: PurchaseContext, purchase: OpenPurchase): Promise<boolean> {
  const { id, nonce, validBefore, answeredAt } = purchase;
  if (nonce === null || validBefore === null) return decide(context, id, UNSENT);
  return decideByChain(context, { ...purchase, nonce, validBefore }, answeredAt === null ? null : purchase);
}

/** Decision for a purchase whose payment was not sent. */
export const UNSENT: PurchaseDecision = { outcome: 'unclear', charged: false, transfer: null };

/** Stores the decision of a purchase. Returns false if the purchase was decided before. */
export function decide(
  { db, now }: PurchaseContext,
  id: string,
  decision: PurchaseDecision,
): Promise<boolean> {
  return decidePurchase(db, { id, decision, now: now() });
}

/**
 * Decides a purchase by the chain.
 *
 * @param answer null if no answer was recorded, because a worker stopped
 * @returns false if the chain does not show yet whether the payment was charged
 * @throws ChainUnreadableError when the chain cannot be read; StoreError when the database fails
 */
export async function decideByChain(
  context: PurchaseContext,
  purchase: SignedPurchase,
  answer: PurchaseAnswer | null,
): Promise<boolean> {
  const charge = await readCharge(context, purchase);
  const { resource, requestedUrl: url, requestSha256: bodySha256 } = purchase;
  const outcome = judgeOutcome({
    charged: charge?.charged ?? null,
    hasExample: hasExample({ resource, url, bodySha256 }),
    answer,
  });
  if (charge === null || outcome === null) return false;
  return decide(context, purchase.id, { ...charge, outcome });
}

/** Reads from the chain whether a payment was charged; null while the chain does not show it. */
async function readCharge(
  context: PurchaseContext,
  { network, asset, payer, payTo, amount, nonce, reservedAt, validBefore }: SignedPurchase,
): Promise<(Pick<PurchaseDecision, 'transfer'> & { readonly charged: boolean }) | null> {
  const providers = findChain(context, network);
  if (providers === undefined) throw new ChainUnreadableError(network, ['RPC_URLS has no provider']);
  const found = await readAuthorizationState(providers, {
    ...{ asset: toHex(asset), payer: toHex(payer), payTo: toHex(payTo), nonce: toHex(nonce), amount },
    // Clocks can differ.
    since: reservedAt - HOUR_MS,
  });
  if (found.state === 'paid') {
    const { transaction, block } = found;
    const transfer = { transaction, block, at: await readBlockTime(providers, block) };
    return { charged: true, transfer };
  }
  const isOver = found.state === 'unused' && found.headAt >= validBefore + EXPIRY_MARGIN_MS;
  return found.state === 'canceled' || isOver ? { charged: false, transfer: null } : null;
}
