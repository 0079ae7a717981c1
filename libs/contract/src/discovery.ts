import { z } from 'zod';
import { partialSchema, type JsonSchema } from './json-schema.ts';
import type { Operation } from './operation.ts';

/** What a challenge tells of an operation, in the words of `declareDiscoveryExtension` of the x402 extensions. */
export interface Discovery {
  readonly bodyType: 'json';
  readonly input: Readonly<Record<string, unknown>>;
  /** JSON Schema, draft 2020-12, that refers to nothing. */
  readonly inputSchema: JsonSchema;
  /** Abridged: whole answers are longer than a header may be. */
  readonly output: { readonly example: Readonly<Record<string, unknown>> };
}

/** How directories are to show a paid operation; null for one that is free, which no challenge is made of. */
export function discoveryOf({ requestBody, outputExample }: Operation): Discovery | null {
  if (outputExample === null) return null;
  return {
    bodyType: 'json',
    input: requestBody?.example ?? {},
    inputSchema: partialSchema(requestBody?.schema ?? z.strictObject({}), 'input'),
    output: { example: outputExample },
  };
}
