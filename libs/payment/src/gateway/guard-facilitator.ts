import { FacilitatorResponseError, type FacilitatorClient } from '@x402/core/server';
import { SettleError, VerifyError } from '@x402/core/types';
import type { PaymentPayload, SettleResponse, VerifyResponse } from '@x402/core/types';
import { readAuthorization } from '../request/read-payment.ts';

/**
 * Error of a facilitator call without a response, or with an implausible response. If the call was a settlement, money
 * may have moved. The x402 server passes on errors of this class, and treats all other errors as refusals.
 */
export class FacilitatorError extends FacilitatorResponseError {
  override readonly name = 'FacilitatorError';
}

const REASON = /^[\w.:-]{1,100}$/;
const TRANSACTION = /^0x[0-9a-f]{64}$/i;

/**
 * Returns a refusal reason that is safe to publish. Some facilitators send error messages with the addresses of their
 * nodes. For such a message, the result is `fallback`.
 */
const toPublicReason = (reason: unknown, fallback: string): string =>
  typeof reason === 'string' && REASON.test(reason) ? reason : fallback;

function toFacilitatorError(action: 'verify' | 'settle', error: unknown): FacilitatorError {
  if (error instanceof FacilitatorError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new FacilitatorError(`the facilitator did not ${action} a payment: ${reason}`);
}

const readPayer = (payload: PaymentPayload): string | null => readAuthorization(payload)?.payer ?? null;

const isPayer = (named: string | undefined, payload: PaymentPayload): boolean =>
  named === undefined || named === '' || named.toLowerCase() === readPayer(payload);

function checkVerification(response: VerifyResponse, payload: PaymentPayload): VerifyResponse {
  if (!response.isValid) {
    return { isValid: false, invalidReason: toPublicReason(response.invalidReason, 'invalid_payment') };
  }
  if (!isPayer(response.payer, payload)) {
    throw new FacilitatorError('the facilitator verified a payment of another payer');
  }
  return { isValid: true };
}

function checkSettlement(
  response: SettleResponse,
  payload: PaymentPayload,
  network: SettleResponse['network'],
): SettleResponse {
  const { success, transaction } = response;
  const signer = readPayer(payload);
  const payer = signer === null ? {} : { payer: signer };
  if (!success) {
    const errorReason = toPublicReason(response.errorReason, 'settlement_failed');
    // When a refusal names a transaction, this transaction was sent to the chain, so its hash is kept. If the
    // transaction is pending, the x402 server calls the facilitator once more.
    return {
      success,
      errorReason,
      transaction: TRANSACTION.test(transaction) ? transaction : '',
      network,
      ...payer,
    };
  }
  if (response.network !== network) throw new FacilitatorError('the facilitator settled on another network');
  if (!TRANSACTION.test(transaction)) throw new FacilitatorError('the facilitator named no transaction');
  if (!isPayer(response.payer, payload)) {
    throw new FacilitatorError('the facilitator settled a payment of another payer');
  }
  return { success, transaction, network, ...payer };
}

/**
 * HTTP statuses that mean that the facilitator refused the payment. Other error statuses do not concern the payment,
 * but our key (401, 403), our URL (404) or our rate of requests (429).
 */
const REFUSAL_STATUSES: ReadonlySet<number> = new Set([400, 402, 409, 422]);

/**
 * Wraps a facilitator client to check its responses. A response that refuses the payment with a plain reason is a
 * refusal. All other failures (no connection, timeout, no JSON, another payer or network, no transaction) are thrown as
 * FacilitatorError.
 *
 * The supported payment kinds are fixed and not requested from the facilitator. Challenges of the exact scheme on an
 * EVM network do not depend on the supported kinds, so challenges can be created while the facilitator is unreachable.
 */
export function guardFacilitator(
  facilitator: FacilitatorClient,
  network: `${string}:${string}`,
): FacilitatorClient {
  return {
    verify: async (payload, requirements) => {
      try {
        return checkVerification(await facilitator.verify(payload, requirements), payload);
      } catch (error) {
        if (error instanceof VerifyError && REFUSAL_STATUSES.has(error.statusCode)) {
          return { isValid: false, invalidReason: toPublicReason(error.invalidReason, 'invalid_payment') };
        }
        throw toFacilitatorError('verify', error);
      }
    },
    settle: async (payload, requirements) => {
      try {
        return checkSettlement(await facilitator.settle(payload, requirements), payload, network);
      } catch (error) {
        if (error instanceof SettleError && REFUSAL_STATUSES.has(error.statusCode)) {
          const { errorReason, transaction } = error;
          const refusal = { success: false, transaction, network, ...(errorReason ? { errorReason } : {}) };
          return checkSettlement(refusal, payload, network);
        }
        throw toFacilitatorError('settle', error);
      }
    },
    getSupported: () =>
      Promise.resolve({ kinds: [{ x402Version: 2, scheme: 'exact', network }], extensions: [], signers: {} }),
  };
}
