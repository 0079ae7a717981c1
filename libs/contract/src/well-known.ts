import type { Operation } from './operation.ts';
import { OPERATIONS } from './operations.ts';
import { DOCUMENT_PATHS, INTERFACE_VERSION, SERVICE, type PaymentTerms } from './service.ts';

/** A way to pay, in the words of a challenge. */
interface Acceptance extends PaymentTerms {
  readonly scheme: 'exact';
  /** Atomic units of the asset. */
  readonly amount: string;
}

interface SoldEndpoint {
  readonly url: string;
  readonly method: string;
  readonly summary: string;
  readonly description: string;
  readonly mimeType: 'application/json';
  readonly price: { readonly amount: string; readonly currency: 'USD' };
  readonly accepts: readonly [Acceptance];
}

/**
 * There is no standard for it yet. Crawlers in use read version 1 with `resources` as absolute URLs and with
 * `instructions`, and pass over what they do not know, which is where the rest is.
 */
interface DiscoveryManifest {
  readonly version: 1;
  readonly x402Version: 2;
  readonly name: string;
  readonly description: string;
  readonly interfaceVersion: string;
  readonly instructions: string;
  readonly resources: readonly string[];
  readonly endpoints: readonly SoldEndpoint[];
  readonly openapi: string;
  readonly documentation: string;
  readonly llms: string;
}

/** What is sold here, for crawlers: the paid operations with their prices, and where they are described. */
export function wellKnownX402(baseUrl: string, terms: PaymentTerms): DiscoveryManifest {
  const { origin } = new URL(baseUrl);
  const endpoints = OPERATIONS.flatMap((operation) => soldEndpoint(operation, origin, terms));
  return {
    version: 1,
    x402Version: 2,
    name: SERVICE.name,
    description: SERVICE.description,
    interfaceVersion: INTERFACE_VERSION,
    instructions: `Bodies and answers are JSON. Each endpoint takes the method and the body that ${origin}${DOCUMENT_PATHS.openApi} describes.`,
    resources: endpoints.map(({ url }) => url),
    endpoints,
    openapi: `${origin}${DOCUMENT_PATHS.openApi}`,
    documentation: `${origin}${DOCUMENT_PATHS.reference}`,
    llms: `${origin}${DOCUMENT_PATHS.llms}`,
  };
}

function soldEndpoint(operation: Operation, origin: string, terms: PaymentTerms): SoldEndpoint[] {
  const { priceUsd, method, path, summary, description } = operation;
  if (priceUsd === null) return [];
  const { network, payTo, asset } = terms;
  return [
    {
      url: `${origin}${path}`,
      method,
      summary,
      description,
      mimeType: 'application/json',
      price: { amount: priceUsd, currency: 'USD' },
      accepts: [{ scheme: 'exact', network, amount: atomicUnits(priceUsd), asset, payTo }],
    },
  ];
}

/** A price has six decimals and so has USDC on every network it is paid on here: leaving out the point is enough. */
function atomicUnits(priceUsd: string): string {
  return BigInt(priceUsd.replace('.', '')).toString();
}
