import { ChainUnreadableError, hasCode } from '@touchstone/chain';
import type { PaymentRequirements } from '@x402/core/types';
import { findSigner, type Signer } from '../gateway/check-signature.ts';
import type { ReadInput } from '../request/read-input.ts';
import type { SellerContext } from '../seller-context.ts';
import { toResponseState, type PaidRequest } from './paid-request.ts';
import type { KnownState } from './payment-states.ts';
import { queryChain } from './query-chain.ts';
import { respondUnclaimed } from './respond.ts';

/** A valid request with its payment terms. The signature may still be wrong if the signer is not the payer. */
export interface CheckedRequest<Input> extends ReadInput<Input> {
  readonly terms: PaymentRequirements;
  readonly signer: Signer;
  /** Time of the check of the terms and the validity, in milliseconds since the epoch. */
  readonly checkedAt: number;
}

/** Builds the response to a request that was refused, from the state of its payment. */
export type Refusal = (state: KnownState) => Promise<Response>;

/** Result of the checks that need neither the facilitator nor the database. */
export type RequestCheck<Input> = { readonly checked: CheckedRequest<Input> } | { readonly refuse: Refusal };

/** Time for the query if the payer is a contract, in milliseconds. */
const CODE_TIMEOUT_MS = 2_000;

/** Returns a function that creates the response to a refused payment, with a new challenge. */
export const toRefusal =
  <Input>({ gateway }: SellerContext, request: PaidRequest<Input>, reason: string): Refusal =>
  async (state) => {
    const challenge = await gateway.createChallenge(request.target, reason);
    return respondUnclaimed('payment-refused', { challenge }, toResponseState(request, state));
  };

/**
 * Checks a payment and its request without the facilitator, the database and the chain. The cheapest checks come first:
 * terms, amount, recipient and validity, then the body, then the signature.
 */
export const checkRequest = async <Input>(
  context: SellerContext,
  request: PaidRequest<Input>,
): Promise<RequestCheck<Input>> => {
  const { target, payment } = request;
  const checkedAt = context.now();
  const check = await context.gateway.checkTerms(target, payment.payload);
  if ('refused' in check) return { refuse: toRefusal(context, request, check.refused) };
  const reading = await request.readInput();
  if ('problem' in reading) {
    const { problem } = reading;
    const refuse: Refusal = (state) =>
      Promise.resolve(respondUnclaimed('request-invalid', { problem }, toResponseState(request, state)));
    return { refuse };
  }
  const { terms } = check;
  const { authorization, signature } = payment;
  const signer = findSigner({ authorization, signature, terms });
  return { checked: { ...reading.read, terms, signer, checkedAt } };
};

/**
 * Returns the refusal of a payment that its payer did not sign. If the payer is a contract, only the facilitator can
 * check the signature, so there is no refusal.
 */
export const findSignatureRefusal = async <Input>(
  context: SellerContext,
  request: PaidRequest<Input>,
  signer: Signer,
): Promise<Refusal | null> => {
  if (signer !== 'unknown') return null;
  const { payer } = request.payment.authorization;
  try {
    const isContract = await queryChain(context.chain, (chain) => hasCode(chain, payer), CODE_TIMEOUT_MS);
    return isContract ? null : toRefusal(context, request, 'invalid_exact_evm_signature');
  } catch (error) {
    if (!(error instanceof ChainUnreadableError)) throw error;
    context.onError('the code of a payer could not be read, so the facilitator checks its signature', error);
    return null;
  }
};
