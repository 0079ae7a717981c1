import type { Bazaar } from './bazaar-extension.ts';
import { cleanJson, type CleanLimits } from '../json/clean-json.ts';
import type { Entry } from './accepts-entry.ts';
import { isObject } from '../json/is-object.ts';
import { readMember } from '../json/read-member.ts';
import { cleanText } from '../json/clean-text.ts';
import type { Discovery, Json } from '../types.ts';

const NAME_LIMIT = 200;
const SCHEMA_LIMITS: CleanLimits = { values: 1_000, units: 16_000 };
const METHODS = new Set(['GET', 'HEAD', 'DELETE', 'POST', 'PUT', 'PATCH']);

/**
 * How a resource says it is called and what it answers: in the discovery extension of version 2, else in the
 * `outputSchema` of the first version 1 option that has one. Everything in it is the seller's claim, cleaned but
 * not judged. Sources: x402 discovery extension; x402 v1 specification, 5.1.2.
 *
 * @param bazaar of the envelope or the directory's item
 * @param entries of its `accepts`
 * @returns null when it says nothing
 */
export function readDiscovery(bazaar: Bazaar | null, entries: readonly (Entry | null)[]): Discovery | null {
  if (bazaar !== null && isObject(bazaar.input)) {
    return {
      ...readHead(bazaar.input),
      toolName: cleanText(
        readMember(bazaar.input, 'toolName') ?? readMember(bazaar.input, 'tool'),
        NAME_LIMIT,
      ),
      input: cleanOrNull(bazaar.input),
      output: cleanOrNull(bazaar.output),
      inputSchema: cleanOrNull(
        readMember(bazaar.input, 'inputSchema') ?? readPropertySchema(bazaar.schema, 'input'),
      ),
      outputSchema: cleanOrNull(readPropertySchema(bazaar.schema, 'output')),
    };
  }
  const described = entries.map((entry) => entry?.fields.outputSchema).find(isObject);
  const input = readMember(described, 'input');
  if (!isObject(input)) return null;
  // Version 1 describes the members of a request by their types, so the description is the schema.
  return {
    ...readHead(input),
    toolName: null,
    input: null,
    output: null,
    inputSchema: cleanOrNull(input),
    outputSchema: cleanOrNull(readMember(described, 'output')),
  };
}

/**
 * The HTTP method a seller declares: in the discovery extension, else in the first version 1 option that names one.
 *
 * @returns in capitals; null when none, or none of HTTP's, is declared
 */
export function findDeclaredMethod(bazaar: Bazaar | null, entries: readonly (Entry | null)[]): string | null {
  const inputs = [bazaar?.input, ...entries.map((entry) => readMember(entry?.fields.outputSchema, 'input'))];
  return inputs.map(readMethod).find((method) => method !== null) ?? null;
}

function readMethod(input: unknown): string | null {
  const method = cleanText(readMember(input, 'method'), NAME_LIMIT)?.toUpperCase() ?? '';
  return METHODS.has(method) ? method : null;
}

function readHead(input: object): Pick<Discovery, 'type' | 'method'> {
  return { type: cleanText(readMember(input, 'type'), NAME_LIMIT), method: readMethod(input) };
}

/** The schema of `info` has one for each part of it. */
function readPropertySchema(schema: unknown, name: string): unknown {
  return readMember(readMember(schema, 'properties'), name);
}

function cleanOrNull(json: unknown): Json | null {
  return json === undefined ? null : cleanJson(json, SCHEMA_LIMITS);
}
