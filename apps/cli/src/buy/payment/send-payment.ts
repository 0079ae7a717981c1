import { parseRetryAfter } from '@touchstone/common';
import type { Order, RequestResult, SendRequest, ServiceResponse } from '../service/send-request.ts';
import { isJsonObject, parseJson } from '../../verify/parse-json.ts';
import { isNotCharged, readProblem } from '../service/read-problem.ts';

/** Result of sending a payment. */
export type SendResult =
  /** The service delivered the bought result: the response contains a JSON object. */
  | { readonly outcome: 'served'; readonly response: ServiceResponse }
  /** The service refused the payment permanently, and nothing was charged. */
  | { readonly outcome: 'refused'; readonly response: ServiceResponse }
  /** There is no final response. The payment can be sent again. */
  | {
      readonly outcome: 'open';
      readonly reason: string;
      /** The last response; null when none arrived. */
      readonly response: ServiceResponse | null;
      /** False when the service stated that nothing was charged so far. */
      readonly maybeCharged: boolean;
    };

export interface SendTools {
  readonly sendRequest: SendRequest;
  readonly sleep: (ms: number) => Promise<void>;
  /** Returns milliseconds of a monotonic clock. */
  readonly clock: () => number;
  /** Prints the reason why the payment is sent again. */
  readonly report: (line: string) => void;
  /** True for a payment that an earlier run sent. It may be charged already, even if the service refuses it now. */
  readonly wasSentBefore: boolean;
}

/** Maximum number of failed attempts. */
const MAX_FAILURES = 5;
const FIRST_PAUSE_MS = 500;
/** Maximum pause between attempts, in milliseconds. After a longer Retry-After there is no further attempt. */
const MAX_PAUSE_MS = 30_000;
/** Time in which responses with `payment-in-progress` do not count as failed attempts, in milliseconds. */
const MAX_PROCESSING_MS = 120_000;
/** Statuses of temporary errors, after which the payment is sent again. */
const TEMPORARY_STATUSES: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);

/**
 * Sends an order with its signed payment until the response is final or the attempts are used up. Every attempt sends
 * the same bytes, so the service delivers one result and the chain settles the payment only once.
 */
export async function sendPayment(order: Order, signature: string, tools: SendTools): Promise<SendResult> {
  const headers = new Headers({ 'payment-signature': signature });
  const startedAt = tools.clock();
  let maybeCharged = tools.wasSentBefore;
  for (let failures = 0; ;) {
    const received = await tools.sendRequest(order, headers);
    const attempt = classifyAttempt(received, maybeCharged);
    if (attempt.outcome !== 'open') return attempt;
    maybeCharged = attempt.maybeCharged;
    if (attempt.retry === 'never') return attempt;
    const isProcessing = attempt.retry === 'in-progress' && tools.clock() - startedAt < MAX_PROCESSING_MS;
    if (!isProcessing) failures += 1;
    const pause = findPause(attempt.response) ?? FIRST_PAUSE_MS * 2 ** Math.max(0, failures - 1);
    if (failures >= MAX_FAILURES || pause > MAX_PAUSE_MS) return attempt;
    tools.report(`${attempt.reason}. The same payment is sent again; it is charged at most once.`);
    await tools.sleep(pause);
  }
}

interface OpenAttempt extends Extract<SendResult, { outcome: 'open' }> {
  readonly retry: 'after-failure' | 'in-progress' | 'never';
}
type Attempt = Exclude<SendResult, { outcome: 'open' }> | OpenAttempt;

/** Classifies the result of one attempt. @param maybeCharged true when an earlier attempt may have been charged */
function classifyAttempt(received: RequestResult, maybeCharged: boolean): Attempt {
  if ('error' in received) {
    const reason = `No complete response arrived (${received.error})`;
    return { outcome: 'open', retry: 'after-failure', response: null, reason, maybeCharged: true };
  }
  const { status, text } = received;
  if (isSuccess(status) && isJsonObject(parseJson(text))) return { outcome: 'served', response: received };
  const isMaybeCharged = maybeCharged || !isNotCharged(received);
  // A payment that was settled is refused with 402, too, because its nonce is used. So a 402 is final only if nothing
  // can have been charged.
  const isFinal = status === 402 ? !isMaybeCharged : status >= 400 && isNotCharged(received);
  if (isFinal && !TEMPORARY_STATUSES.has(status)) return { outcome: 'refused', response: received };
  return {
    outcome: 'open',
    response: received,
    maybeCharged: isMaybeCharged,
    ...classifyOpenResponse(received),
  };
}

/** Decides if the payment is sent again after a response that is not final, and describes the response. */
function classifyOpenResponse(response: ServiceResponse): Pick<OpenAttempt, 'retry' | 'reason'> {
  const { status } = response;
  const problem = readProblem(response);
  if (isSuccess(status))
    return { retry: 'never', reason: `The service returned ${String(status)} without a JSON object` };
  if (status === 409 && problem?.code === 'payment-in-progress')
    return { retry: 'in-progress', reason: 'The service is still processing the payment' };
  if (TEMPORARY_STATUSES.has(status))
    return { retry: 'after-failure', reason: `The service returned ${String(status)}` };
  if (status === 402) return { retry: 'never', reason: 'The service refused the payment' };
  // A response without an RFC 9457 body may come from another program, such as the login page of a Wi-Fi network.
  const source = problem === null ? ' without an error description. It may not come from the service' : '';
  return { retry: 'never', reason: `The response has status ${String(status)}${source}` };
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

function findPause(response: ServiceResponse | null): number | null {
  return response === null ? null : parseRetryAfter(response.headers, Date.now());
}
