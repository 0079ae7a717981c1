import { createHash } from 'node:crypto';
import { decodePaymentSignatureHeader } from '@x402/core/http';
import { PaymentPayloadV2Schema } from '@x402/core/schemas';
import type { PaymentPayload } from '@x402/core/types';
import { z } from 'zod';

const hexOf = (bytes: number) =>
  z.templateLiteral(['0x', z.string().regex(new RegExp(`^[0-9a-fA-F]{${bytes * 2}}$`))]);
const lowerCased = (bytes: number) =>
  // Lower case leaves hex digits hex digits.
  hexOf(bytes).transform((text) => text.toLowerCase() as `0x${string}`);
const uintSchema = z
  .string()
  .regex(/^\d{1,78}$/)
  .transform((text) => BigInt(text));

const authorizationSchema = z
  .object({
    from: lowerCased(20),
    to: lowerCased(20),
    value: uintSchema,
    validAfter: uintSchema,
    validBefore: uintSchema,
    nonce: lowerCased(32),
  })
  .transform(({ from: payer, to: payTo, value: amount, ...rest }) => ({ payer, payTo, amount, ...rest }));

/** A transfer of USDC as its payer signed it (EIP-3009): addresses in lower case, times in seconds, atomic units. */
export type Authorization = z.infer<typeof authorizationSchema>;

/** A payment as it came. */
export interface PresentedPayment {
  readonly payload: PaymentPayload;
  /** Null where it pays in another way than by EIP-3009. */
  readonly authorization: Authorization | null;
  /** SHA-256 of the header, in hex. */
  readonly headerHash: string;
}

export type Presented =
  | { readonly kind: 'none' }
  | { readonly kind: 'malformed'; readonly reason: string }
  | { readonly kind: 'payment'; readonly payment: PresentedPayment };

const payloadSchema = z.object({ authorization: z.unknown().optional() });

const decoded = (header: string): unknown => {
  try {
    return decodePaymentSignatureHeader(header);
  } catch {
    return undefined;
  }
};

const placeOf = (error: z.ZodError): string => error.issues[0]?.path.join('.') ?? '';

/** What a payload authorizes; null where it does not by EIP-3009, and an error where it does so wrongly. */
export const readAuthorization = (payload: PaymentPayload): z.ZodSafeParseResult<Authorization | null> => {
  const { authorization } = payloadSchema.parse(payload.payload);
  return authorizationSchema.nullable().safeParse(authorization ?? null);
};

/**
 * Reads the PAYMENT-SIGNATURE header of a request: base64 of a payment of x402 version 2 in JSON. Source: x402 version
 * 2, HTTP transport.
 * @param header null where there is none
 */
export const readPayment = (header: string | null): Presented => {
  if (header === null || header === '') return { kind: 'none' };
  const raw = decoded(header);
  if (raw === undefined) return { kind: 'malformed', reason: 'it is not base64 of JSON' };
  const shape = PaymentPayloadV2Schema.safeParse(raw);
  if (!shape.success) return { kind: 'malformed', reason: 'it is no payment of x402 version 2' };
  // The facilitator is sent what was signed, word for word; the schema has just found it to be such a payload.
  const payload = raw as PaymentPayload;
  const authorization = readAuthorization(payload);
  if (!authorization.success) {
    const reason = `payload.authorization.${placeOf(authorization.error)} is not as EIP-3009 has it`;
    return { kind: 'malformed', reason };
  }
  const headerHash = createHash('sha256').update(header).digest('hex');
  return { kind: 'payment', payment: { payload, authorization: authorization.data, headerHash } };
};
