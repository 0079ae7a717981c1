import {
  ChainUnreadableError,
  getConfirmations,
  readAuthorizationState,
  readBlockTime,
} from '@touchstone/chain';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@touchstone/common';
import { hasExample, judgeOutcome } from '@touchstone/delivery';
import {
  claimOpenPurchases,
  decidePurchase,
  StoreError,
  type OpenPurchase,
  type PurchaseAnswer,
  type PurchaseDecision,
} from '@touchstone/store';
import { findSource, LEASE_MS, toHex, type PurchaseContext } from './purchase-context.ts';

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
/** Time after the end of a payment from which on a purchase is `unclear` that the chain does not decide. */
const GIVE_UP_MS = DAY_MS;
/** Maximum number of open purchases in one step. Each of them can need 60 calls of the chain. */
const BATCH_SIZE = 10;

/**
 * Decides open purchases whose worker has stopped, and those that the chain did not decide before. A purchase without a
 * recorded payment was never sent. Every other purchase is decided by the chain.
 *
 * @returns number of decided purchases. `isLast` is true if no further purchase can be decided now.
 */
export async function decideOpenPurchases(
  context: PurchaseContext,
): Promise<{ readonly decided: number; readonly isLast: boolean }> {
  const { db, now, signal } = context;
  const at = now();
  const open = await claimOpenPurchases(db, { now: at, leaseUntil: at + LEASE_MS, limit: BATCH_SIZE });
  let decided = 0;
  for (const purchase of open) {
    if (signal?.aborted === true) break;
    try {
      if (await decideOpen(context, purchase)) decided += 1;
    } catch (error) {
      if (!(error instanceof ChainUnreadableError || error instanceof StoreError)) throw error;
      context.logError?.(`The test purchase ${purchase.id} stays open: ${error.message}`);
    }
  }
  return { decided, isLast: open.length < BATCH_SIZE || signal?.aborted === true };
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
 * @returns false if the chain does not decide yet whether the payment was charged
 * @throws ChainUnreadableError when the chain cannot be read; StoreError when the database fails
 */
export async function decideByChain(
  context: PurchaseContext,
  purchase: SignedPurchase,
  answer: PurchaseAnswer | null,
): Promise<boolean> {
  const { id, resource, requestedUrl: url, requestSha256: bodySha256, validBefore } = purchase;
  const facts = { hasExample: hasExample({ resource, url, bodySha256 }), answer };
  const ifCharged = judgeOutcome({ charged: true, ...facts });
  const needsAgreement = ifCharged !== 'delivered' && ifCharged !== 'unclear';
  const charge = await readCharge(context, purchase, needsAgreement);
  const outcome = judgeOutcome({ charged: charge?.charged ?? null, ...facts });
  if (charge !== null && outcome !== null) return decide(context, id, { ...charge, outcome });
  if (context.now() < validBefore + GIVE_UP_MS) return false;
  return decide(context, id, { outcome: 'unclear', charged: null, transfer: null });
}

/**
 * Reads from the chain whether a payment was charged. A transfer counts when its block has the confirmations of the
 * network, because a reorganization can remove a newer block.
 *
 * @param needsAgreement true if a charge speaks against the seller, so a second provider must show the transfer as well
 * @returns null while the chain does not decide
 */
async function readCharge(
  context: PurchaseContext,
  { network, asset, payer, payTo, amount, nonce, reservedAt, validBefore }: SignedPurchase,
  needsAgreement: boolean,
): Promise<(Pick<PurchaseDecision, 'transfer'> & { readonly charged: boolean }) | null> {
  const source = findSource(context, network);
  if (source === undefined) return null;
  const { providers } = source;
  const found = await readAuthorizationState(providers, {
    ...{ asset: toHex(asset), payer: toHex(payer), payTo: toHex(payTo), nonce: toHex(nonce), amount },
    // Clocks can differ.
    since: reservedAt - HOUR_MS,
    needsAgreement,
  });
  if (found.state === 'paid') {
    const { transaction, block, confirmations } = found;
    if (confirmations < (source.confirmations ?? getConfirmations(network))) return null;
    const transfer = { transaction, block, at: await readBlockTime(providers, block) };
    return { charged: true, transfer };
  }
  const isOver = found.state === 'unused' && found.headAt >= validBefore + EXPIRY_MARGIN_MS;
  return found.state === 'canceled' || isOver ? { charged: false, transfer: null } : null;
}
