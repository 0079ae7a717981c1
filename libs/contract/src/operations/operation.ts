import type { z } from 'zod';
import type { ProblemCode } from '../responses/problem.ts';
import type { SchemaName } from '../schemas/schemas.ts';

/** Body of a request, or of a successful response. */
interface Payload {
  readonly schema: z.ZodType;
  /** Name of its published schema; null without one, as for the OpenAPI document itself. */
  readonly schemaName: SchemaName | null;
  /** Example that can be sent, or that a client can be written against. */
  readonly example: Readonly<Record<string, unknown>>;
}

export interface RequestBody extends Payload {
  readonly schemaName: SchemaName;
  /** False for an optional body. */
  readonly required: boolean;
}

/** Variable part of a path. */
export interface PathParameter {
  readonly name: string;
  readonly description: string;
  readonly schema: z.ZodType;
  readonly example: string;
}

/** Groups of operations in display order. Challenges contain them for directories. */
export const TAGS = {
  trust: 'Data on one endpoint, paid per call.',
  overview: 'Rankings, samples and statistics, free of charge.',
  reference: 'Documents and keys to read and verify responses, free of charge.',
} as const;

/** One operation of the API. All documents and the price of a challenge are generated from it. */
export interface Operation {
  /** The operationId of OpenAPI. */
  readonly id: string;
  readonly method: 'GET' | 'POST';
  /** Path with variable parts in braces, as in OpenAPI. */
  readonly path: string;
  readonly parameters: readonly PathParameter[];
  /** US dollars with six decimals; null for a free operation. */
  readonly priceUsd: string | null;
  /** Title of a few words, for lists. */
  readonly summary: string;
  /** Description of at most 500 characters, the limit of facilitators: the challenge contains it. */
  readonly description: string;
  readonly tags: readonly (keyof typeof TAGS)[];
  readonly requestBody: RequestBody | null;
  readonly response: Payload;
  /** True when a client that accepts text/html gets a page. */
  readonly hasHtmlPage: boolean;
  /** True when the response has an ETag, and a matching `If-None-Match` gets 304. */
  readonly isCacheableDocument: boolean;
  /**
   * Abridged example of the response for the challenge, which is a header: servers and proxies limit it to about 8 KB.
   * Null for a free operation.
   */
  readonly outputExample: Readonly<Record<string, unknown>> | null;
  /** Errors of this operation, without `COMMON_PROBLEMS`. */
  readonly problems: readonly ProblemCode[];
}
