import type { JsonSchema } from '../../shared/json-schema.ts';
import { TAGS } from '../../operations/operation-model.ts';
import { OPERATIONS } from '../../operations/operations.ts';
import { WATCH_SCHEMAS } from '../../operations/watch/schemas.ts';
import { formatEventId, WATCH_ID_EXAMPLE } from '../../operations/watch/watch-ids.ts';
import {
  CLIENTS_NOTE,
  DOCUMENT_PATHS,
  INTERFACE_VERSION,
  LOST_RESPONSE_NOTE,
  PAYMENTS_DISABLED,
  SERVICE,
  type PaymentTerms,
  type PaymentStatus,
} from '../../shared/service.ts';
import { createComponentSchemas, createSchemaRef, HEADERS } from './components.ts';
import { createGuidance } from './guidance.ts';
import { createOperationObject, WATCH_SECRET, type SampleOptions } from './operation-object.ts';

interface OpenApiOptions extends Pick<PaymentTerms, 'network'>, PaymentStatus, SampleOptions {
  /** E-mail address, or http or https URL, of the operator. */
  readonly contact?: { readonly email: string } | { readonly url: string } | undefined;
  /** Short text for agents; by default a generated one. */
  readonly guidance?: string | undefined;
}

/**
 * Creates the OpenAPI 3.1.0 document of the API. Its sources are the list of operations and the schemas that validate
 * requests at run time.
 *
 * @param baseUrl public origin of the service
 */
export function createOpenApiDocument(
  baseUrl: string,
  { network, arePaymentsEnabled: sold = true, contact, guidance, createSample }: OpenApiOptions,
): JsonSchema {
  return {
    openapi: '3.1.0',
    info: {
      title: SERVICE.name,
      summary: SERVICE.summary,
      description: sold ? INTRODUCTION : `${INTRODUCTION}\n\n${PAYMENTS_DISABLED}`,
      version: INTERFACE_VERSION,
      ...(contact === undefined ? {} : { contact }),
      license: { name: 'MIT License', identifier: SERVICE.license },
      'x-guidance': guidance ?? createGuidance(baseUrl, sold),
    },
    servers: [{ url: new URL(baseUrl).origin, description: 'This service.' }],
    externalDocs: {
      description: 'Scoring methodology.',
      url: new URL(DOCUMENT_PATHS.methodology, baseUrl).href,
    },
    tags: Object.entries(TAGS).map(([name, { description }]) => ({ name, description })),
    paths: createPaths({ origin: new URL(baseUrl).origin, network: sold ? network : null, createSample }),
    webhooks: WEBHOOKS,
    components: {
      schemas: createComponentSchemas(),
      headers: HEADERS,
      // A payment has no security scheme: `x-payment-info` says that an operation is paid. With a scheme, directories
      // would show a paid operation as one that also needs an API key.
      securitySchemes: { [WATCH_SECRET]: WATCH_SECRET_SCHEME },
    },
  };
}

const INTRODUCTION = [
  SERVICE.description,
  'Paid operations cost a fixed price per call, in USDC by the x402 protocol, without accounts. Send a request without a payment: the response is 402 with a challenge. An x402 client signs the challenge and sends the same request again with the payment. Each version of the protocol has its own headers:',
  [
    '| version | challenge | payment | receipt |',
    '|---|---|---|---|',
    '| 2 | header `PAYMENT-REQUIRED` | header `PAYMENT-SIGNATURE` | header `PAYMENT-RESPONSE` |',
    '| 1 | body | header `X-PAYMENT` | header `X-PAYMENT-RESPONSE` |',
  ].join('\n'),
  'Each of these headers is base64 of JSON. If a request has payments of both versions, `PAYMENT-SIGNATURE` counts.',
  CLIENTS_NOTE,
  `You are charged only for a response with status 200: the payment is settled after the work is done and before the response is sent. An error with \`notCharged\` charged nothing. One payment buys one result. ${LOST_RESPONSE_NOTE}`,
  'Errors are `application/problem+json` by RFC 9457 with a stable `code`. A method that a path does not support gets 405, `method-not-allowed`. Times are ISO 8601 in UTC. Token amounts are decimal strings of atomic units, US dollars are decimal strings. Values that were not measured are null.',
].join('\n\n');

const WATCH_SECRET_SCHEME = {
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

function createMessageHeader(name: string, description: string, example: string): JsonSchema {
  return { name, in: 'header', required: true, description, schema: { type: 'string' }, example };
}

/** OpenAPI descriptions of the requests that this service sends to the delivery URLs of a watch, by name. */
const WEBHOOKS: JsonSchema = {
  watchEvent: {
    post: {
      operationId: 'receiveWatchEvent',
      summary: 'Event of a watch',
      description:
        'Sent to each `webhook_url` of a watch, in the order of `data.sequence`. A message that fails is repeated up to nine times over several days with the same `webhook-id`, so ignore ids that you have processed. Both signatures use the same key: the 64 ASCII characters of the lowercase hex of SHA-256 of the secret. `webhook_secret` has this key in the format of Standard Webhooks libraries.',
      tags: ['watch'],
      security: [],
      parameters: [
        createMessageHeader(
          'x-signature',
          '`sha256=` and the hex HMAC-SHA256 of the body.',
          'sha256=0f2f1a7d6c3f5b1e9a4c8d7e6f5a4b3c2d1e0f9a8b7c6d5e4f3a2b1c0d9e8f7a',
        ),
        createMessageHeader(
          'webhook-id',
          'Id of the event, the same in every attempt.',
          formatEventId(WATCH_ID_EXAMPLE, 2),
        ),
        createMessageHeader(
          'webhook-timestamp',
          'Time of the attempt, in seconds since the epoch. Refuse messages that are older than 5 minutes.',
          '1780387501',
        ),
        createMessageHeader(
          'webhook-signature',
          '`v1,` and the base64 HMAC-SHA256 of `webhook-id`, `webhook-timestamp` and the body, joined by dots.',
          'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
        ),
      ],
      requestBody: {
        description: 'The message, less than 20 kB.',
        required: true,
        content: {
          'application/json': {
            schema: createSchemaRef(WATCH_SCHEMAS['webhook-message']),
            example: WATCH_SCHEMAS['webhook-message'].example,
          },
        },
      },
      responses: {
        '2XX': { description: 'The message was received.' },
        410: { description: 'The destination does not exist. It is disabled at once.' },
        429: { description: 'Too many messages. The next attempt is after the time in `Retry-After`.' },
      },
    },
  },
};
