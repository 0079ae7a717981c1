import { createHash } from 'node:crypto';
import { formatIssue } from '@touchstone/contract';
import { decodePaymentSignatureHeader } from '@x402/core/http';
import { PaymentPayloadV2Schema } from '@x402/core/schemas';
import type { PaymentPayload } from '@x402/core/types';
import { z } from 'zod';
import { takePurchaseSecret } from './purchase-secret.ts';

const createHexSchema = (bytes: number) => {
  const message = `must be ${bytes} bytes in hex, such as 0x${'5a'.repeat(bytes)}`;
  return z.string().regex(new RegExp(`^0x[0-9a-fA-F]{${bytes * 2}}$`), message);
};
const uintSchema = z
  .string()
  .regex(/^\d{1,78}$/, 'must be a string of 1 to 78 decimal digits, such as "5000"');

/** Signed members of an EIP-3009 authorization, as the client sent them. */
const signedSchema = z.strictObject({
  from: createHexSchema(20),
  to: createHexSchema(20),
  value: uintSchema,
  validAfter: uintSchema,
  validBefore: uintSchema,
  nonce: createHexSchema(32),
});

/** Signature in hex. Its length is not fixed, because contract wallets sign with more than 65 bytes. */
const signatureSchema = z
  .string()
  .regex(/^0x(?:[0-9a-fA-F]{2}){1,8192}$/, 'must be 1 to 8,192 bytes in hex, such as 0x5a5a');

/**
 * Payload of an EIP-3009 payment. It must have no other members: with a second kind of authorization, the SDK would
 * settle the second authorization, whose nonce was not checked.
 */
const exactSchema = z.strictObject({ signature: signatureSchema, authorization: signedSchema });

/**
 * USDC transfer that its payer signed (EIP-3009). Addresses are in lower case, times in seconds since the epoch, and
 * the amount in atomic units.
 */
export interface Authorization {
  readonly payer: `0x${string}`;
  readonly payTo: `0x${string}`;
  readonly amount: bigint;
  readonly validAfter: bigint;
  readonly validBefore: bigint;
  readonly nonce: `0x${string}`;
}

/** EIP-3009 payment in a request. */
export interface PresentedPayment {
  /** The payload for the facilitator, without the secret of our challenge. */
  readonly payload: PaymentPayload;
  readonly authorization: Authorization;
  /** SHA-256 of the signed members and the signature, in hex. */
  readonly paymentHash: string;
  /** SHA-256 of the secret of our challenge, in hex; null when the client did not repeat it. */
  readonly secretHash: string | null;
}

export type Presented =
  | { readonly kind: 'none' }
  /** `reason` is a clause that describes the first mistake, such as "it is not base64-encoded JSON". */
  | { readonly kind: 'malformed'; readonly reason: string }
  /** The payment has no EIP-3009 authorization. */
  | { readonly kind: 'unsupported' }
  | { readonly kind: 'payment'; readonly payment: PresentedPayment };

const unsupportedSchema = z.object({ authorization: z.undefined().optional() });

const decodeHeader = (header: string): unknown => {
  try {
    return decodePaymentSignatureHeader(header);
  } catch {
    return undefined;
  }
};

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Converts hex text to lower case. The cast is safe, because the schema has checked the `0x` prefix. */
const toLowerHex = (text: string): `0x${string}` => text.toLowerCase() as `0x${string}`;

const toAuthorization = (signed: z.infer<typeof signedSchema>): Authorization => ({
  payer: toLowerHex(signed.from),
  payTo: toLowerHex(signed.to),
  amount: BigInt(signed.value),
  validAfter: BigInt(signed.validAfter),
  validBefore: BigInt(signed.validBefore),
  nonce: toLowerHex(signed.nonce),
});

/** Returns the EIP-3009 authorization of a payload; null if it has no such authorization, or has other members too. */
export const readAuthorization = ({ payload }: Pick<PaymentPayload, 'payload'>): Authorization | null => {
  const { data } = exactSchema.safeParse(payload);
  return data === undefined ? null : toAuthorization(data.authorization);
};

/** Returns a hash of the signed values and the signature. The order of the JSON members does not change the hash. */
const hashPayment = (
  signature: string,
  { payer, payTo, amount, validAfter, validBefore, nonce }: Authorization,
) => sha256([toLowerHex(signature), payer, payTo, amount, validAfter, validBefore, nonce].join(' '));

/** Returns a clause that describes the first mistake in a payload. */
const describeMistake = ({ issues: [issue] }: z.ZodError, payload: unknown): string => {
  const path = ['payload', ...(issue?.path ?? [])];
  const isMissing = issue?.input === undefined;
  if (issue && !isMissing && issue.code !== 'unrecognized_keys') {
    return formatIssue({ ...issue, path }, { payload }).replace(/\.$/, '');
  }
  const parent = (isMissing ? path.slice(0, -1) : path).join('.');
  return `\`${parent}\` does not have the members of an EIP-3009 authorization, or has others too`;
};

/**
 * Reads the PAYMENT-SIGNATURE header of a request: base64 of a payment of x402 version 2 in JSON. Source: x402 version
 * 2, HTTP transport.
 * @param header value of the header; null without one
 */
export const readPayment = (header: string | null): Presented => {
  if (header === null || header === '') return { kind: 'none' };
  const raw = decodeHeader(header);
  if (raw === undefined) return { kind: 'malformed', reason: 'it is not base64-encoded JSON' };
  const shape = PaymentPayloadV2Schema.safeParse(raw);
  if (!shape.success) return { kind: 'malformed', reason: 'it is not a payment of x402 version 2' };
  // The cast is needed because the SDK's schema and its types represent missing members differently.
  const { accepted, resource, extensions, payload } = shape.data as PaymentPayload;
  if (unsupportedSchema.safeParse(payload).success) return { kind: 'unsupported' };
  const exact = exactSchema.safeParse(payload, { reportInput: true });
  if (!exact.success) {
    return { kind: 'malformed', reason: describeMistake(exact.error, payload) };
  }
  const { signature, authorization: signed } = exact.data;
  const { secret, others } = takePurchaseSecret(extensions ?? {});
  const authorization = toAuthorization(signed);
  const payment = {
    payload: {
      x402Version: 2,
      ...(resource === undefined ? {} : { resource }),
      accepted,
      payload: { signature, authorization: signed },
      ...(extensions === undefined ? {} : { extensions: others }),
    },
    authorization,
    paymentHash: hashPayment(signature, authorization),
    secretHash: secret === null ? null : sha256(secret),
  };
  return { kind: 'payment', payment };
};
