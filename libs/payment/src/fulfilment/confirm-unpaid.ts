import { ChainUnreadableError, readAuthorizationState, type AuthorizationState } from '@touchstone/chain';
import { isSignedByPayer } from '../gateway/check-signature.ts';
import { waitForChain } from '../gateway/query-chain.ts';
import type { SignedRequest } from './check-payment.ts';
import type { Unpaid } from './paid-request.ts';
import { PAYMENT_STATES } from './payment-states.ts';
import type { Outcome } from './respond.ts';
import { readOutcome, toSearchStart, type OutcomeReading } from './settlement-outcome.ts';

/**
 * Maximum age of a block at which an unused nonce counts as unused, if the facilitator saw the nonce unused during the
 * request, in milliseconds.
 */
const MAX_VERIFIED_AGE_MS = 30_000;

/** A payment that the chain shows as paid, or the outcome for a response. */
type Confirmation = { readonly paidBy: string } | Outcome;

/** Returns the outcome of a payment that buys nothing. */
export function toOutcome(confirmation: Confirmation): Outcome {
  return 'paidBy' in confirmation ? { state: 'unknown' } : confirmation;
}

/**
 * Confirms on the chain that a payment is not charged, because a third party may have settled the authorization. The
 * outcome has the state `unknown` unless the chain shows that no money moved to the wallet of the seller. Without a proof of
 * the payer, the use of a nonce is not searched: everyone can read used nonces from the chain, and send them with a forged
 * signature.
 */
export async function confirmUnpaid(
  request: SignedRequest,
  { state, verification }: Pick<Unpaid, 'state' | 'verification'>,
): Promise<Confirmation> {
  // The process of a payment that is `working` may have been killed.
  if (state === 'unknown' || PAYMENT_STATES[state].afterLease !== 'verify') return { state };
  const { terms, payment } = request;
  const { authorization, signature } = payment;
  const isProven = verification === 'valid' || isSignedByPayer({ authorization, signature, terms });
  const since = isProven ? toSearchStart(request.context.now()) : null;
  const onChain = await readOnChain(request, verification, since);
  const unpaid = (): Outcome => ({
    state: request.hasCopies() || state === 'working' ? 'unknown' : state,
  });
  switch (onChain?.state) {
    case 'paid':
      return { paidBy: onChain.transaction };
    case 'paid-otherwise':
      return { state: 'unknown', otherTransfer: onChain.transaction };
    case 'unused':
      return verification === 'nonce-used' ? { state: 'unknown' } : unpaid();
    case 'canceled':
      return unpaid();
    case 'used-otherwise':
      // The other wallet may be a former wallet of the seller.
      return authorization.payTo === terms.payTo.toLowerCase() ? unpaid() : { state: 'unknown' };
    case 'used-before':
    case undefined:
      return { state: 'unknown', isUnproven: !isProven };
  }
}

/**
 * Reads the state of an authorization from the chain. An unused nonce is proven by a block that is not older than the
 * request, or by the facilitator and a block of the last 30 seconds. A block with a later time than ours proves nothing,
 * because our clock is wrong.
 */
function readOnChain(
  request: SignedRequest,
  verification: Unpaid['verification'],
  since: number | null,
): Promise<AuthorizationState | null> {
  const { context, terms, arrivedAt } = request;
  const isRecent = (headAt: number): boolean => {
    // The outcome is unknown at any block.
    if (verification === 'nonce-used') return true;
    const age = context.now() - headAt;
    return age >= 0 && (headAt >= arrivedAt || (verification === 'valid' && age <= MAX_VERIFIED_AGE_MS));
  };
  return readOutcome(request, terms, {
    since,
    mayBeUsedBefore: true,
    isRecent,
    read: (query, timeoutMs) =>
      waitForChain(context.chain, readShared(request, query, verification), timeoutMs),
  });
}

/**
 * Reads the state of an authorization, unless a reading of the same authorization is running. A search for a used nonce
 * costs many calls, so its result is kept, also if no request waits for it any more.
 * @throws ChainUnreadableError when the chain cannot be read, or too many chain queries wait
 */
async function readShared(
  { context, client }: SignedRequest,
  query: Parameters<OutcomeReading['read']>[0],
  verification: Unpaid['verification'],
): Promise<AuthorizationState> {
  const { authorizationStates, chain, chainQueue } = context;
  const key = [query.payer, query.nonce, query.amount, query.since !== null].join(' ');
  const known = authorizationStates.get(key);
  if (known !== undefined) return known;
  const read = (): Promise<AuthorizationState> => readAuthorizationState(chain, query);
  const reading = verification === 'valid' ? read() : chainQueue.run(client, read);
  if (reading === null) throw new ChainUnreadableError(chain.network, ['too many chain queries wait']);
  authorizationStates.set(key, reading);
  const forget = (): void => authorizationStates.forget(key);
  void reading.then(({ state }) => {
    if (state === 'unused' || state === 'paid') forget();
  }, forget);
  return reading;
}
