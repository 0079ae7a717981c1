import { cleanText, decodePercent, readMember } from '../json/untrusted-json.ts';
import type { Entry } from './envelope.ts';

/** The discovery extension (`bazaar`) of a challenge. Its members are not validated yet. */
export interface Bazaar {
  readonly extension: unknown;
  readonly info: unknown;
  readonly schema: unknown;
  readonly input: unknown;
  readonly output: unknown;
  readonly routeTemplate: unknown;
}

/**
 * Reads the discovery extension without validating it. Source: x402 discovery extension.
 *
 * @param extensions `extensions` member of a challenge or of an item in a discovery directory, any JSON value
 * @returns null when `extensions` contains no discovery extension
 */
export function readBazaar(extensions: unknown): Bazaar | null {
  const extension = readMember(extensions, 'bazaar') ?? null;
  if (extension === null) return null;
  const info = readMember(extension, 'info');
  return {
    extension,
    info,
    schema: readMember(extension, 'schema'),
    input: readMember(info, 'input'),
    output: readMember(info, 'output'),
    routeTemplate: readMember(extension, 'routeTemplate'),
  };
}

const METHODS = new Set(['GET', 'HEAD', 'DELETE', 'POST', 'PUT', 'PATCH']);
const MAX_METHOD_LENGTH = 200;

/**
 * Returns the HTTP method that a seller declares. Looks in the discovery extension first, then in each version 1 option
 * in list order. Sources: x402 discovery extension; x402 v1 specification, 5.1.2.
 *
 * @returns the method in capitals; null when the seller declares no known method
 */
export function findDeclaredMethod(bazaar: Bazaar | null, entries: readonly (Entry | null)[]): string | null {
  const inputs = [bazaar?.input, ...entries.map((entry) => readMember(entry?.outputSchema, 'input'))];
  return inputs.map(readMethod).find((method) => method !== null) ?? null;
}

function readMethod(input: unknown): string | null {
  const method = cleanText(readMember(input, 'method'), MAX_METHOD_LENGTH)?.toUpperCase() ?? '';
  return METHODS.has(method) ? method : null;
}

/**
 * Returns the route template, which discovery directories use as the key of a resource; null when it is absent or
 * invalid.
 */
export function readRouteTemplate(bazaar: Bazaar | null): string | null {
  const template = bazaar?.routeTemplate;
  return isRouteTemplate(template) ? template : null;
}

/** Maximum number of times a route template is percent-decoded. Source: @x402/extensions 2.27. */
const MAX_DECODE_PASSES = 5;

/**
 * Returns true for a valid route template, such as `/users/:id`. The completely percent-decoded template must contain
 * neither `..` nor `://`.
 * Source: x402 discovery extension, "`routeTemplate` Validation Rules"; @x402/extensions 2.27, `isValidRouteTemplate`.
 */
export function isRouteTemplate(value: unknown): value is string {
  if (typeof value !== 'string' || !/^\/[a-zA-Z0-9_/:.\-~%]+$/.test(value)) return false;
  const decoded = decodeCompletely(value);
  return decoded !== null && !decoded.includes('..') && !decoded.includes('://');
}

/**
 * Percent-decodes a text until a pass changes nothing. Returns null if the encoding is invalid, or if five passes are
 * not enough.
 */
function decodeCompletely(value: string): string | null {
  let text = value;
  for (let pass = 0; pass < MAX_DECODE_PASSES; pass += 1) {
    const decoded = decodePercent(text);
    if (decoded === null || decoded === text) return decoded;
    text = decoded;
  }
  return null;
}
