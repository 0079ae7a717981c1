import { isObject } from '../json/is-object.ts';
import { quote } from '../json/clean-text.ts';
import { readMember } from '../json/read-member.ts';
import { isKeywordValue, isSchema, isSupported, listSchemas } from './schema-keywords.ts';

/**
 * URL of the supported JSON Schema dialect. Empty text is allowed, because the facilitators' validator treats it as
 * absent.
 */
const DIALECT = /^(https:\/\/json-schema\.org\/draft\/2020-12\/schema#?)?$/;
/** Keywords whose subschemas apply to the same value as the surrounding schema. */
const IN_PLACE_APPLICATORS = ['allOf', 'anyOf', 'oneOf'];

/** Faults of a JSON Schema, as text for people; null without a fault. */
export interface SchemaFaults {
  /** First unsupported dialect or invalid value of a supported keyword. */
  readonly form: string | null;
  /** First `$ref` or `$id` that points outside the schema, or `$ref` that points to no schema. */
  readonly reference: string | null;
  /** First keyword that is not supported, so its value was not checked; null if all keywords were checked. */
  readonly uncheckedKeyword: string | null;
}

/**
 * Finds the faults of an untrusted JSON Schema in linear time. Several rules use the result.
 *
 * @returns null when the schema is not an object
 */
export function findSchemaFaults(schema: unknown): SchemaFaults | null {
  if (!isObject(schema)) return null;
  const nodes = listSchemas(schema);
  const keywords = nodes.flatMap((node) => Object.keys(node));
  return {
    form: findFormFault(schema, nodes),
    reference: findForeignReference(schema) ?? findDanglingReference(schema, nodes),
    uncheckedKeyword: keywords.find((keyword) => !isSupported(keyword)) ?? null,
  };
}

/** Source: the meta-schema of draft 2020-12, against which facilitators validate schemas. */
function findFormFault(schema: object, nodes: readonly object[]): string | null {
  const dialect = readMember(schema, '$schema');
  if (typeof dialect === 'string' && !DIALECT.test(dialect)) return `its dialect is ${quote(dialect)}`;
  for (const node of nodes) {
    for (const [keyword, value] of Object.entries(node)) {
      if (isSupported(keyword) && !isKeywordValue(keyword, value)) return `${keyword} is ${describe(value)}`;
    }
  }
  return null;
}

function describe(value: unknown): string {
  if (Array.isArray(value)) return 'a list that is not allowed there';
  return isObject(value) ? 'an object that is not allowed there' : quote(value);
}

/**
 * Finds a `$ref` or `$id` that points outside the schema, even where it is only a property name or part of an example,
 * because facilitators reject such a schema.
 * Source: x402 discovery extension, "Schema Validation"; @x402/extensions, `validateDiscoveryExtension`.
 */
function findForeignReference(schema: object): string | null {
  const open: unknown[] = [schema];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (typeof node !== 'object' || node === null) continue;
    for (const [key, value] of Object.entries(node)) {
      if ((key === '$ref' || key === '$id') && !(typeof value === 'string' && value.startsWith('#')))
        return `${key} ${quote(value)} points outside it`;
      open.push(value);
    }
  }
  return null;
}

function findDanglingReference(schema: object, nodes: readonly object[]): string | null {
  const references = nodes.map((node) => readMember(node, '$ref'));
  const dangling = references.find((reference) => {
    const target = resolveReference(schema, reference);
    return target !== null && !isSchema(target.value);
  });
  return dangling === undefined ? null : `$ref ${quote(dangling)} points to no schema in it`;
}

/**
 * Resolves a `$ref` of the form `#` or `#/…`, which is a JSON pointer as a URI fragment (RFC 6901, 6).
 *
 * @returns null for an anchor, which is not resolved, and without a reference. Undefined as value: nothing is there.
 */
function resolveReference(root: object, reference: unknown): { readonly value: unknown } | null {
  if (reference === '#') return { value: root };
  if (typeof reference !== 'string' || !reference.startsWith('#/')) return null;
  const tokens = reference.slice(2).split('/').map(decodeToken);
  return { value: tokens.reduce<unknown>((value, token) => readMember(value, token), root) };
}

/** Decodes one segment of a JSON pointer. Does not decode percent-encoding if it is invalid. */
function decodeToken(token: string): string {
  const plain = token.replaceAll('~1', '/').replaceAll('~0', '~');
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
}

/**
 * Returns true when a schema defines a property under `properties`, directly or through `$ref`, `allOf`, `anyOf` or
 * `oneOf`. References by anchor, such as `#name`, are not resolved. They count as a definition, because their target
 * may contain one.
 */
export function definesProperty(root: object, name: string): boolean {
  const open: unknown[] = [root];
  const seen = new Set<object>();
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (!isObject(node) || seen.has(node)) continue;
    seen.add(node);
    if (readMember(readMember(node, 'properties'), name) !== undefined) return true;
    const reference = readMember(node, '$ref');
    const target = resolveReference(root, reference);
    if (target === null && typeof reference === 'string') return true;
    if (target !== null) open.push(target.value ?? null);
    for (const keyword of IN_PLACE_APPLICATORS) {
      for (const subschema of [readMember(node, keyword) ?? []].flat()) open.push(subschema);
    }
  }
  return false;
}
