import { isJsonObject } from '@touchstone/common';
import type { Bazaar } from '../challenge/bazaar-extension.ts';
import { cleanJson, cleanText, readMember } from '../json/untrusted-json.ts';
import type { Json } from '../types.ts';

/** Maximum length of an example request as JSON, in UTF-16 units. A longer example is left out. */
const MAX_EXAMPLE_LENGTH = 1_000;

/** Limits of the declared input, of which the example is a part. */
const MAX_INPUT = { values: 1_000, units: 16_000 };
const MAX_TYPE_LENGTH = 200;

/** Types of a request body in the discovery extension. */
const BODY_TYPES = ['json', 'form-data', 'text'] as const;

/** Example of a request to an endpoint, declared by its seller. The values are unverified claims. */
export interface ExampleRequest {
  /** Query parameters in the order of the seller; empty without parameters. */
  readonly query: readonly (readonly [name: string, value: string])[];
  /** Body; null without a body. */
  readonly body: { readonly type: (typeof BODY_TYPES)[number]; readonly value: Json } | null;
}

/**
 * Reads the example of an HTTP request that a seller declares in the discovery extension.
 * Source: x402 discovery extension, `info.input`.
 *
 * @returns null without query parameters and body, and for an example that is too long
 */
export function readExampleRequest(bazaar: Bazaar | null): ExampleRequest | null {
  const type = cleanText(readMember(bazaar?.input, 'type'), MAX_TYPE_LENGTH) ?? 'http';
  const input = isJsonObject(bazaar?.input) ? cleanJson(bazaar.input, MAX_INPUT) : null;
  if (input === null || type.toLowerCase() !== 'http') return null;
  const { queryParams, bodyType, body } = input as Readonly<Record<string, Json>>;
  const example: ExampleRequest = { query: readQuery(queryParams), body: readBody(bodyType, body) };
  if (example.query.length === 0 && example.body === null) return null;
  return JSON.stringify(example).length > MAX_EXAMPLE_LENGTH ? null : example;
}

function readQuery(params: Json | undefined): ExampleRequest['query'] {
  return Object.entries(isJsonObject(params) ? params : {}).flatMap(([name, value]: [string, unknown]) =>
    ['string', 'number', 'boolean'].includes(typeof value) ? [[name, String(value)] as const] : [],
  );
}

function readBody(declaredType: Json | undefined, value: Json | undefined): ExampleRequest['body'] {
  if (value === undefined || value === null) return null;
  const type = BODY_TYPES.find((each) => each === declaredType) ?? 'json';
  return { type, value };
}
