import type { z } from 'zod';
import type { ProblemCode } from '../responses/problem.ts';
import type { OperationCommand } from './command.ts';
import type { SchemaName } from '../schemas/schemas.ts';

/** Schema and example of a request body, or of the body of a successful response. */
interface Payload {
  readonly schema: z.ZodType;
  /** Name of the published schema of this body; null for a body without one, such as the OpenAPI document itself. */
  readonly schemaName: SchemaName | null;
  /** Complete example of the body, which clients can send or test against. */
  readonly example: Readonly<Record<string, unknown>>;
}

export interface RequestBody extends Payload {
  readonly schemaName: SchemaName;
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
}

/** OpenAPI tags in display order, with descriptions. Directories read the tags of an operation from its challenge. */
export const TAGS = {
  trust: 'Data on given endpoints, paid per call.',
  search: 'Endpoints by their purpose, paid per call.',
  watch: 'Alerts on one endpoint for 30 days, paid once. The secret of a watch is its only access.',
  overview: 'Summaries, rankings, samples and statistics, free of charge.',
  reference: 'Documents and keys to read and verify responses, free of charge.',
} as const;

/**
 * One operation of the API. The documents of the API and the price in a challenge are generated from this description.
 */
export interface Operation {
  /** `operationId` in the OpenAPI document. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Path of the operation, with variable parts in braces, as in OpenAPI. */
  readonly path: string;
  /** Parameters of the path and the query. A payment is bound to their values, like to the body. */
  readonly parameters: readonly Parameter[];
  /** Price in US dollars with six decimals; null for a free operation. */
  readonly priceUsd: string | null;
  /**
   * Authentication of the caller: `bearer` needs the secret of the watch in the header `Authorization`. A payment is not
   * an authentication: whether an operation is paid follows from `priceUsd`.
   */
  readonly security: 'none' | 'bearer';
  /** Short title for lists of operations. */
  readonly summary: string;
  /**
   * Description of at most 500 characters. The challenge contains it, and facilitators accept no longer description.
   */
  readonly description: string;
  readonly tags: readonly (keyof typeof TAGS)[];
  readonly requestBody: RequestBody | null;
  readonly response: Payload;
  /** True when the path responds with an HTML page to a client that accepts text/html. */
  readonly hasHtmlPage: boolean;
  /** True when the response has an ETag, so that a request with a matching `If-None-Match` gets status 304. */
  readonly isCacheableDocument: boolean;
  /**
   * Shortened example of the response, which the challenge contains; null for a free operation. It must be short,
   * because the challenge is an HTTP header, and nginx accepts 4 KiB of response headers by default.
   */
  readonly outputExample: Readonly<Record<string, unknown>> | null;
  /** Codes of the errors that this operation can respond with, in addition to `COMMON_PROBLEMS`. */
  readonly problems: readonly ProblemCode[];
  /** Command of the CLI that calls this operation; null without one. Operations that differ by a limit share one command. */
  readonly command: OperationCommand | null;
}
