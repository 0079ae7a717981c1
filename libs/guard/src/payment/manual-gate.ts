import { type Decision, PaymentRefusedError } from '../decision/decision.ts';
import type { ResponseFacts } from '../outcome/outcome.ts';
import { parseHttpUrl } from '../payment-terms.ts';
import { removeOldest } from '../remove-oldest.ts';
import type { AllowedPayment, PaymentBook } from './payment-book.ts';
import type { PaymentGate } from './payment-gate.ts';

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

/** Maximum number of payments that wait for `record`. The oldest ones are then recorded without an outcome. */
const MAX_UNRECORDED = 1_000;

/** Creates the functions of a guard for clients that it cannot wrap. */
export function createManualGate(
  gate: PaymentGate,
  {
    book,
    refuse,
  }: { readonly book: PaymentBook; readonly refuse: (url: string, message: string) => Decision },
): {
  readonly authorize: (request: AuthorizeRequest) => Promise<Authorization>;
  readonly record: (id: string, response: RecordedResponse) => Promise<boolean>;
} {
  const waiting = new Map<string, AllowedPayment>();
  return {
    authorize: async ({ url, method, bodySha256 = EMPTY_SHA256, challenge, payment }) => {
      if (parseHttpUrl(url) === null) {
        const decision = refuse(url, 'The URL of the request must be an absolute http or https URL.');
        return { decision, id: null, payment: null };
      }
      try {
        if (challenge !== undefined) gate.learnChallenge(url, challenge);
        const allowed = await gate.authorize({ url, method, bodySha256 }, payment);
        if (allowed === null) return { decision: createOwnDecision(url), id: null, payment };
        waiting.set(allowed.id, allowed);
        removeOldest(waiting, MAX_UNRECORDED);
        return { decision: allowed.decision, id: allowed.id, payment: allowed.header };
      } catch (error) {
        if (!(error instanceof PaymentRefusedError)) throw error;
        return { decision: error.decision, id: null, payment: null };
      }
    },
    record: async (id, recorded) => {
      const response = toFacts(recorded);
      const allowed = waiting.get(id);
      if (allowed !== undefined) {
        waiting.delete(id);
        await gate.record(allowed, response);
        return true;
      }
      // The process may have been restarted since the payment was authorized.
      if (!(await book.has(id))) return false;
      await book.record(id, response);
      return true;
    },
  };
}

/** SHA-256 of no bytes. */
const EMPTY_SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

/** Creates the decision on a payment to the service itself, which is not checked. */
function createOwnDecision(url: string): Decision {
  const payment = { url, network: '', asset: '', amount: '', payTo: '' };
  return { action: 'pay', reasons: [], payment, summary: null, isUnknownHost: false, source: null };
}

function toFacts({ status, contentLength, paymentResponse }: RecordedResponse): ResponseFacts | null {
  if (status === null) return null;
  const length = contentLength ?? null;
  return {
    status,
    contentLength: length === null ? null : String(length),
    paymentResponse: paymentResponse ?? null,
  };
}
