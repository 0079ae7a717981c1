import type { PurchaseFailure, PurchaseOutcome } from '@touchstone/contract/shared/values';

/** Maximum time for a whole response, in milliseconds. A response that takes longer is late. */
const MAX_RESPONSE_MS = 20_000;

/** Facts from which the outcome of a purchase follows. */
export interface PurchaseFacts {
  /** True if the chain shows the transfer; false if it never happens; null while unknown. */
  readonly charged: boolean | null;
  /** See `hasExample`. */
  readonly hasExample: boolean;
  /** Response to the paid request; null if none was recorded, for example because the worker stopped. */
  readonly answer: PaidAnswer | null;
}

/** Response to a paid request. */
export interface PaidAnswer {
  /** Null without a response. */
  readonly httpStatus: number | null;
  /** Length of the received part of the body; null without a response. */
  readonly bodyBytes: number | null;
  /** Time from the start of the request to the end of the response, in milliseconds. */
  readonly totalMs: number | null;
  /** Reason why the response is missing or incomplete; null for a complete response. */
  readonly failure: PurchaseFailure | null;
  /** Differences between the body and the declared output schema; null if the body was not compared. */
  readonly schemaFindings: readonly string[] | null;
}

/** Request of a purchase. `resource` is the URL of the endpoint. */
interface ExampleRequest {
  readonly resource: string;
  readonly url: string;
  readonly bodySha256: string | null;
}

/** Returns true for a request with the example of the seller: a body, or another URL than that of the endpoint. */
export function hasExample({ resource, url, bodySha256 }: ExampleRequest): boolean {
  return bodySha256 !== null || URL.parse(url)?.href !== URL.parse(resource)?.href;
}

/**
 * Judges the outcome of a purchase. The chain decides whether the payment was charged; the header PAYMENT-RESPONSE does
 * not count. In doubt, the outcome is `unclear`, which accuses no seller.
 *
 * @returns null while it is unknown whether the payment was charged
 */
export function judgeOutcome({ charged, hasExample, answer }: PurchaseFacts): PurchaseOutcome | null {
  if (charged === null) return null;
  if (answer === null || answer.failure === 'not-sent' || answer.failure === 'internal') return 'unclear';
  const { httpStatus, failure } = answer;
  if (httpStatus === null) return judgeMissingResponse(charged, failure);
  const isSuccess = httpStatus >= 200 && httpStatus < 300;
  if (!charged) return isSuccess ? 'free' : 'refused-uncharged';
  if (isSuccess) return judgeBody(answer);
  if (httpStatus === 402) return 'pay-again';
  return isOurs(httpStatus, hasExample) ? 'unclear' : 'paid-not-delivered';
}

/**
 * Returns true for a status that blames our request: 429 our rate, and another 4xx status a request without an example,
 * which may lack an input that the seller never declared.
 */
function isOurs(httpStatus: number, hasExample: boolean): boolean {
  return httpStatus === 429 || (!hasExample && httpStatus >= 400 && httpStatus < 500);
}

function judgeMissingResponse(charged: boolean, failure: PaidAnswer['failure']): PurchaseOutcome {
  if (!charged || failure === null) return 'unclear';
  return failure === 'timeout' ? 'late' : 'paid-not-delivered';
}

/** Judges a 2xx response to a charged payment. */
function judgeBody({ bodyBytes, totalMs, failure, schemaFindings }: PaidAnswer): PurchaseOutcome {
  if (failure === 'timeout') return 'late';
  // The length and the hash of a body that cannot be decoded are unknown.
  if (failure === 'invalid-response') return 'unclear';
  if (bodyBytes === 0 || failure === 'closed' || (schemaFindings !== null && schemaFindings.length > 0))
    return 'wrong-body';
  return totalMs !== null && totalMs > MAX_RESPONSE_MS ? 'late' : 'delivered';
}
