import type { z } from 'zod';
import type { PublishedSchema } from '../shared/json-schema.ts';
import type { ProblemCode } from '../shared/problem.ts';
import type { OperationCommand } from './command.ts';

/** Body of a request, or of a successful response. */
interface Payload {
  readonly schema: z.ZodType;
  /** Published schema of this body; null for a body without a published schema, such as the OpenAPI document itself. */
  readonly published: (PublishedSchema & { readonly name: string }) | null;
  /** Complete example of the body. Clients can send the example, or use it in tests. */
  readonly example: Readonly<Record<string, unknown>>;
}

export interface RequestBody extends Payload {
  readonly published: NonNullable<Payload['published']>;
  /** False when a request may omit the body. */
  readonly required: boolean;
}

/** Variable part of an operation's path, or query parameter. */
export interface Parameter {
  readonly in: 'path' | 'query';
  readonly name: string;
  /** False when a request may omit the parameter. Path parameters are always required. */
  readonly required: boolean;
  readonly description: string;
  readonly schema: z.ZodType;
  readonly example: string;
  /** True for an optional query parameter that the examples of the operation set. */
  readonly isInExamples?: boolean;
  readonly argumentName?: string;
  /** Default of the argument of MCP tools. The parameter of the HTTP operation does not have this default. */
  readonly argumentDefault?: string;
}

/** Texts of the MCP tool that calls an operation. */
export interface ToolText {
  /**
   * Position in the list of tools: a tool with a lower number is listed earlier. Agents read the list from its
   * beginning.
   */
  readonly place: number;
  readonly name: string;
  readonly title: string;
  /** Use and result of the tool, and the tool to call next. The price is appended to this text. */
  readonly text: string;
  /** True when a result has text of providers, or a call contacts other hosts. */
  readonly isOpenWorld: boolean;
  /** True when a call may take seconds, because it probes an endpoint or tests connections. */
  readonly isSlow?: boolean;
  /** True for an operation with another method than GET that changes nothing. */
  readonly isReadOnly?: boolean;
}

/**
 * Tasks of callers in display order: OpenAPI tags, and sections of the API reference. Directories read the tags of an
 * operation from its challenge.
 */
export const TAGS = {
  trust: {
    title: 'Check endpoints',
    description: 'Verdicts and data on given endpoints. Summaries and sample reports are free.',
  },
  search: {
    title: 'Find endpoints',
    description: 'Endpoints by rank, by purpose, and by similarity to an endpoint. The ranking is free.',
  },
  watch: {
    title: 'Watch an endpoint',
    description: 'Alerts on one endpoint for 30 days, paid once. The secret of a watch is its only access.',
  },
  claim: {
    title: 'Claim your host',
    description:
      'For providers: proof that a host is yours, free and without an account. The secret of a claim is its only access.',
  },
  overview: { title: 'Follow the ecosystem', description: 'Statistics of all endpoints, free of charge.' },
  reference: {
    title: 'Verify and integrate',
    description: 'Documents and keys to read and verify responses, free of charge.',
  },
} as const;

/**
 * One operation of the API. The HTTP route, the price in a challenge, the documents of the API, the MCP tool and the
 * command of the CLI are created from this description.
 */
export interface Operation {
  /** `operationId` in the OpenAPI document. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Path of the operation, with variable parts in braces, as in OpenAPI. */
  readonly path: string;
  /**
   * Parameters of the path and the query. A request with another query parameter is refused, unless the
   * response is a cacheable document. A payment is valid only for
   * the same parameter values and the same body.
   */
  readonly parameters: readonly Parameter[];
  /** Price in US dollars with six decimals; null for a free operation. */
  readonly priceUsd: string | null;
  /**
   * Authentication of the caller: `bearer` needs the secret of the watch or claim in the header `Authorization`, and
   * `optional-bearer` accepts another proof instead. A payment is not an authentication: `priceUsd` shows if an operation
   * is paid.
   */
  readonly security: 'none' | 'bearer' | 'optional-bearer';
  /** Short title for lists of operations. */
  readonly summary: string;
  /**
   * Description of at most 500 characters. The challenge contains it, and facilitators accept no longer description.
   */
  readonly description: string;
  readonly tags: readonly (keyof typeof TAGS)[];
  readonly requestBody: RequestBody | null;
  readonly response: Payload;
  /**
   * True when the path responds with an HTML page to browsers, crawlers and link previews. The same path with the suffix
   * `.json` responds with JSON to every client.
   */
  readonly hasHtmlPage: boolean;
  /** True when the response has an ETag, so that a request with a matching `If-None-Match` gets status 304. */
  readonly isCacheableDocument: boolean;
  /**
   * Shortened example of the response, for the challenge; null for a free operation. The example must be short, because
   * the challenge is an HTTP header, and nginx accepts 4 KiB of response headers by default.
   */
  readonly outputExample: Readonly<Record<string, unknown>> | null;
  /** Codes of the errors that this operation can respond with, in addition to `COMMON_PROBLEMS`. */
  readonly problems: readonly ProblemCode[];
  /**
   * Command of the CLI that calls the operation; null if the CLI has no command for the operation. Operations that
   * differ only by a limit share one command.
   */
  readonly command: OperationCommand | null;
  /**
   * MCP tool that calls the operation; null if no tool calls the operation. Operations that differ only by a limit
   * share one tool.
   */
  readonly tool: ToolText | null;
}

