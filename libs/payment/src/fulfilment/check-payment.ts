import { ChainUnreadableError, hasCode } from '@touchstone/chain';
import type { Problem } from '@touchstone/contract';
import type { PaymentRequirements } from '@x402/core/types';
import { findSigner, type Signer } from '../gateway/check-signature.ts';
import { queryChain, waitForChain } from '../gateway/query-chain.ts';
import { toVerification } from '../gateway/refusal-reasons.ts';
import type { ReadInput } from '../request/read-input.ts';
import type { PresentedPayment } from '../request/read-payment.ts';
import type { OngoingRequest, SellerContext } from '../seller-context.ts';
import { endUnclaimed, type PaidRequest, type Unpaid } from './paid-request.ts';
import type { KnownState } from './payment-states.ts';

/** Reason to refuse a payment, or problem of its request. */
export type Refusal = { readonly reason: string } | { readonly problem: Problem };

/** A valid request. The signature of its payment may still be wrong if the signer is not the payer. */
export interface CheckedRequest<Input> extends ReadInput<Input> {
  readonly signer: Signer;
}

/** Result of the checks that need neither the facilitator nor the database. */
export type PaymentCheck<Input> = { readonly checked: CheckedRequest<Input> } | { readonly refusal: Refusal };

/**
 * Result of the verification of a payment by the facilitator: `valid`, the refusal, or `unavailable` if the facilitator
 * sent no usable response.
 */
export type VerificationResult = 'valid' | 'unavailable' | { readonly reason: string };

/** A request with an authorization. The signature may be empty. */
export interface SignedRequest extends OngoingRequest {
  readonly context: SellerContext;
  readonly terms: PaymentRequirements;
  readonly payment: Pick<PresentedPayment, 'authorization' | 'signature'>;
  /** Client in the queues. */
  readonly client: string;
}

/**
 * Maximum age of the signature of a new payment, in seconds. A payment with an older signature is looked up in the
 * database before its claim.
 */
const MAX_NEW_SECONDS = 30;

/** Timeout of the chain query that finds out if the payer is a contract, with its wait for a slot, in milliseconds. */
const CODE_TIMEOUT_MS = 2_000;

/**
 * Checks a payment and its request without the facilitator, the database and the chain. The cheapest checks come first:
 * terms, amount, recipient and validity, then the body, then the signature.
 */
export function checkPayment<Input>(request: PaidRequest<Input>): PaymentCheck<Input> {
  const { context, target, payment, reading, terms } = request;
  const reason = context.gateway.findRefusalReason(target, payment.payload);
  if (reason !== null) return { refusal: { reason } };
  if ('problem' in reading) return { refusal: { problem: reading.problem } };
  const { authorization, signature } = payment;
  return { checked: { ...reading.read, signer: findSigner({ authorization, signature, terms }) } };
}

/**
 * Returns true if the payer signed a payment within the last 30 seconds. The guess may be wrong: then the facilitator
 * verifies the payment once more than necessary, and the claim still leads to the right response.
 */
export function isProbablyNew<Input>(
  { context, terms, payment }: PaidRequest<Input>,
  { signer }: CheckedRequest<Input>,
): boolean {
  const signedAt = Number(payment.authorization.validBefore) - terms.maxTimeoutSeconds;
  return signer === 'payer' && signedAt >= context.now() / 1_000 - MAX_NEW_SECONDS;
}

/**
 * Returns the refusal of a payment that its payer did not sign. If the payer is a contract, only the facilitator can
 * check the signature, so there is no refusal.
 * @returns `queue-full` if too many chain queries wait
 */
export async function findSignatureRefusal(
  { context, client, payment }: Pick<SignedRequest, 'context' | 'client' | 'payment'>,
  signer: Signer,
): Promise<Refusal | 'queue-full' | null> {
  if (signer !== 'unknown') return null;
  const { payer } = payment.authorization;
  const reading = context.chainQueue.run(client, () =>
    queryChain(context.chain, (chain) => hasCode(chain, payer), CODE_TIMEOUT_MS),
  );
  if (reading === null) return 'queue-full';
  try {
    const isContract = await waitForChain(context.chain, reading, CODE_TIMEOUT_MS);
    return isContract ? null : { reason: 'invalid_exact_evm_signature' };
  } catch (error) {
    if (!(error instanceof ChainUnreadableError)) throw error;
    context.onError('the code of a payer could not be read, so the facilitator checks its signature', error);
    return null;
  }
}

/**
 * Verifies a payment with the facilitator. Never rejects. A facilitator that cannot read the chain may report an invalid
 * signature, so a refusal counts only if the chain can be read.
 */
export async function verifyPayment<Input>({
  context: { gateway, isChainReadable, onError },
  payment,
  terms,
}: PaidRequest<Input>): Promise<VerificationResult> {
  try {
    const reason = await gateway.verify(payment.payload, terms);
    if (reason === null) return 'valid';
    return (await isChainReadable()) ? { reason } : 'unavailable';
  } catch (error) {
    onError(error instanceof Error ? error.message : 'a payment could not be verified', error);
    return 'unavailable';
  }
}

/** Ends a request whose payment was refused without a claim. A refused payment gets a new challenge. */
export function endRefused<Input>(request: PaidRequest<Input>, refusal: Refusal, state: KnownState): Unpaid {
  if ('problem' in refusal) return endUnclaimed('request-invalid', refusal, state);
  const challenge = request.context.gateway.createChallenge(request.target, refusal.reason);
  const end = endUnclaimed('payment-refused', { challenge }, state);
  return { ...end, verification: toVerification(refusal.reason) };
}
