import { decodePaymentResponseHeader } from '@x402/fetch';
import { z } from 'zod';
import type { ServiceResponse } from '../service/send-request.ts';
import { toPlainText } from '../../terminal/plain-text.ts';
import type { Purchase } from '../purchase.ts';
import { formatUsdc } from '../quote/usdc-amount.ts';
import type { CliErrorCode } from '../../cli-error.ts';
import { readRefusalCode } from '../quote/read-quote.ts';
import { describeProblem, endSentence, readDetail, readProblem } from '../service/read-problem.ts';
import type { Payment } from './stored-payments.ts';
import type { SendResult } from './send-payment.ts';

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

/** Formats the payment of a purchase in one line. */
export function formatReceipt({ payment, receipt }: Purchase): string {
  if (payment === null) return 'Paid nothing: the service required no payment.';
  const { amount, payer, payTo, network } = payment;
  const paid = `Paid ${formatUsdc(BigInt(amount))} from ${payer} to ${payTo} on ${network}`;
  if (receipt === null) return `${paid}. The service sent no transaction.`;
  return `${paid}, transaction ${toPlainText(receipt.transaction, 100)}`;
}

/** Describes a payment that the service refused permanently. The refused request was not charged. */
export function describeRefusedPayment(response: ServiceResponse, payment: Payment): string {
  if (response.status === 402) return `${describeRefusal(response, payment)} Nothing was charged.`;
  const more = readProblem(response)?.code === 'payment-reused' ? ' more' : '';
  return `${describeProblem(response)} Nothing${more} was charged.`;
}

/** Returns the code of the error for a payment that the service refused permanently. */
export function classifyRefusedPayment(response: ServiceResponse): CliErrorCode {
  const { code, detail } = readRefusal(response);
  return isInsufficient(code, detail) ? 'insufficient-funds' : 'payment-failed';
}

/** Reads the reason of a refusal: its code, and the explanation by the service. Both may be missing. */
function readRefusal(response: ServiceResponse): {
  readonly code: string | null;
  readonly detail: string | null;
} {
  const code = readReceipt(response)?.errorReason ?? readRefusalCode(response);
  return { code, detail: readDetail(response) };
}

/** Returns true when the reason of a refusal is that the wallet has too little USDC. */
function isInsufficient(code: string | null, detail: string | null): boolean {
  return /insufficient|balance|enough USDC/i.test(`${code ?? ''} ${detail ?? ''}`);
}

/** Describes a refusal with its code, the explanation by the service, and advice. */
function describeRefusal(response: ServiceResponse, payment: Payment): string {
  const price = formatUsdc(BigInt(payment.amount));
  const { code, detail } = readRefusal(response);
  const reason = code === null ? '' : ` (${toPlainText(code, 100)})`;
  const sentence = detail === null ? '' : ` ${endSentence(toPlainText(detail, 300))}`;
  const advice = isInsufficient(code, detail) ? adviseOnFunds(payment) : '';
  const hasReason = code !== null || detail !== null;
  return `The service refused the payment of ${price}${hasReason ? reason : ' without a reason'}.${sentence}${advice}`;
}

/** Returns advice for a wallet that has too little USDC. */
function adviseOnFunds({ amount, payer, network }: Payment): string {
  const price = formatUsdc(BigInt(amount));
  return ` Make sure that ${payer} holds at least ${price} in USDC on ${network} before the next attempt.`;
}

/** Instruction to send a stored payment again, in a run of a command. */
const DEFAULT_RETRY = 'Run the same command again';

/**
 * Describes a payment that has no final response and may be charged.
 *
 * @param file path of the stored payment
 * @param retry instruction to send the payment again
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
