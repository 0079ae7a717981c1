import type { CallToolResult } from '@modelcontextprotocol/server';
import { PAYMENT_RESPONSE_META } from '@touchstone/contract';

/** Returns the settlement in the header `PAYMENT-RESPONSE` as `_meta` of a result; nothing without the header. */
export function createSettlementMeta(response: Response): Pick<CallToolResult, '_meta'> {
  const header = response.headers.get('payment-response');
  return header === null ? {} : { _meta: { [PAYMENT_RESPONSE_META]: decodeHeader(header) } };
}

/** Decodes a header of x402: JSON in Base64. */
export function decodeHeader(value: string): unknown {
  return JSON.parse(Buffer.from(value, 'base64').toString('utf8'));
}
