import type { z } from 'zod';
import type { ProblemCode } from './problem.ts';
import type { SchemaName } from './schemas.ts';

/** What a request carries, or what is answered when all went well. */
interface Payload {
  readonly schema: z.ZodType;
  /** The published schema it matches; null where it has none, as the OpenAPI document itself. */
  readonly schemaName: SchemaName | null;
  /** What it looks like; real enough to be sent, or to write a client against. */
  readonly example: Readonly<Record<string, unknown>>;
}

export interface RequestBody extends Payload {
  readonly schemaName: SchemaName;
  /** False where the body may be left out. */
  readonly required: boolean;
}

/** A variable part of the path. */
export interface PathParameter {
  readonly name: string;
  readonly description: string;
  readonly schema: z.ZodType;
  readonly example: string;
}

/** Groups of operations, in the order in which they are shown. Challenges carry them too, for directories. */
export const TAGS = {
  trust: 'What is known of one endpoint, paid by the call.',
  overview: 'The best, the worst and the whole, free of charge.',
  reference: 'How to read the answers and how to verify them, free of charge.',
} as const;

/** One operation of the API. Everything that is published of it, and the price it is sold at, is made from this. */
export interface Operation {
  /** The operationId. */
  readonly id: string;
  readonly method: 'GET' | 'POST';
  /** Variable parts are in braces, as OpenAPI has them. */
  readonly path: string;
  readonly parameters: readonly PathParameter[];
  /** US dollars with six decimals; null for what is free. */
  readonly priceUsd: string | null;
  /** A few words, as a list shows them. */
  readonly summary: string;
  /** At most 500 characters, which is all that facilitators take: the challenge carries it. */
  readonly description: string;
  readonly tags: readonly (keyof typeof TAGS)[];
  readonly requestBody: RequestBody | null;
  readonly response: Payload;
  /** Whether a client that accepts text/html is answered with a page. */
  readonly hasPage: boolean;
  /** Whether it is answered with an ETag, and with 304 to whoever has it already. */
  readonly isDocument: boolean;
  /**
   * An abridged example of the answer for the challenge, which is a header: servers and proxies take about 8 KB of
   * it. Null for what is free.
   */
  readonly outputExample: Readonly<Record<string, unknown>> | null;
  /** What it may answer instead, beside what any path may. */
  readonly problems: readonly ProblemCode[];
}
