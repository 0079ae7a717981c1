import { isJsonObject, parseJson, parseRetryAfter } from '@touchstone/common';
import { decodePaymentResponseHeader } from '@x402/fetch';
import { z } from 'zod';
import type { CliErrorCode } from '../command-tools.ts';
import {
  TEMPORARY_STATUSES,
  describeProblem,
  endSentence,
  isNotCharged,
  readDetail,
  readProblem,
  type RequestResult,
  type ServiceResponse,
} from '../service/request.ts';
import { formatUsdc, toPlainText } from '../terminal/text.ts';
import { readRefusalCode } from './quote.ts';
import type { Payment } from './stored-payments.ts';

export type SendResult =
  /** The service delivered the bought result: the response contains a JSON object. */
  | { readonly outcome: 'served'; readonly response: ServiceResponse }
  /** The service refused the payment permanently, and nothing was charged. */
  | { readonly outcome: 'refused'; readonly response: ServiceResponse }
  /** There is no final response. The payment can be sent again. */
  | {
      readonly outcome: 'open';
      readonly reason: string;
      /** Last response; null when no response arrived. */
      readonly response: ServiceResponse | null;
      /** True if the payment may be charged. False if the service stated that nothing was charged so far. */
      readonly maybeCharged: boolean;
    };

export interface SendTools {
  /** Sends the order with additional header fields. The promise never rejects. */
  readonly sendOrder: (headers: Readonly<Record<string, string>>) => Promise<RequestResult>;
  readonly sleep: (ms: number) => Promise<void>;
  /** Returns milliseconds of a monotonic clock. */
  readonly clock: () => number;
  /** Prints the reason why the payment is sent again. */
  readonly report: (line: string) => void;
  /** True for a payment that an earlier run sent. Such a payment may be charged, even if the service refuses it. */
  readonly wasSentBefore: boolean;
}

/** Maximum number of failed attempts. */
const MAX_FAILURES = 5;
const FIRST_PAUSE_MS = 500;
/** Maximum pause between attempts, in milliseconds. If Retry-After is longer, there is no further attempt. */
const MAX_PAUSE_MS = 30_000;
/**
 * Period from the first attempt on, in milliseconds. In this period, a response with `payment-in-progress` does not
 * count as a failed attempt.
 */
const MAX_PROCESSING_MS = 120_000;

/**
 * Sends an order with its signed payment until the response is final or the attempts are used up. Every attempt sends
 * the same bytes, so the service delivers one result and the chain settles the payment only once.
 */
export async function sendPayment(signature: string, tools: SendTools): Promise<SendResult> {
  const headers = { 'payment-signature': signature };
  const startedAt = tools.clock();
  let maybeCharged = tools.wasSentBefore;
  for (let failures = 0; ;) {
    const received = await tools.sendOrder(headers);
    const attempt = classifyAttempt(received, maybeCharged);
    if (attempt.outcome !== 'open') return attempt;
    maybeCharged = attempt.maybeCharged;
    if (attempt.retry === 'never') return attempt;
    const isProcessing = attempt.retry === 'in-progress' && tools.clock() - startedAt < MAX_PROCESSING_MS;
    if (!isProcessing) failures += 1;
    const { response } = attempt;
    const retryAfterMs = response === null ? null : parseRetryAfter(response.headers, Date.now());
    const pause = retryAfterMs ?? FIRST_PAUSE_MS * 2 ** Math.max(0, failures - 1);
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
  // The service also responds with 402 to a payment that is already settled, because the nonce of the payment is used.
  // So status 402 is final only if it is certain that nothing was charged.
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

const receiptSchema = z.object({
  success: z.boolean(),
  transaction: z.string(),
  errorReason: z.string().optional(),
});

/** Statement of the service on the settlement of a payment. Only the chain can prove the settlement. */
export type Receipt = z.infer<typeof receiptSchema>;

/** Parses the PAYMENT-RESPONSE header of a response; null when the header is missing or unreadable. */
export function readReceipt({ headers }: Pick<ServiceResponse, 'headers'>): Receipt | null {
  const header = headers.get('payment-response');
  if (header === null) return null;
  try {
    return receiptSchema.parse(decodePaymentResponseHeader(header));
  } catch {
    return null;
  }
}

/** Describes a payment that the service refused permanently. The refused request was not charged. */
export function describeRefusedPayment(response: ServiceResponse, payment: Payment): string {
  if (response.status === 402) return `${describeRefusal(response, payment)} Nothing was charged.`;
  const more = readProblem(response)?.code === 'payment-reused' ? ' more' : '';
  return `${describeProblem(response)} Nothing${more} was charged.`;
}

export function classifyRefusedPayment(response: ServiceResponse): CliErrorCode {
  const { code, detail } = readRefusal(response);
  return isInsufficient(code, detail) ? 'insufficient-funds' : 'payment-failed';
}

/** Reads the code of a refusal, and the explanation by the service. Both may be missing. */
function readRefusal(response: ServiceResponse) {
  const code = readReceipt(response)?.errorReason ?? readRefusalCode(response);
  return { code, detail: readDetail(response) };
}

function isInsufficient(code: string | null, detail: string | null): boolean {
  return /insufficient|balance|enough USDC/i.test(`${code ?? ''} ${detail ?? ''}`);
}

function describeRefusal(response: ServiceResponse, payment: Payment): string {
  const { amount, payer, network } = payment;
  const price = formatUsdc(BigInt(amount));
  const { code, detail } = readRefusal(response);
  const reason = code === null ? '' : ` (${toPlainText(code, 100)})`;
  const sentence = detail === null ? '' : ` ${endSentence(toPlainText(detail, 300))}`;
  const advice = isInsufficient(code, detail)
    ? ` Make sure that ${payer} holds at least ${price} in USDC on ${network} before the next attempt.`
    : '';
  const hasReason = code !== null || detail !== null;
  return `The service refused the payment of ${price}${hasReason ? reason : ' without a reason'}.${sentence}${advice}`;
}

/** Text that tells the user how to send a stored payment again. */
const DEFAULT_RETRY = 'Run the same command again';

/**
 * Describes a payment that has no final response and may be charged.
 *
 * @param file path of the stored payment
 * @param retry text that tells the user how to send the payment again
 */
export function describeOpenPayment(
  { reason, response, maybeCharged }: Extract<SendResult, { outcome: 'open' }>,
  payment: Payment,
  { file, retry = DEFAULT_RETRY }: { readonly file: string; readonly retry?: string | undefined },
): string {
  const price = formatUsdc(BigInt(payment.amount));
  const charge = maybeCharged
    ? `It is unknown whether ${price} was charged.`
    : `Nothing was charged so far, but the payment of ${price} is signed.`;
  return (
    `${describeLastResponse(reason, response, payment)} ${charge} ` +
    `${retry} within 24 hours: it sends the same payment, which is charged at most once. ` +
    `To sign a new payment instead, first check the balance of the wallet ${payment.payer}, then delete ${file}`
  );
}

function describeLastResponse(reason: string, response: ServiceResponse | null, payment: Payment): string {
  if (response === null) return `${reason}.`;
  if (response.status === 402) return describeRefusal(response, payment);
  return readProblem(response) === null ? `${reason}.` : describeProblem(response);
}
