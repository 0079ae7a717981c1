import { z } from 'zod';
import { SERVICE, type PaymentTerms } from '../shared/service.ts';
import { toExamplePath } from '../operations/operation-model.ts';
import type { PublishedSchemas } from '../shared/json-schema.ts';
import { atomicAmount, text } from '../shared/scalars.ts';
import { EXAMPLE_ASSET, EXAMPLE_NETWORK, EXAMPLE_PAY_TO } from '../shared/values.ts';
import { createDiscoveryExtension, type DescribedOperation } from './discovery-extension.ts';

/**
 * Validity of a signed payment, in seconds: `maxTimeoutSeconds` of every challenge. The response and the settlement
 * must be complete within this time.
 */
export const PAYMENT_VALIDITY_SECONDS = 300;

/**
 * Maximum size of all headers of a request together, in bytes: the default limit of Node.js (`http.maxHeaderSize`).
 * The site responds to a request with larger headers with status 431.
 */
export const MAX_HEADERS_BYTES = 16 * 1024;

/**
 * Maximum length of the signature of a payment, in bytes. An account without a contract signs with 65 bytes. A smart
 * wallet that is not deployed yet signs with 1,000 to 2,000 bytes (ERC-6492). A payment with the longest signature is
 * shorter than 13 KiB in base64, so 3 KiB of `MAX_HEADERS_BYTES` remain for the other headers of the request.
 */
export const MAX_SIGNATURE_BYTES = 3_072;

/** Sentence about the maximum size of request headers. The OpenAPI document and `llms.txt` contain this sentence. */
export const HEADERS_LIMIT = `Headers of a request have at most ${MAX_HEADERS_BYTES / 1024} KiB, the signature of a payment ${MAX_SIGNATURE_BYTES / 1024} KiB.`;

/** Member `error` of a challenge that refuses no payment. */
export const CHALLENGE_ERROR = 'Payment required';

/** Network, recipient and token of a payment, with the values that a client needs to sign it. */
export interface ChallengeTerms extends PaymentTerms {
  readonly decimals: number;
  /** EIP-712 name and version of the token. */
  readonly domain: { readonly name: string; readonly version: string };
  /** Validity of a signed payment, in seconds; default `PAYMENT_VALIDITY_SECONDS`. */
  readonly validitySeconds?: number | undefined;
}

/**
 * Creates the challenge of a paid operation (x402 version 2, section 5.1), without the extension that contains the
 * buyer's secret. The challenges of the seller, and the examples in the documents of the API, are created with this
 * function. For an operation with path parameters, the challenge is an example: the seller replaces the URL and the
 * values of the parameters.
 *
 * @param baseUrl public origin of the service, without a trailing slash
 * @throws Error for a free operation
 */
export function createChallenge(operation: DescribedOperation, baseUrl: string, terms: ChallengeTerms) {
  const { description, tags, priceUsd } = operation;
  return {
    x402Version: 2 as const,
    error: CHALLENGE_ERROR,
    resource: {
      url: `${baseUrl}${toExamplePath(operation)}`,
      description,
      mimeType: 'application/json',
      serviceName: SERVICE.name,
      tags: [...tags],
    },
    accepts: [createRequirements(priceUsd, terms)] satisfies [unknown],
    extensions: createDiscoveryExtension(operation),
  };
}

/** Creates the payment requirements of a challenge: one option of the scheme exact. */
function createRequirements(
  priceUsd: string | null,
  { network, payTo, asset, decimals, domain, validitySeconds = PAYMENT_VALIDITY_SECONDS }: ChallengeTerms,
) {
  return {
    scheme: 'exact' as const,
    network,
    amount: toAtomicUnits(priceUsd, decimals),
    asset,
    payTo,
    maxTimeoutSeconds: validitySeconds,
    extra: { ...domain },
  };
}

/** Payment terms of the examples: USDC on Base. */
const EXAMPLE_TERMS: ChallengeTerms = {
  network: EXAMPLE_NETWORK,
  asset: EXAMPLE_ASSET,
  payTo: EXAMPLE_PAY_TO,
  decimals: 6,
  domain: { name: 'USD Coin', version: '2' },
};

/** Creates an example challenge for a paid operation. The payment terms and the buyer's secret are example values. */
export function createChallengeExample(operation: DescribedOperation, baseUrl: string) {
  const challenge = createChallenge(operation, baseUrl, EXAMPLE_TERMS);
  const extensions = { ...challenge.extensions, ...createPurchaseExtension('ZXhhbXBsZS1vZi1hLXNlY3JldA') };
  return { ...challenge, extensions };
}

