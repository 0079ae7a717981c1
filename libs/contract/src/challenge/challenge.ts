import { SERVICE, type PaymentTerms } from '../documents/service.ts';
import { toExamplePath } from '../operations/example-path.ts';
import { toAtomicUnits } from './atomic-units.ts';
import { createDiscoveryExtension, type DescribedOperation } from './discovery-extension.ts';
import { PAYMENT_VALIDITY_SECONDS } from './payment-validity.ts';
import { createPurchaseExtension } from './purchase-extension.ts';

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
