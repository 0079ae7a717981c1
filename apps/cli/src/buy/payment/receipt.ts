import { decodePaymentResponseHeader } from '@x402/fetch';
import { z } from 'zod';
import type { ServiceResponse } from '../service/send-request.ts';

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
