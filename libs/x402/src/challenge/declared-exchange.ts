import { isJsonObject } from '@touchstone/common';
import { cleanText, readMember } from '../json/untrusted-json.ts';
import type { Bazaar } from './bazaar-extension.ts';
import type { Entry } from './envelope.ts';

/** Request and response that a challenge declares. All values are unverified claims of the seller. */
export interface DeclaredExchange {
  /** Names of the inputs that a request needs, or may need, by their place; at most 100 names. */
  readonly needs: {
    readonly query: readonly string[];
    readonly body: readonly string[];
    readonly headers: readonly string[];
  };
  /** JSON Schema of the response body; null without one. Untrusted: evaluate it with limits. */
  readonly outputSchema: object | null;
  /** Example of the response body; undefined without one. */
  readonly outputExample: unknown;
}

const MAX_NAMES = 100;
const MAX_NAME_LENGTH = 200;

/**
 * Reads the request and the response that a challenge declares: in the discovery extension if there is one, otherwise
 * in the first version 1 option that has an `outputSchema`. Sources: x402 discovery extension; x402 v1 specification,
 * 5.1.2.
 */
export function findDeclaredExchange(
  bazaar: Bazaar | null,
  entries: readonly (Entry | null)[],
): DeclaredExchange {
  if (bazaar !== null) return readExtension(bazaar);
  const declared = entries.find((entry) => isJsonObject(entry?.outputSchema))?.outputSchema;
  const input = readMember(declared, 'input');
  return {
    needs: {
      query: listNeeded(input, ['queryParams', 'query_params']),
      body: listNeeded(input, ['bodyFields', 'body_fields', 'body']),
      headers: listNeeded(input, ['headerFields', 'header_fields', 'headers']),
    },
    outputSchema: toContainerSchema(readMember(declared, 'output')),
    outputExample: undefined,
  };
}

function readExtension({ schema, output }: Bazaar): DeclaredExchange {
  const input = readPath(schema, ['properties', 'input', 'properties']);
  const listRequired = (name: string): readonly string[] =>
    cleanNames(readMember(readMember(input, name), 'required'));
  return {
    needs: {
      query: listRequired('queryParams'),
      body: listRequired('body'),
      headers: listRequired('headers'),
    },
    outputSchema: toContainerSchema(readPath(schema, ['properties', 'output', 'properties', 'example'])),
    outputExample: readMember(output, 'example'),
  };
}

function readPath(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(readMember, value);
}

/**
 * Returns the names of the inputs that are not declared as optional. Version 1 has no standard for this declaration:
 * sellers write `required: false`, or the word "optional" in a description.
 */
function listNeeded(input: unknown, members: readonly string[]): readonly string[] {
  const fields = members.map((member) => readMember(input, member)).find(isJsonObject) ?? {};
  return cleanNames(
    Object.entries(fields).flatMap(([name, field]: [string, unknown]) => (isOptional(field) ? [] : [name])),
  );
}

function isOptional(field: unknown): boolean {
  const text = typeof field === 'string' ? field : readMember(field, 'description');
  return (
    readMember(field, 'required') === false ||
    readMember(field, 'default') !== undefined ||
    (typeof text === 'string' && /\b(optional|defaults?)\b/i.test(text))
  );
}

function cleanNames(names: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(names) ? names : [];
  return list.slice(0, MAX_NAMES).flatMap((name) => cleanText(name, MAX_NAME_LENGTH) ?? []);
}

/**
 * Returns the schema of an object or a list; null for every other value. Sellers also write examples, type names and the
 * schema of one member in this place.
 */
function toContainerSchema(schema: unknown): object | null {
  if (!isJsonObject(schema)) return null;
  const type = readMember(schema, 'type');
  return type === 'object' || type === 'array' ? schema : null;
}
