import { createChallengeExampleV1, PAYMENT_REQUIRED_V1_SCHEMAS } from '../../challenge/challenge-v1.ts';
import { HEADERS_LIMIT } from '../../challenge/challenge.ts';
import { createInlineSchema, type JsonSchema } from '../../shared/json-schema.ts';
import type { Operation, Parameter } from '../../operations/operation-model.ts';
import {
  COMMON_PROBLEMS,
  createProblem,
  PROBLEM_SCHEMAS,
  PROBLEMS,
  markNotCharged,
  type Problem,
  type ProblemCode,
} from '../../shared/problem.ts';
import { createSchemaRef, createHeaderRefs } from './components.ts';

/**
 * Name of the OpenAPI security scheme of watches. The type of the scheme is `http` with `bearer`. `@agentcash/discovery`
 * does not read this type, but it knows that a scheme with this name needs a secret.
 */
export const WATCH_SECRET = 'apiKey';

/** Security requirements of OpenAPI by authentication. An empty requirement makes the secret optional. */
const SECURITY: Readonly<Record<Operation['security'], readonly JsonSchema[]>> = {
  none: [],
  bearer: [{ [WATCH_SECRET]: [] }],
  'optional-bearer': [{}, { [WATCH_SECRET]: [] }],
};

export interface SampleOptions {
  /** Returns an operation with the examples that the document shows, and code examples. */
  readonly createSample?:
    | ((operation: Operation) => {
        readonly operation: Operation;
        /** Value of the OpenAPI extension `x-codeSamples`. */
        readonly codeSamples: readonly JsonSchema[];
      })
    | undefined;
}

/**
 * Creates the OpenAPI description of one operation: an Operation Object (OpenAPI 3.1.0, section 4.8.10).
 *
 * @param options.origin public origin of the service
 * @param options.network CAIP-2 id of the payment network; null when payments are disabled
 */
export function createOperationObject(
  operation: Operation,
  {
    origin,
    network,
    createSample,
  }: SampleOptions & { readonly origin: string; readonly network: string | null },
): JsonSchema {
  const { id, summary, description, tags, priceUsd, problems } = operation;
  const sample = createSample?.(operation);
  const { parameters, requestBody } = sample?.operation ?? operation;
  return {
    operationId: id,
    summary,
    description,
    tags,
    security: SECURITY[operation.security],
    ...(priceUsd === null || network === null
      ? {}
      : { 'x-payment-info': createPaymentInfo(priceUsd, network) }),
    ...(parameters.length === 0 ? {} : { parameters: parameters.map(createParameterObject) }),
    ...(requestBody === null ? {} : { requestBody: createRequestBody(requestBody) }),
    responses: {
      200: createSuccessResponse(operation),
      ...(operation.isCacheableDocument ? { 304: UNCHANGED } : {}),
      ...(hasSlug(operation) ? { 308: REDIRECTED } : {}),
      ...(priceUsd === null ? {} : { 402: createChallengeResponse(operation, origin) }),
      ...createProblemResponses([...problems, ...COMMON_PROBLEMS], priceUsd !== null),
      431: HEADERS_TOO_LARGE,
    },
    ...(sample === undefined ? {} : { 'x-codeSamples': sample.codeSamples }),
  };
}

/** Creates the price of an operation in the format that directories read: US dollars as a string with six decimals. */
function createPaymentInfo(amount: string, network: string): JsonSchema {
  return {
    price: { mode: 'fixed', currency: 'USD', amount },
    protocols: [{ x402: { version: 2, scheme: 'exact', network, asset: 'USDC' } }],
  };
}

function createRequestBody({
  required,
  published,
  example,
}: NonNullable<Operation['requestBody']>): JsonSchema {
  return {
    description: required ? 'Required, at most 64 KiB.' : 'Optional; it is not read.',
    required,
    content: { 'application/json': { schema: createSchemaRef(published), example } },
  };
}

function createSuccessResponse({
  priceUsd,
  response,
  isCacheableDocument: isDocument,
}: Operation): JsonSchema {
  const { schema, published, example } = response;
  return {
    description: priceUsd === null ? 'Success.' : 'The result, after the payment was settled.',
    ...(priceUsd === null ? {} : { headers: createHeaderRefs(['PAYMENT-RESPONSE', 'X-PAYMENT-RESPONSE']) }),
    ...(isDocument ? { headers: createHeaderRefs(['ETag']) } : {}),
    content: {
      'application/json': {
        schema: published === null ? createInlineSchema(schema, 'output') : createSchemaRef(published),
        example,
      },
    },
  };
}

