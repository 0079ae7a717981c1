import { SERVICE, type PaymentTerms } from '../documents/service.ts';
import { toExamplePath } from '../operations/operation-model.ts';
import { createDiscoveryExtension, type DescribedOperation } from './discovery-extension.ts';

/**
 * Validity that a payer signs, in seconds: `maxTimeoutSeconds` of every challenge. Work and settlement must finish
 * within this time.
 */
export const PAYMENT_VALIDITY_SECONDS = 300;

/**
 * Maximum size of all headers of a request together, in bytes: the default limit of Node.js (`http.maxHeaderSize`).
 * Node.js responds to a request with larger headers with status 431.
 */
export const MAX_HEADERS_BYTES = 16 * 1024;

/**
 * Maximum length of the signature of a payment, in bytes. An account without a contract signs with 65 bytes. A smart
 * wallet that is not deployed yet signs with 1,000 to 2,000 bytes (ERC-6492). A payment with the longest signature is
 * shorter than 13 KiB in base64, so 3 KiB of `MAX_HEADERS_BYTES` remain for the other headers of the request.
 */
export const MAX_SIGNATURE_BYTES = 3_072;

/** Statement of the limits for the documents of the API. */
export const HEADERS_LIMIT = `Headers of a request have at most ${MAX_HEADERS_BYTES / 1024} KiB, the signature of a payment ${MAX_SIGNATURE_BYTES / 1024} KiB.`;

/** Network, recipient and token of a payment, with the values that a client needs to sign it. */
export interface ChallengeTerms extends PaymentTerms {
  /** Decimals of the token. */
  readonly decimals: number;
  /** EIP-712 name and version of the token. */
  readonly domain: { readonly name: string; readonly version: string };
  /** Validity that a payer signs, in seconds; default `PAYMENT_VALIDITY_SECONDS`. */
  readonly validitySeconds?: number | undefined;
}

/**
 * Creates the challenge of a paid operation (x402 version 2, section 5.1), without the secret of the buyer. The seller
 * creates its challenges and the API documents their examples with this function. For an operation with path parameters,
 * the challenge is an example: the seller replaces the URL and the values of the parameters.
 *
 * @param baseUrl public origin of the service, without a trailing slash
 * @throws Error for a free operation
 */
export function createChallenge(operation: DescribedOperation, baseUrl: string, terms: ChallengeTerms) {
  const { description, tags, priceUsd } = operation;
  const { network, payTo, asset, decimals, domain, validitySeconds } = terms;
  return {
    x402Version: 2 as const,
    error: 'Payment required',
    resource: {
      url: `${baseUrl}${toExamplePath(operation)}`,
      description,
      mimeType: 'application/json',
      serviceName: SERVICE.name,
      tags: [...tags],
    },
    accepts: [
      {
        scheme: 'exact' as const,
        network,
        amount: toAtomicUnits(priceUsd, decimals),
        asset,
        payTo,
        maxTimeoutSeconds: validitySeconds ?? PAYMENT_VALIDITY_SECONDS,
        extra: { ...domain },
      },
    ] as const,
    extensions: createDiscoveryExtension(operation),
  };
}

/** Terms of the examples: USDC on Base. */
const EXAMPLE_TERMS: ChallengeTerms = {
  network: 'eip155:8453',
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  payTo: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
  decimals: 6,
  domain: { name: 'USD Coin', version: '2' },
};

/** Creates the example of the challenge of a paid operation, with the terms and the secret of an example. */
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

/** Creates the challenge extension with the secret that identifies a buyer. Clients repeat it in their payment. */
export function createPurchaseExtension(id: string) {
  const schema = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] };
  return { [PURCHASE_EXTENSION]: { info: { id }, schema } };
}
