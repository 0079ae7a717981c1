import { ChainUnreadableError, readAuthorizationState, type AuthorizationState } from '@touchstone/chain';
import { MINUTE_MS } from '@touchstone/common';
import { isSignedByPayer } from '../gateway/check-signature.ts';
import { waitForChain } from '../gateway/query-chain.ts';
import type { SignedRequest } from './check-payment.ts';
import type { Unpaid } from './paid-request.ts';
import { PAYMENT_STATES } from './payment-states.ts';
import type { Outcome } from './respond.ts';
import { isClockPlausible, readOutcome, toSearchStart, type OutcomeReading } from './settlement-outcome.ts';

/**
 * Maximum age of a block at which an unused nonce counts as unused, in milliseconds, if the facilitator saw the nonce
 * unused during the request, or if no one can settle the payment because its signature is wrong.
 */
const MAX_BLOCK_AGE_MS = 30_000;

/** Time for which the state of a used nonce is kept, in milliseconds. */
const MAX_KEPT_MS = MINUTE_MS;

/** A payment that the chain shows as paid, or the outcome for a response. */
type Confirmation = { readonly paidBy: string } | Outcome;

/** Returns the outcome of a payment that buys nothing. */
export function toOutcome(confirmation: Confirmation): Outcome {
  return 'paidBy' in confirmation ? { state: 'unknown' } : confirmation;
}

/**
 * Confirms on the chain that a payment is not charged, because a third party may have settled the authorization. The
 * outcome has the state `unknown` unless the chain shows that no money moved to the wallet of the seller. Without a
 * proof of the payer, the use of a nonce is not searched: everyone can read used nonces from the chain, and send them
 * with a forged signature.
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
  const onChain = await readOnChain(request, {
    since: isProven ? toSearchStart(request.context.now()) : null,
    isUnknown: state === 'working' || verification === 'nonce-used',
    isVerified: verification === 'valid',
  });
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

interface ChainReading {
  /** Start of the search for the use of the nonce; null without a proof of the payer. */
  readonly since: number | null;
  /** True if the outcome of an unused nonce is unknown at any block. */
  readonly isUnknown: boolean;
  /** True if the facilitator found the payment valid during the request. */
  readonly isVerified: boolean;
}

/**
 * Reads the state of an authorization from the chain. An unused nonce is proven by a block that is not older than the
 * request. A block of the last 30 seconds is sufficient with the facilitator's verification, or if the signature is
 * wrong.
 */
function readOnChain(
  request: SignedRequest,
  { since, isUnknown, isVerified }: ChainReading,
): Promise<AuthorizationState | null> {
  const { context, terms, arrivedAt } = request;
  const maxAgeMs = isVerified || since === null ? MAX_BLOCK_AGE_MS : 0;
  const isRecent = (headAt: number): boolean => {
    const now = context.now();
    const isNew = headAt >= arrivedAt || headAt >= now - maxAgeMs;
    return isUnknown || (isNew && isClockPlausible(headAt, now));
  };
  return readOutcome(request, terms, {
    since,
    mayBeUsedBefore: true,
    isRecent,
    read: (query, timeoutMs) =>
      waitForChain(context.chain, readShared(request, query, isVerified), timeoutMs),
  });
}

/**
 * Reads the state of an authorization, unless a reading of the same authorization is running. A search for a used nonce
 * costs many calls, so its result is kept for a minute, also if no request waits for it any more.
 * @throws ChainUnreadableError when the chain cannot be read, or too many chain queries wait
 */
async function readShared(
  { context, client }: SignedRequest,
  query: Parameters<OutcomeReading['read']>[0],
  isVerified: boolean,
): Promise<AuthorizationState> {
  const { authorizationStates, chain, chainQueue } = context;
  const key = [query.payer, query.nonce, query.amount, query.since !== null].join(' ');
  const known = authorizationStates.get(key);
  if (known !== undefined) return known;
  const read = (): Promise<AuthorizationState> => readAuthorizationState(chain, query);
  const reading = isVerified ? read() : chainQueue.run(client, read);
  if (reading === null) throw new ChainUnreadableError(chain.network, ['too many chain queries wait']);
  authorizationStates.set(key, reading);
  const forget = (): void => authorizationStates.forget(key);
  void reading.then(({ state }) => {
    if (state === 'unused' || state === 'paid') forget();
    // The newest block may be replaced by another one.
    else setTimeout(forget, MAX_KEPT_MS).unref();
  }, forget);
  return reading;
}