/** Common members of free operations with the method GET. */
export const FREE_GET = {
  method: 'GET',
  parameters: [],
  priceUsd: null,
  security: 'none',
  requestBody: null,
  hasHtmlPage: false,
  isCacheableDocument: false,
  outputExample: null,
  command: null,
  tool: null,
} as const;

/** Error codes of an operation that returns a document. Documents are generated in memory and have no rate limit. */
export const DOCUMENT = ['internal'] as const satisfies readonly ProblemCode[];

/** Error codes of an operation that reads the database, has a rate limit and refuses unknown query parameters. */
export const DATABASE = [
  'invalid-request',
  'rate-limited',
  'internal',
] as const satisfies readonly ProblemCode[];

/** Error codes of an operation with a required request body. */
export const BODY = ['body-too-large', 'unsupported-media-type'] as const satisfies readonly ProblemCode[];

/** Error codes of a paid operation that concern its payment. */
const PAID = [
  'invalid-payment',
  'payment-in-progress',
  'payment-reused',
  'payment-unavailable',
] as const satisfies readonly ProblemCode[];

/** Common members of operations that are paid with a POST request. */
const PAID_POST = {
  method: 'POST',
  parameters: [],
  security: 'none',
  hasHtmlPage: false,
  isCacheableDocument: false,
} as const;

interface PaidPost<Name> extends Omit<Operation, keyof typeof PAID_POST | 'requestBody' | 'response'> {
  readonly parameters?: Operation['parameters'];
  /** Name of the request body among the published schemas; null for an operation without a body. */
  readonly request: Name | null;
  /** Name of the response body among the published schemas. */
  readonly response: Name;
}

/**
 * Creates an operation that is paid with a POST request.
 *
 * @param operation members of the operation. `problems` lists only the errors that are specific to this operation.
 */
export function createPaidPost<Name extends string>(
  schemas: Readonly<Record<Name, PublishedSchema>>,
  { request, response, problems, ...operation }: PaidPost<Name>,
): Operation {
  return {
    ...PAID_POST,
    ...operation,
    requestBody: request === null ? null : createRequestBody(schemas, request),
    response: createPayload(schemas, response),
    problems: [...(request === null ? [] : BODY), ...PAID, ...problems, ...DATABASE],
  };
}

/** Returns the description of a JSON body of a request or response: the published schema `name` and its example. */
export function createPayload<Name extends string>(
  schemas: Readonly<Record<Name, PublishedSchema>>,
  name: Name,
): Payload & Pick<RequestBody, 'published'> {
  const published = schemas[name];
  const { schema, example } = published;
  // The examples of all published schemas of bodies are JSON objects.
  return { schema, published: { name, ...published }, example: { ...(example as object) } };
}

export function createRequestBody<Name extends string>(
  schemas: Readonly<Record<Name, PublishedSchema>>,
  name: Name,
): RequestBody {
  return { ...createPayload(schemas, name), required: true };
}

/**
 * Returns the path of an operation, filled with the examples of its path parameters.
 *
 * @example `/schemas/x402-trust/1.0.0.json` for the path `/schemas/{name}/{file}`
 */
export function toExamplePath({ path, parameters }: Pick<Operation, 'path' | 'parameters'>): string {
  return parameters
    .filter(({ in: place }) => place === 'path')
    .reduce((filled, { name, example }) => filled.replace(`{${name}}`, example), path);
}

/**
 * Returns the path of an operation with the examples of its path parameters, and with the query parameters of its
 * examples: the required ones, and those with `isInExamples`.
 *
 * @example `/v1/x402-summary?resource=https%3A%2F%2Fapi.example.com%2Fv1%2Fweather`
 */
export function toExampleTarget(operation: Pick<Operation, 'path' | 'parameters'>): string {
  const query = operation.parameters
    .filter(
      ({ in: place, required, isInExamples }) => place === 'query' && (required || isInExamples === true),
    )
    .map(({ name, example }): [string, string] => [name, example]);
  return `${toExamplePath(operation)}${query.length === 0 ? '' : `?${new URLSearchParams(query).toString()}`}`;
}

/** Names of request body members that contain the URL of an endpoint. */
const RESOURCE_MEMBERS = ['resource', 'endpoint'];

/**
 * Returns an example body with another endpoint. In a body with a list of endpoints, the first endpoint is replaced. A
 * body without an endpoint stays unchanged.
 *
 * @param resource URL of an endpoint; undefined keeps the URL of the example
 */
export function replaceResource(
  body: Readonly<Record<string, unknown>>,
  resource: string | undefined,
): Readonly<Record<string, unknown>> {
  if (resource === undefined) return body;
  const { resources } = body;
  if (Array.isArray(resources)) return { ...body, resources: resources.with(0, resource) as unknown[] };
  const name = RESOURCE_MEMBERS.find((member) => member in body);
  return name === undefined ? body : { ...body, [name]: resource };
}
