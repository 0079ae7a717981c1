import type { Decision } from '../decision/decision.ts';

/** Signed payment that a program wants to send, and the request that carries the payment. */
export interface AuthorizeRequest {
  /** URL that is really requested, with its query. */
  readonly url: string;
  readonly method: string;
  /**
   * SHA-256 of the request body in hex; undefined for a request without a body. Null for a body that is not known: the
   * guard then cannot recognize a second payment of the same request.
   */
  readonly bodySha256?: string | null | undefined;
  /**
   * Challenge that the payment answers: the value of the header `PAYMENT-REQUIRED`, or the parsed body of the 402
   * response. A payment of x402 version 1 requires the challenge, because the payment does not repeat its terms.
   */
  readonly challenge?: string | object | undefined;
  /** Value of the header `PAYMENT-SIGNATURE` or `X-PAYMENT`. */
  readonly payment: string;
}

/** Decision on a signed payment. */
export interface Authorization {
  /** Decision with the reasons of the payment terms and of earlier payments. */
  readonly decision: Decision;
  /** Id of the payment in the journal, for `record`; null for a refused payment. */
  readonly id: string | null;
  /**
   * Value of the header to send: the given payment, or the earlier payment of the same request in its place. Null for a
   * refused payment. A payment to the service itself is returned without an id.
   */
  readonly payment: string | null;
}

/** Response to an authorized payment. */
export interface RecordedResponse {
  /** Status of the response; null without a response. */
  readonly status: number | null;
  /** Header `Content-Length`; null or undefined without the header. */
  readonly contentLength?: string | number | null | undefined;
  /** Header `PAYMENT-RESPONSE` or `X-PAYMENT-RESPONSE`; null or undefined without the header. */
  readonly paymentResponse?: string | null | undefined;
}
