import { toCaip2 } from '@touchstone/x402/networks';
import type { AllowedPayment } from '../payment/payment-book.ts';
import type { ProposedPayment } from '../payment-terms.ts';

/** Evidence for the operator of a program: a payment, and the response to it. */
export interface PaymentOutcome {
  /** Payment that was sent. Its `url` has the query. */
  readonly payment: ProposedPayment;
  /** Endpoint that Touchstone found for the URL; null if Touchstone knows no endpoint, or no statement was verified. */
  readonly resource: string | null;
  /** Wallet and nonce of the authorization (EIP-3009); null for another kind of payment. */
  readonly authorization: { readonly payer: string; readonly nonce: string } | null;
  /**
   * False if the signer of `outcomes` is another wallet than the payer, so that the outcome is not reported; null if the
   * address of the signer or the payer is unknown.
   */
  readonly isSigner: boolean | null;
  /**
   * True for a status from 200 to 299 and a body that is not empty by the status and the header `Content-Length`.
   * `wrapFetch` also recognizes an empty body without that header, and a connection that broke within the body. Null if it is not known, as for the error of an MCP tool, which can have its cause in
   * the arguments, and for a response that only the hooks of an x402 client see.
   */
  readonly delivered: boolean | null;
  /** Status of the response; null without a response, for example after the timeout of the program, and without a status. Null also for a failure after a payment that was sent again. */
  readonly httpStatus: number | null;
  /** Time at which the guard recorded the response or the failure: ISO 8601. For `wrapFetch`, the end of the body. */
  readonly observedAt: string;
}

/** Status of a response, and two of its headers. */
export interface ResponseFacts {
  readonly status: number;
  readonly contentLength: string | null;
  /** Header `PAYMENT-RESPONSE` or `X-PAYMENT-RESPONSE`. */
  readonly paymentResponse: string | null;
}

/** Response of a transport without statuses, such as MCP. */
export interface ResultFacts {
  readonly status: null;
  /** Null if it is not known whether the response is a delivery. */
  readonly delivered: boolean | null;
  readonly paymentResponse: string | null;
}

/** Response to a payment; null without a response. */
export type PaidResponse = ResponseFacts | ResultFacts | null;

/** Statuses of responses without a body. */
const EMPTY_STATUSES: readonly number[] = [204, 205];

/** Creates the outcome of a payment. `signer`: address of the signer of outcomes. */
export function createOutcome(
  { signed: { transfer }, decision }: AllowedPayment,
  response: PaidResponse,
  { now, signer }: { readonly now: number; readonly signer: string | undefined },
): PaymentOutcome {
  const {
    payment: { url, network, asset, amount, payTo },
    summary,
  } = decision;
  const { kind, from = '', nonce = '' } = transfer ?? {};
  const isKnown = from !== '' && signer !== undefined;
  return {
    payment: { url, network: toCaip2(network), asset, amount, payTo },
    resource: summary?.endpoint?.resource ?? null,
    authorization: kind === 'authorization' ? { payer: from, nonce } : null,
    isSigner: isKnown ? from.toLowerCase() === signer.toLowerCase() : null,
    delivered: readDelivery(response),
    httpStatus: response?.status ?? null,
    observedAt: new Date(now).toISOString(),
  };
}

/** Returns true if a response is a delivery; null if it is not known. */
export function readDelivery(response: PaidResponse): boolean | null {
  if (response === null) return false;
  return response.status === null ? response.delivered : isDelivery(response);
}

/** Returns true for a success status, unless the response is empty by its status or its header `Content-Length`. */
export function isDelivery({ status, contentLength }: ResponseFacts): boolean {
  return status >= 200 && status <= 299 && !EMPTY_STATUSES.includes(status) && contentLength !== '0';
}

/**
 * Returns true if the seller is the cause of a response that is not a delivery: 402, 5xx, or an empty response of a
 * success status that requires a body. 202, 204 and 205 require none. Another status can have its cause in the request.
 */
export function isSellerFailure(status: number): boolean {
  if (status === 202 || EMPTY_STATUSES.includes(status)) return false;
  return status === 402 || status >= 500 || (status >= 200 && status <= 299);
}
