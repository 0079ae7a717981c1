import { createHash } from 'node:crypto';
import { decodePaymentSignatureHeader } from '@x402/core/http';
import { PaymentPayloadV2Schema } from '@x402/core/schemas';
import type { PaymentPayload } from '@x402/core/types';
import { z } from 'zod';
import { takePurchaseSecret } from './purchase-secret.ts';

const hexOf = (bytes: number) => z.string().regex(new RegExp(`^0x[0-9a-fA-F]{${bytes * 2}}$`));
const uintSchema = z.string().regex(/^\d{1,78}$/);

/** What is signed (EIP-3009), as it came. */
const signedSchema = z.strictObject({
  from: hexOf(20),
  to: hexOf(20),
  value: uintSchema,
  validAfter: uintSchema,
  validBefore: uintSchema,
  nonce: hexOf(32),
});

/** Wallets that are contracts sign with more than 65 bytes. */
const signatureSchema = z.string().regex(/^0x(?:[0-9a-fA-F]{2}){1,8192}$/);

/**
 * Nothing may stand beside the two: where there is another kind of authorization, the SDK settles by that, and the nonce
 * that was looked at is not the one that is used.
 */
const exactSchema = z.strictObject({ signature: signatureSchema, authorization: signedSchema });

/** A transfer of USDC as its payer signed it (EIP-3009): addresses in lower case, times in seconds, atomic units. */
export interface Authorization {
  readonly payer: `0x${string}`;
  readonly payTo: `0x${string}`;
  readonly amount: bigint;
  readonly validAfter: bigint;
  readonly validBefore: bigint;
  readonly nonce: `0x${string}`;
}

/** A payment by EIP-3009 as it came, and nothing that is none of it. */
export interface PresentedPayment {
  /** What the facilitator is sent: without the secret of our challenge. */
  readonly payload: PaymentPayload;
  readonly authorization: Authorization;
  /** SHA-256 of what was signed and of its signature, in hex. */
  readonly paymentHash: string;
  /** SHA-256 of the secret of our challenge, in hex; null where the client did not repeat it. */
  readonly secretHash: string | null;
}

export type Presented =
  | { readonly kind: 'none' }
  | { readonly kind: 'malformed'; readonly reason: string }
  /** It pays in another way than by EIP-3009. */
  | { readonly kind: 'foreign' }
  | { readonly kind: 'payment'; readonly payment: PresentedPayment };

const foreignSchema = z.object({ authorization: z.undefined().optional() });

const decoded = (header: string): unknown => {
  try {
    return decodePaymentSignatureHeader(header);
  } catch {
    return undefined;
  }
};

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The patterns of the schema are what the type says. */
const lower = (text: string): `0x${string}` => text.toLowerCase() as `0x${string}`;

const authorizationOf = (signed: z.infer<typeof signedSchema>): Authorization => ({
  payer: lower(signed.from),
  payTo: lower(signed.to),
  amount: BigInt(signed.value),
  validAfter: BigInt(signed.validAfter),
  validBefore: BigInt(signed.validBefore),
  nonce: lower(signed.nonce),
});

/** What a payload authorizes; null where it does not by EIP-3009, and by that alone. */
export const readAuthorization = ({ payload }: Pick<PaymentPayload, 'payload'>): Authorization | null => {
  const { data } = exactSchema.safeParse(payload);
  return data === undefined ? null : authorizationOf(data.authorization);
};

/** By what one payment is known again, in whatever order its members come. */
const hashOf = (signature: string, { payer, payTo, amount, validAfter, validBefore, nonce }: Authorization) =>
  sha256([lower(signature), payer, payTo, amount, validAfter, validBefore, nonce].join(' '));

const placeOf = (error: z.ZodError): string => ['payload', ...(error.issues[0]?.path ?? [])].join('.');

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
  // The SDK's schema and its types differ in how they leave things out.
  const { accepted, resource, extensions, payload } = shape.data as PaymentPayload;
  if (foreignSchema.safeParse(payload).success) return { kind: 'foreign' };
  const exact = exactSchema.safeParse(payload);
  if (!exact.success) {
    return { kind: 'malformed', reason: `${placeOf(exact.error)} is not as EIP-3009 has it, and that alone` };
  }
  const { signature, authorization: signed } = exact.data;
  const { secret, others } = takePurchaseSecret(extensions ?? {});
  const authorization = authorizationOf(signed);
  const payment = {
    payload: {
      x402Version: 2,
      ...(resource === undefined ? {} : { resource }),
      accepted,
      payload: { signature, authorization: signed },
      ...(extensions === undefined ? {} : { extensions: others }),
    },
    authorization,
    paymentHash: hashOf(signature, authorization),
    secretHash: secret === null ? null : sha256(secret),
  };
  return { kind: 'payment', payment };
};
