import { isJsonObject, parseJson } from '@touchstone/common';
import { PAYMENT_HEADERS, PAYMENT_META } from '@touchstone/contract';

/**
 * Members of `_meta` that contain a payment: first the member of the x402 transport for MCP, then the member that the
 * version 1 client `x402-mcp` sends. A call with both pays with the first.
 */
const PAYMENT_MEMBERS = [PAYMENT_META, 'x402.payment'] as const;

export interface ToolPayment {
  /** Member of `_meta` that contains the payment. */
  readonly member: (typeof PAYMENT_MEMBERS)[number];
  /** HTTP header with the payment, for the request of the operation. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Reads the payment of a tool call: an object, or the same object as JSON in base64, of x402 version 1 or 2. Any other
 * value is passed on as a payment of version 2, so that the API refuses the value with its reason.
 *
 * @param meta `_meta` of the call
 * @returns null for a call without a payment
 */
export function readPayment(meta: Readonly<Record<string, unknown>> = {}): ToolPayment | null {
  const member = PAYMENT_MEMBERS.find((name) => (meta[name] ?? null) !== null);
  if (member === undefined) return null;
  const payment = meta[member];
  const isEncoded = typeof payment === 'string' && BASE64.test(payment);
  const value = isEncoded ? payment : Buffer.from(JSON.stringify(payment)).toString('base64');
  const decoded = parseJson(Buffer.from(value, 'base64'));
  const isV1 = isJsonObject(decoded) && decoded['x402Version'] === 1;
  return { member, headers: { [isV1 ? PAYMENT_HEADERS.v1 : PAYMENT_HEADERS.v2]: value } };
}

/**
 * Pattern of base64 in the alphabet that the API accepts. Text that does not match may contain characters that are not
 * allowed in an HTTP header.
 */
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
