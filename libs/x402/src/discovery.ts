import type { Bazaar } from './bazaar.ts';
import { cleanJson, type CleanLimits } from './clean-json.ts';
import type { Entry } from './entry.ts';
import { isObject } from './is-object.ts';
import { member } from './member.ts';
import { cleanText } from './text.ts';
import type { Discovery, Json } from './types.ts';

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
      ...headOf(bazaar.input),
      toolName: cleanText(member(bazaar.input, 'toolName') ?? member(bazaar.input, 'tool'), NAME_LIMIT),
      input: keep(bazaar.input),
      output: keep(bazaar.output),
      inputSchema: keep(member(bazaar.input, 'inputSchema') ?? partOf(bazaar.schema, 'input')),
      outputSchema: keep(partOf(bazaar.schema, 'output')),
    };
  }
  const described = entries.map((entry) => entry?.fields.outputSchema).find(isObject);
  const input = member(described, 'input');
  if (!isObject(input)) return null;
  // Version 1 describes the members of a request by their types, so the description is the schema.
  return {
    ...headOf(input),
    toolName: null,
    input: null,
    output: null,
    inputSchema: keep(input),
    outputSchema: keep(member(described, 'output')),
  };
}

/**
 * The HTTP method a seller declares: in the discovery extension, else in the first version 1 option that names one.
 *
 * @returns in capitals; null when none, or none of HTTP's, is declared
 */
export function declaredMethod(bazaar: Bazaar | null, entries: readonly (Entry | null)[]): string | null {
  const inputs = [bazaar?.input, ...entries.map((entry) => member(entry?.fields.outputSchema, 'input'))];
  return inputs.map(methodOf).find((method) => method !== null) ?? null;
}

function methodOf(input: unknown): string | null {
  const method = cleanText(member(input, 'method'), NAME_LIMIT)?.toUpperCase() ?? '';
  return METHODS.has(method) ? method : null;
}

function headOf(input: object): Pick<Discovery, 'type' | 'method'> {
  return { type: cleanText(member(input, 'type'), NAME_LIMIT), method: methodOf(input) };
}

/** The schema of `info` has one for each part of it. */
function partOf(schema: unknown, name: string): unknown {
  return member(member(schema, 'properties'), name);
}

function keep(json: unknown): Json | null {
  return json === undefined ? null : cleanJson(json, SCHEMA_LIMITS);
}
