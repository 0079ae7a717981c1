import { isJsonObject } from '@touchstone/common';
import { cleanJson, type CleanLimits, cleanText, readMember } from '../json/untrusted-json.ts';
import type { Bazaar } from './bazaar-extension.ts';
import type { Entry } from './envelope.ts';
import type { Discovery, Json } from '../types.ts';

const MAX_NAME_LENGTH = 200;
const MAX_JSON: CleanLimits = { values: 1_000, units: 16_000 };
const METHODS = new Set(['GET', 'HEAD', 'DELETE', 'POST', 'PUT', 'PATCH']);

/**
 * Reads the request and response format that a seller declares for a resource. Prefers the version 2 discovery
 * extension to the first version 1 option with an `outputSchema`. The values are cleaned, but remain unverified claims
 * of the seller.
 * Sources: x402 discovery extension; x402 v1 specification, 5.1.2.
 *
 * @param bazaar discovery extension of a challenge or of an item in a discovery directory
 * @param entries `accepts` entries of the same challenge or item
 * @returns null when the seller declares no format
 */
export function readDiscovery(bazaar: Bazaar | null, entries: readonly (Entry | null)[]): Discovery | null {
  if (bazaar !== null && isJsonObject(bazaar.input)) {
    return {
      ...readTypeAndMethod(bazaar.input),
      toolName: cleanText(
        readMember(bazaar.input, 'toolName') ?? readMember(bazaar.input, 'tool'),
        MAX_NAME_LENGTH,
      ),
      input: cleanOrNull(bazaar.input),
      output: cleanOrNull(bazaar.output),
      inputSchema: cleanOrNull(
        readMember(bazaar.input, 'inputSchema') ?? readPropertySchema(bazaar.schema, 'input'),
      ),
      outputSchema: cleanOrNull(readPropertySchema(bazaar.schema, 'output')),
    };
  }
  const described = entries.map((entry) => entry?.fields.outputSchema).find(isJsonObject);
  const input = readMember(described, 'input');
  if (!isJsonObject(input)) return null;
  // Version 1 has no example request: `outputSchema.input` describes the type of each request member. It is therefore
  // returned as the input schema.
  return {
    ...readTypeAndMethod(input),
    toolName: null,
    input: null,
    output: null,
    inputSchema: cleanOrNull(input),
    outputSchema: cleanOrNull(readMember(described, 'output')),
  };
}

/**
 * Returns the HTTP method that a seller declares. Looks in the discovery extension first, then in each version 1 option
 * in list order.
 *
 * @returns the method in capitals; null when the seller declares no known method
 */
export function findDeclaredMethod(bazaar: Bazaar | null, entries: readonly (Entry | null)[]): string | null {
  const inputs = [bazaar?.input, ...entries.map((entry) => readMember(entry?.fields.outputSchema, 'input'))];
  return inputs.map(readMethod).find((method) => method !== null) ?? null;
}

function readMethod(input: unknown): string | null {
  const method = cleanText(readMember(input, 'method'), MAX_NAME_LENGTH)?.toUpperCase() ?? '';
  return METHODS.has(method) ? method : null;
}

function readTypeAndMethod(input: object): Pick<Discovery, 'type' | 'method'> {
  return { type: cleanText(readMember(input, 'type'), MAX_NAME_LENGTH), method: readMethod(input) };
}

/** Returns the subschema of one property, such as `input`. */
function readPropertySchema(schema: unknown, name: string): unknown {
  return readMember(readMember(schema, 'properties'), name);
}

function cleanOrNull(json: unknown): Json | null {
  return json === undefined ? null : cleanJson(json, MAX_JSON);
}