const UNCHANGED: JsonSchema = {
  description: 'The document is unchanged since the version in `If-None-Match`.',
  headers: createHeaderRefs(['ETag']),
};

/**
 * Returns true for an operation whose path has the slug of an endpoint. Requests with an outdated slug are redirected.
 */
function hasSlug({ parameters }: Operation): boolean {
  return parameters.some(({ in: place, name }) => place === 'path' && name === 'slug');
}

const REDIRECTED: JsonSchema = {
  description: 'The endpoint has another slug. `Location` has its path. Send the same request there.',
  headers: createHeaderRefs(['Location']),
};

const HEADERS_TOO_LARGE: JsonSchema = {
  description: `${HEADERS_LIMIT} The server responds without a JSON body and closes the connection. The request is not read, so it charges nothing.`,
};

function createChallengeResponse(operation: Operation, origin: string): JsonSchema {
  return {
    description:
      'The request has no payment, or its payment was refused: `error` has the code of the reason, `detail` a sentence. The header has the payment terms in version 2. On networks that version 1 knows, such as Base, the body has the same terms in version 1, and otherwise those of the header. Send the same request again with the payment in the header `PAYMENT-SIGNATURE` (version 2) or `X-PAYMENT` (version 1). A refused settlement has a receipt, too.',
    headers: createHeaderRefs(['PAYMENT-REQUIRED', 'PAYMENT-RESPONSE', 'X-PAYMENT-RESPONSE']),
    content: {
      'application/json': {
        schema: createSchemaRef(PAYMENT_REQUIRED_V1_SCHEMAS['payment-required-v1']),
        example: createChallengeExampleV1(operation, origin),
      },
    },
  };
}

/** Creates the OpenAPI description of a parameter: a Parameter Object (OpenAPI 3.1.0, section 4.8.12). */
export function createParameterObject({
  in: place,
  name,
  required,
  description,
  schema,
  example,
}: Parameter): JsonSchema {
  return {
    name,
    in: place,
    required,
    description,
    schema: createInlineSchema(schema, 'input'),
    example,
  };
}

/** Errors after which the payment may still be settled, so their examples do not contain `notCharged`. */
const UNCERTAIN_PROBLEMS: readonly ProblemCode[] = [
  'payment-in-progress',
  'payment-reused',
  'payment-unavailable',
  'internal',
];

/** Errors whose responses contain the header `Retry-After`. */
const RETRYABLE_PROBLEMS: readonly ProblemCode[] = [
  'payment-in-progress',
  'payment-unavailable',
  'search-unavailable',
];

/**
 * Creates the OpenAPI descriptions of the error responses of an operation, by HTTP status. Errors with the same status
 * share one description.
 */
function createProblemResponses(
  codes: readonly ProblemCode[],
  isPaid: boolean,
): Readonly<Record<string, JsonSchema>> {
  const byStatus = Map.groupBy(codes, (code) => PROBLEMS[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, alike]) => [String(status), createProblemResponse(status, alike, isPaid)]),
  );
}

function createProblemResponse(status: number, codes: readonly ProblemCode[], isPaid: boolean): JsonSchema {
  const headers = createProblemHeaders(codes);
  return {
    description: codes.map((code) => `\`${code}\`: ${PROBLEMS[code].description}`).join('\n\n'),
    ...(headers === null ? {} : { headers }),
    content: {
      'application/problem+json': {
        schema: {
          allOf: [
            createSchemaRef(PROBLEM_SCHEMAS.problem),
            { type: 'object', properties: { status: { const: status }, code: { enum: codes } } },
          ],
        },
        examples: Object.fromEntries(
          codes.map((code) => [code, { value: createProblemExample(code, isPaid) }]),
        ),
      },
    },
  };
}

function createProblemHeaders(codes: readonly ProblemCode[]): JsonSchema | null {
  if (codes.includes('rate-limited'))
    return createHeaderRefs(['Retry-After', 'RateLimit', 'RateLimit-Policy']);
  if (codes.includes('unauthorized')) return createHeaderRefs(['WWW-Authenticate']);
  if (codes.includes('method-not-allowed')) return createHeaderRefs(['Allow']);
  return codes.some((code) => RETRYABLE_PROBLEMS.includes(code)) ? createHeaderRefs(['Retry-After']) : null;
}

function createProblemExample(code: ProblemCode, isPaid: boolean): Problem {
  const problem = createProblem(code, PROBLEMS[code].description);
  return isPaid && !UNCERTAIN_PROBLEMS.includes(code) ? markNotCharged(problem) : problem;
}
