import { decodePaymentResponseHeader } from '@x402/fetch';
import { z } from 'zod';
import type { ServiceResponse } from '../service/send-request.ts';

const receiptSchema = z.object({
  success: z.boolean(),
  transaction: z.string(),
  errorReason: z.string().optional(),
});

/** The service's statement on the settlement. Only the chain can confirm it. */
export type Receipt = z.infer<typeof receiptSchema>;

/** Parses the PAYMENT-RESPONSE header of a response; null without a readable one. */
export function readReceipt({ headers }: Pick<ServiceResponse, 'headers'>): Receipt | null {
  const header = headers.get('payment-response');
  if (header === null) return null;
  try {
    return receiptSchema.parse(decodePaymentResponseHeader(header));
  } catch {
    return null;
  }
}
