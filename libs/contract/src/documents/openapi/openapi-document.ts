import type { JsonSchema } from '../../shared/json-schema.ts';
import { TAGS } from '../../operations/operation-model.ts';
import { OPERATIONS } from '../../operations/operations.ts';
import {
  DOCUMENT_PATHS,
  INTERFACE_VERSION,
  PAYMENTS_DISABLED,
  SERVICE,
  type PaymentTerms,
  type PaymentStatus,
} from '../service.ts';
import { createComponentSchemas, HEADERS } from './components.ts';
import { BEARER, createOperationObject, PAYMENT } from './operation-object.ts';
import { WEBHOOKS } from './webhooks.ts';

/**
 * Creates the OpenAPI 3.1.0 document of the API. Its sources are the list of operations and the schemas that validate
 * requests at run time.
 *
 * @param baseUrl public origin of the service
 */
export function createOpenApiDocument(
  baseUrl: string,
  { network, arePaymentsEnabled: sold = true }: Pick<PaymentTerms, 'network'> & PaymentStatus,
): JsonSchema {
  return {
    openapi: '3.1.0',
    info: {
      title: SERVICE.name,
      summary: SERVICE.summary,
      description: sold ? INTRODUCTION : `${INTRODUCTION}\n\n${PAYMENTS_DISABLED}`,
      version: INTERFACE_VERSION,
      license: { name: 'MIT License', identifier: SERVICE.license },
    },
    servers: [{ url: new URL(baseUrl).origin, description: 'This service.' }],
    externalDocs: {
      description: 'Scoring methodology.',
      url: new URL(DOCUMENT_PATHS.methodology, baseUrl).href,
    },
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths: createPaths({ origin: new URL(baseUrl).origin, network: sold ? network : null }),
    webhooks: WEBHOOKS,
    components: {
      schemas: createComponentSchemas(),
      headers: HEADERS,
      securitySchemes: { [PAYMENT]: PAYMENT_SCHEME, [BEARER]: BEARER_SCHEME },
    },
  };
}

const INTRODUCTION = [
  SERVICE.description,
  'Paid operations cost a fixed price per call, in USDC by version 2 of the x402 protocol, without accounts. Send a request without a payment: the response is 402 with a challenge in the `PAYMENT-REQUIRED` header. Sign it and send the same request again with the payment in `PAYMENT-SIGNATURE`. You are charged only for a response with status 200: the payment is settled after the work is done and before the response is sent. Errors with `notCharged` are certain not to have charged you. One payment buys one result. If a response is lost, send the same request with the same payment again within 24 hours to get the same result.',
  'Errors are `application/problem+json` by RFC 9457 with a stable `code`. A method that a path does not support gets 405, `method-not-allowed`. Times are ISO 8601 in UTC. Token amounts are decimal strings of atomic units, US dollars are decimal strings. Values that were not measured are null.',
].join('\n\n');

const PAYMENT_SCHEME = {
  type: 'apiKey',
  in: 'header',
  name: 'PAYMENT-SIGNATURE',
  description:
    'Signed payment for the challenge of a 402 response: base64 of the JSON of a PaymentPayload of x402 version 2, scheme exact, by EIP-3009. Every x402 client creates it.',
};

const BEARER_SCHEME = {
  type: 'http',
  scheme: 'bearer',
  description:
    'Secret of one watch, which begins with `wsk_`. The response to its purchase contains it once. There are no accounts.',
};

function createPaths(
  options: Parameters<typeof createOperationObject>[1],
): Readonly<Record<string, JsonSchema>> {
  const byPath = Map.groupBy(OPERATIONS, ({ path }) => path);
  return Object.fromEntries(
    [...byPath].map(([path, operations]) => [
      path,
      Object.fromEntries(
        operations.map((operation) => [
          operation.method.toLowerCase(),
          createOperationObject(operation, options),
        ]),
      ),
    ]),
  );
}
