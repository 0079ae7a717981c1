import type { JsonSchema } from '../json-schema.ts';
import { TAGS } from '../operation.ts';
import { OPERATIONS } from '../operations.ts';
import {
  DOCUMENT_PATHS,
  INTERFACE_VERSION,
  NOTHING_SOLD,
  SERVICE,
  type PaymentTerms,
  type Selling,
} from '../service.ts';
import { componentSchemas } from './component-schemas.ts';
import { HEADERS } from './headers.ts';
import { operationObject, PAYMENT } from './operation-object.ts';

/**
 * The API as an OpenAPI 3.1.0 document, made from the operations and from the schemas that validate at run time.
 *
 * @param baseUrl public origin of the service
 */
export function openApiDocument(
  baseUrl: string,
  { network, sold = true }: Pick<PaymentTerms, 'network'> & Selling,
): JsonSchema {
  return {
    openapi: '3.1.0',
    info: {
      title: SERVICE.name,
      summary: SERVICE.summary,
      description: sold ? INTRODUCTION : `${INTRODUCTION}\n\n${NOTHING_SOLD}`,
      version: INTERFACE_VERSION,
      license: { name: 'MIT License', identifier: SERVICE.license },
    },
    servers: [{ url: new URL(baseUrl).origin, description: 'This service.' }],
    externalDocs: {
      description: 'How scores are made.',
      url: new URL(DOCUMENT_PATHS.methodology, baseUrl).href,
    },
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths: pathsOf(sold ? network : null),
    components: {
      schemas: componentSchemas(),
      headers: HEADERS,
      securitySchemes: { [PAYMENT]: PAYMENT_SCHEME },
    },
  };
}

const INTRODUCTION = [
  SERVICE.description,
  'Paid operations cost a fixed price for each call, in USDC by version 2 of the x402 protocol; there are no accounts. Call one without a payment: the answer is 402 with a challenge in the `PAYMENT-REQUIRED` header. Sign it and send the same request again with the payment in `PAYMENT-SIGNATURE`. You are charged only for an answer with status 200: the payment is settled after the work is done and before you are answered, and errors that charged nothing say `notCharged`. One payment buys one result. When an answer is lost, send the same request with the same payment again for the same result, for 24 hours.',
  'Errors are `application/problem+json` by RFC 9457 with a stable `code`. A path answers methods it does not know with 405, `method-not-allowed`. Times are ISO 8601 in UTC, token amounts decimal strings of atomic units, US dollars decimal strings. What was not measured is null.',
].join('\n\n');

const PAYMENT_SCHEME = {
  type: 'apiKey',
  in: 'header',
  name: 'PAYMENT-SIGNATURE',
  description:
    'A payment that was signed for the challenge of the 402 answer: base64 of the JSON of a PaymentPayload of x402 version 2, scheme exact, by EIP-3009. The clients of x402 make it.',
};

function pathsOf(network: string | null): Readonly<Record<string, JsonSchema>> {
  const byPath = Map.groupBy(OPERATIONS, ({ path }) => path);
  return Object.fromEntries(
    [...byPath].map(([path, operations]) => [
      path,
      Object.fromEntries(
        operations.map((operation) => [operation.method.toLowerCase(), operationObject(operation, network)]),
      ),
    ]),
  );
}
