import { createHash } from 'node:crypto';
import { listMistakes, type Mistake } from '@touchstone/contract';
import { decodePaymentSignatureHeader } from '@x402/core/http';
import { PaymentPayloadV2Schema } from '@x402/core/schemas';
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types';
import { z } from 'zod';
import {
  exactSchema,
  findPaymentContradictions,
  findPayloadIssues,
  signatureSchema,
  signedSchema,
  toShapeIssues,
} from './payment-schema.ts';
import { takePurchaseSecret } from './purchase-secret.ts';

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

/** EIP-3009 payment in a request, in the form of version 2. */
export interface PresentedPayment {
  /** The payload for the facilitator, without the secret of our challenge. */
  readonly payload: PaymentPayload;
  readonly authorization: Authorization;
  /** Signature in hex. */
  readonly signature: string;
  /** SHA-256 of the signed members and the signature, in hex. */
  readonly paymentHash: string;
  /** SHA-256 of the secret of our challenge, in hex; null when the client did not repeat the secret. */
  readonly secretHash: string | null;
}

/** Authorization of a payment with other invalid members. The signature is empty if it is not hex. */
type Signed = Pick<PresentedPayment, 'authorization' | 'signature'>;

export type PaymentReading =
  /** `signed` is null if the payment has no authorization or an invalid authorization. */
  | {
      readonly kind: 'malformed';
      readonly mistakes: readonly Mistake[];
      readonly signed: Signed | null;
    }
  /** The payment has an authorization of another kind, and no EIP-3009 authorization. */
  | { readonly kind: 'unsupported' }
  | { readonly kind: 'payment'; readonly payment: PresentedPayment };

/** Offer of a route. Payments for the route must agree with the offer. */
export interface Offer {
  readonly terms: PaymentRequirements;
  /** Public origin of the service. */
  readonly baseUrl: string;
}

function decodeHeader(header: string): unknown {
  try {
    return decodePaymentSignatureHeader(header);
  } catch {
    return undefined;
  }
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Narrows the type of a stored value to hex. The value was validated as hex in lower case before it was stored. */
export const toHex = (text: string): `0x${string}` => text as `0x${string}`;

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

/**
 * Returns the EIP-3009 authorization of a payload; null if the payload has no such authorization, or has other members
 * too.
 */
export function readAuthorization({ payload }: Pick<PaymentPayload, 'payload'>): Authorization | null {
  const { data } = exactSchema.safeParse(payload);
  return data === undefined ? null : toAuthorization(data.authorization);
}

/** Returns a hash of the signed values and the signature. The order of the JSON members does not change the hash. */
const hashPayment = (
  signature: string,
  { payer, payTo, amount, validAfter, validBefore, nonce }: Authorization,
) => sha256([toLowerHex(signature), payer, payTo, amount, validAfter, validBefore, nonce].join(' '));

const looseSchema = z.looseObject({
  x402Version: z.unknown().optional(),
  accepted: z.unknown().optional(),
  payload: z.unknown().optional(),
});
type LoosePayment = z.infer<typeof looseSchema>;

const createMalformed = (mistakes: readonly Mistake[], signed: Signed | null = null): PaymentReading => ({
  kind: 'malformed',
  mistakes,
  signed,
});

const looseExactSchema = z.object({ authorization: signedSchema, signature: signatureSchema.catch('') });

function findSigned(payload: unknown): Signed | null {
  const { data } = looseExactSchema.safeParse(payload);
  return data === undefined ? null : { ...data, authorization: toAuthorization(data.authorization) };
}

const payloadSchema = z.looseObject({ authorization: z.undefined().optional() });

/** Returns true if a payload has another kind of authorization in place of an EIP-3009 authorization. */
function isUnsupported(payload: unknown): boolean {
  const { data } = payloadSchema.safeParse(payload);
  return (
    data !== undefined && Object.keys(data).some((name) => !['signature', 'authorization'].includes(name))
  );
}

function toPaymentReading(checked: PaymentPayload): PaymentReading {
  const exact = exactSchema.parse(checked.payload);
  const { resource, accepted, extensions } = checked;
  const { signature, authorization: signed } = exact;
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
    signature,
    paymentHash: hashPayment(signature, authorization),
    secretHash: secret === null ? null : sha256(secret),
  };
  return { kind: 'payment', payment };
}

/**
 * Converts a decoded payment to the form of version 2. A payment without `accepted` counts as a payment for the only
 * offer of the route: version 1 has no such member, and widespread clients of version 2 leave `accepted` out.
 */
function toVersion2(raw: LoosePayment, terms: PaymentRequirements): object {
  if (raw.x402Version !== 1) return { ...raw, accepted: raw.accepted ?? terms };
  return { x402Version: 2, accepted: terms, payload: raw.payload };
}

function readDecoded(raw: LoosePayment, { terms, baseUrl }: Offer): PaymentReading {
  const shape = PaymentPayloadV2Schema.safeParse(toVersion2(raw, terms));
  const issues = [
    ...toShapeIssues(shape.error?.issues ?? [], terms),
    ...findPaymentContradictions(raw, terms, baseUrl),
  ];
  if (issues.length === 0 && isUnsupported(raw.payload)) return { kind: 'unsupported' };
  const isPayloadRead = shape.error?.issues.every(({ path }) => path[0] !== 'payload') ?? true;
  const all = [...issues, ...(isPayloadRead ? findPayloadIssues(raw.payload) : [])];
  if (shape.data === undefined || all.length > 0) {
    return createMalformed(listMistakes(all, raw, 'payment'), findSigned(raw.payload));
  }
  // The cast is needed because the SDK's schema and its types represent missing members differently.
  return toPaymentReading(shape.data as PaymentPayload);
}

/**
 * Reads the payment of a request: base64 of a payment in JSON. Source: HTTP transports of x402 versions 1 and 2.
 *
 * @param header value of the header `PAYMENT-SIGNATURE` or `X-PAYMENT`
 */
export function readPayment(header: string, offer: Offer): PaymentReading {
  const decoded = decodeHeader(header);
  if (decoded === undefined) {
    return createMalformed([{ path: '', message: 'The payment must be JSON, encoded in base64.' }]);
  }
  const raw = looseSchema.safeParse(decoded);
  return raw.success
    ? readDecoded(raw.data, offer)
    : createMalformed(listMistakes(raw.error.issues, decoded, 'payment'));
}
