import { decodePaymentResponseHeader } from '@x402/fetch';
import { z } from 'zod';
import type { Answer } from './exchange.ts';

const receiptSchema = z.object({
  success: z.boolean(),
  transaction: z.string(),
  errorReason: z.string().optional(),
});

/** What a service says of the settlement, which only the chain can confirm. */
export type Receipt = z.infer<typeof receiptSchema>;

/** The PAYMENT-RESPONSE of an answer, or null where there is none that can be read. */
export function readReceipt({ headers }: Pick<Answer, 'headers'>): Receipt | null {
  const header = headers.get('payment-response');
  if (header === null) return null;
  try {
    return receiptSchema.parse(decodePaymentResponseHeader(header));
  } catch {
    return null;
  }
}
