import { FacilitatorResponseError, type FacilitatorClient } from '@x402/core/server';
import { SettleError, VerifyError } from '@x402/core/types';
import type { PaymentPayload, SettleResponse, VerifyResponse } from '@x402/core/types';
import { readAuthorization } from './read-payment.ts';

/**
 * The facilitator gave no answer, or one that cannot be. Of a settlement that says nothing: money may have moved. The
 * x402 server hands on errors of this kind, where it takes others for refusals.
 */
export class FacilitatorTrouble extends FacilitatorResponseError {
  override readonly name = 'FacilitatorTrouble';
}

const WORD = /^[\w.:-]{1,100}$/;
const TRANSACTION = /^0x[0-9a-f]{64}$/i;

/** A reason as a stranger may read it: facilitators also hand on errors of theirs, with the addresses of their nodes. */
const wordOf = (reason: unknown, otherwise: string): string =>
  typeof reason === 'string' && WORD.test(reason) ? reason : otherwise;

const trouble = (what: string, error: unknown): FacilitatorTrouble =>
  error instanceof FacilitatorTrouble
    ? error
    : new FacilitatorTrouble(
        `the facilitator did not ${what}: ${error instanceof Error ? error.message : String(error)}`,
      );

const payerOf = (payload: PaymentPayload): string | null => readAuthorization(payload)?.payer ?? null;

/** Whether a payer that was named is who signed; none need be named. */
const isPayer = (named: string | undefined, payload: PaymentPayload): boolean =>
  named === undefined || named === '' || named.toLowerCase() === payerOf(payload);

const verified = (answer: VerifyResponse, payload: PaymentPayload): VerifyResponse => {
  if (!answer.isValid) {
    return { isValid: false, invalidReason: wordOf(answer.invalidReason, 'invalid_payment') };
  }
  if (!isPayer(answer.payer, payload)) throw new FacilitatorTrouble('the facilitator verified another payer');
  return { isValid: true };
};

const settled = (answer: SettleResponse, payload: PaymentPayload, network: SettleResponse['network']) => {
  const { success, transaction } = answer;
  const payer = payerOf(payload);
  const named = payer === null ? {} : { payer };
  if (!success) {
    const errorReason = wordOf(answer.errorReason, 'settlement_failed');
    // What comes with a transaction has been sent to the chain; the server asks once more for what is pending.
    return {
      success,
      errorReason,
      transaction: TRANSACTION.test(transaction) ? transaction : '',
      network,
      ...named,
    };
  }
  if (answer.network !== network) throw new FacilitatorTrouble('the facilitator settled on another network');
  if (!TRANSACTION.test(transaction)) throw new FacilitatorTrouble('the facilitator named no transaction');
  if (!isPayer(answer.payer, payload))
    throw new FacilitatorTrouble('the facilitator settled for another payer');
  return { success, transaction, network, ...named };
};

/**
 * The errors of HTTP by which a facilitator refuses a payment. What it says of our key, of how often it is asked or of
 * what it has no address for is between it and us.
 */
const REFUSALS: ReadonlySet<number> = new Set([400, 402, 409, 422]);

/**
 * A facilitator whose answers can be relied on: refusals are answers, with a word for a reason; whatever else is not
 * what was asked for (no connection, no answer in time, no JSON, another payer or network, no transaction) is thrown
 * as FacilitatorTrouble.
 *
 * What it supports is not asked. All that the exact scheme on an EVM network puts into a challenge is known without,
 * and so challenges are given while the facilitator cannot be reached.
 */
export const guardFacilitator = (
  facilitator: FacilitatorClient,
  network: `${string}:${string}`,
): FacilitatorClient => ({
  verify: async (payload, requirements) => {
    try {
      return verified(await facilitator.verify(payload, requirements), payload);
    } catch (error) {
      if (error instanceof VerifyError && REFUSALS.has(error.statusCode)) {
        return { isValid: false, invalidReason: wordOf(error.invalidReason, 'invalid_payment') };
      }
      throw trouble('verify', error);
    }
  },
  settle: async (payload, requirements) => {
    try {
      return settled(await facilitator.settle(payload, requirements), payload, network);
    } catch (error) {
      if (error instanceof SettleError && REFUSALS.has(error.statusCode)) {
        const { errorReason, transaction } = error;
        const answer = { success: false, transaction, network, ...(errorReason ? { errorReason } : {}) };
        return settled(answer, payload, network);
      }
      throw trouble('settle', error);
    }
  },
  getSupported: () =>
    Promise.resolve({ kinds: [{ x402Version: 2, scheme: 'exact', network }], extensions: [], signers: {} }),
});