/**
 * Converts a price in US dollars to atomic units of a token that is worth one US dollar.
 *
 * @param priceUsd price with decimals, such as "0.005000"; null for a free operation
 * @param decimals decimals of the token
 * @throws Error for a free operation, and for a price with more decimals than the token
 */
export function toAtomicUnits(priceUsd: string | null, decimals: number): string {
  const [, whole = '', fraction = ''] = /^(\d+)\.(\d+)$/.exec(priceUsd ?? '') ?? [];
  if (whole === '' || fraction.length > decimals) {
    throw new Error(`a paid operation needs a price with at most ${String(decimals)} decimals`);
  }
  return BigInt(whole + fraction.padEnd(decimals, '0')).toString();
}

/** Name of the challenge extension with the secret that identifies a buyer. */
export const PURCHASE_EXTENSION = 'touchstone-purchase';

/** Limits of the length of the secret, in characters. */
export const PURCHASE_ID_LENGTH = { min: 22, max: 128 } as const;

/**
 * Creates the challenge extension with the secret that identifies a buyer. Clients repeat the extension in their
 * payment.
 */
export function createPurchaseExtension(id: string) {
  const schema = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] };
  return { [PURCHASE_EXTENSION]: { info: { id }, schema } };
}

/**
 * Schema of an x402 version 2 challenge (section 5.1 of the specification). A paid operation responds with a challenge
 * when a request has no payment or its payment is refused.
 */

const resource = z.looseObject({
  url: text('resource').describe('URL of the operation.'),
  description: text('description').exactOptional().describe('Description of the operation.'),
  mimeType: text('name').exactOptional().describe('Media type of the result.'),
});

/** Members of a payment option in both versions of x402. */
export const OPTION_MEMBERS = {
  scheme: z.literal('exact').describe('Payment scheme: exactly the amount is paid.'),
  asset: text('address').describe('Address of the token, which is USDC.'),
  payTo: text('address').describe('Address that receives the payment.'),
  maxTimeoutSeconds: z.number().min(1).describe('Required validity of the authorization, in seconds.'),
  extra: z
    .record(z.string(), z.unknown())
    .exactOptional()
    .describe('EIP-712 name and version of the token, which the signature needs.'),
} as const;

const requirements = z.looseObject({
  network: text('address').describe('CAIP-2 id of the network.'),
  amount: atomicAmount.describe('Atomic units of the asset.'),
  ...OPTION_MEMBERS,
});

/** Members that a refused payment adds to a challenge. */
export const REFUSAL_MEMBERS = {
  detail: text('sentence')
    .exactOptional()
    .describe('Reason for the refusal, as a sentence. Present only when the payment was refused.'),
  notCharged: z
    .literal(true)
    .exactOptional()
    .describe('Present after a refused payment when it is certain that the payer was not charged.'),
} as const;

export const paymentRequiredSchema = z.looseObject({
  x402Version: z.literal(2).describe('Version of the protocol.'),
  error: text('sentence')
    .exactOptional()
    .describe('Reason of the challenge: that a payment is required, or the code of a refusal.'),
  resource: resource.describe('The operation.'),
  accepts: z.array(requirements.describe('One payment option.')).min(1).max(16).describe('Payment options.'),
  extensions: z
    .record(z.string(), z.unknown())
    .exactOptional()
    .describe('Extensions of the protocol, such as `bazaar` with the input and output of the operation.'),
  ...REFUSAL_MEMBERS,
});

export type PaymentRequired = z.infer<typeof paymentRequiredSchema>;

/** Short example of an x402 challenge. The OpenAPI document has the complete challenge of each operation. */
const PAYMENT_REQUIRED_EXAMPLE: PaymentRequired = {
  x402Version: 2,
  error: CHALLENGE_ERROR,
  resource: {
    url: 'https://touchstone.example/v1/x402-trust',
    description: 'Trust report on one x402 endpoint.',
    mimeType: 'application/json',
  },
  accepts: [createRequirements('0.005000', EXAMPLE_TERMS)],
};

/** Published schema of a challenge, by name. */
export const PAYMENT_REQUIRED_SCHEMAS = {
  'payment-required': {
    title: 'Payment required',
    description:
      'Challenge of a paid operation, by x402 version 2. The header PAYMENT-REQUIRED contains the challenge.',
    component: 'PaymentRequired',
    schema: paymentRequiredSchema,
    example: PAYMENT_REQUIRED_EXAMPLE,
  },
} as const satisfies PublishedSchemas;
