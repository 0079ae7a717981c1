import { PAYMENT_VALIDITY_SECONDS, toAtomicUnits } from '../challenge/challenge.ts';
import type { Operation } from '../operations/operation-model.ts';
import { OPERATIONS } from '../operations/operations.ts';
import { createParameterObject } from './openapi/operation-object.ts';
import { DOCUMENT_PATHS, INTERFACE_VERSION, SERVICE, type PaymentTerms } from '../shared/service.ts';

/** Decimals of USDC on every supported network. */
const USDC_DECIMALS = 6;

/**
 * Creates the document at `/.well-known/x402`. The document lists paid operations with their prices, and links to the
 * documentation. No standard exists for the document. Current crawlers use only two members of version 1: `resources`,
 * a list of absolute URLs, and `instructions`.
 */
export function createX402Manifest(baseUrl: string, terms: PaymentTerms) {
  const { origin } = new URL(baseUrl);
  const endpoints = OPERATIONS.flatMap((operation) => listPaidEndpoint(operation, origin, terms));
  return {
    version: 1,
    x402Version: 2,
    name: SERVICE.name,
    description: SERVICE.description,
    interfaceVersion: INTERFACE_VERSION,
    instructions: `Request and response bodies are JSON. ${origin}${DOCUMENT_PATHS.openApi} describes the method, the path, the query and the body of each endpoint. On networks that x402 version 1 knows, such as Base, the body of each 402 response has the terms in version 1, and payments of version 1 are accepted.`,
    // Crawlers request each of these URLs, so URLs with path parameters are left out.
    resources: endpoints.map(({ url }) => url).filter((url) => !url.includes('{')),
    endpoints,
    openapi: `${origin}${DOCUMENT_PATHS.openApi}`,
    documentation: `${origin}${DOCUMENT_PATHS.reference}`,
    llms: `${origin}${DOCUMENT_PATHS.llms}`,
  };
}

/**
 * Returns a list with the entry of a paid operation; an empty list for a free operation. An entry has the members with
 * which directories describe a resource: `type`, `x402Version`, and the payment options of this version in `accepts`.
 */
function listPaidEndpoint(operation: Operation, origin: string, terms: PaymentTerms) {
  const { priceUsd, method, path, parameters, summary, description } = operation;
  if (priceUsd === null) return [];
  const amount = toAtomicUnits(priceUsd, USDC_DECIMALS);
  return [
    {
      type: 'http',
      x402Version: 2,
      url: `${origin}${path}`,
      method,
      summary,
      description,
      mimeType: 'application/json',
      parameters: parameters.map(createParameterObject),
      price: { amount: priceUsd, currency: 'USD' },
      accepts: [{ scheme: 'exact', ...terms, amount, maxTimeoutSeconds: PAYMENT_VALIDITY_SECONDS }],
    },
  ];
}
