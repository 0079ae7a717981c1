import type { AuthorizationState } from '@touchstone/chain';
import { DAY_MS } from '@touchstone/common';
import { findSigner } from '../gateway/check-signature.ts';
import { findSignatureRefusal, type SignedRequest } from './check-payment.ts';
import { PAYMENT_STATES, type KnownState } from './payment-states.ts';
import type { Outcome } from './respond.ts';
import { readOutcome, toSearchStart } from './settlement-outcome.ts';

/** Maximum time for which the chain is searched, in milliseconds. */
const MAX_SEARCH_MS = DAY_MS;

/** A payment that the chain shows as paid, or the outcome for a response. */
type Confirmation = { readonly paidBy: string } | Outcome;

/** Returns the outcome of a payment that buys nothing. */
export function toOutcome(confirmation: Confirmation): Outcome {
  return 'paidBy' in confirmation ? { state: 'unknown' } : confirmation;
}

/**
 * Confirms on the chain that a payment is not charged, because a third party may have settled the authorization. Without
 * a signature of the payer, the authorization cannot be settled, and the chain is not read. The outcome has the state
 * `unknown` unless the chain shows that no money moved to the wallet of the seller.
 * @param state state of the payment according to its row
 */
export async function confirmUnpaid(request: SignedRequest, state: KnownState): Promise<Confirmation> {
  if (state === 'unknown' || !PAYMENT_STATES[state].isNotCharged) return { state };
  const unpaid = (): Outcome => ({ state: request.hasCopies() ? 'unknown' : state });
  const { terms, payment } = request;
  const { authorization, signature } = payment;
  if (authorization.payTo !== terms.payTo.toLowerCase()) return unpaid();
  const signer = findSigner({ authorization, signature, terms });
  if ((await findSignatureRefusal(request, signer)) !== null) return unpaid();
  const onChain = await readOnChain(request);
  switch (onChain?.state) {
    case 'paid':
      return { paidBy: onChain.transaction };
    case 'paid-otherwise':
      return { state: 'unknown', otherTransfer: onChain.transaction };
    case 'unused':
    case 'canceled':
    case 'used-otherwise':
      return unpaid();
    case 'used-before':
    case undefined:
      return { state: 'unknown' };
  }
}

/**
 * Reads the state of an authorization from the chain. The search costs many calls, so final states are remembered: a
 * client can send a payment with a used nonce many times.
 */
async function readOnChain(request: SignedRequest): Promise<AuthorizationState | null> {
  const { context, terms, payment } = request;
  const { payer, nonce, validBefore } = payment.authorization;
  const key = `${payer} ${nonce} ${terms.amount}`;
  const known = context.usedNonces.get(key);
  if (known !== undefined) return known;
  const since = toSearchStart(context.now(), Number(validBefore) * 1_000);
  const search = { since: Math.max(since, context.now() - MAX_SEARCH_MS), mayBeUsedBefore: true };
  const read = await readOutcome(request, terms, search);
  if (read !== null && read.state !== 'unused' && read.state !== 'paid') context.usedNonces.set(key, read);
  return read;
}
