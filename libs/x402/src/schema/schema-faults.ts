import { isJsonObject } from '@touchstone/common';
import { decodePercent, quote, readMember } from '../json/untrusted-json.ts';

type ValueTest = (value: unknown) => boolean;

const JSON_TYPES = new Set<unknown>(['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']);

/** Supported keywords of draft 2020-12, grouped by the test for valid values. */
const KEYWORDS_BY_TEST: readonly (readonly [test: ValueTest, ...keywords: readonly string[]])[] = [
  [isSchema, 'items', 'additionalProperties'],
  [isSchemaList, 'allOf', 'anyOf', 'oneOf'],
  [isSchemaMap, 'properties', '$defs', 'definitions'],
  [(value) => isType(value) || (isFilled(value) && value.every(isType) && isDistinct(value)), 'type'],
  [isFilled, 'enum'],
  [(value) => value !== undefined, 'const', 'default'],
  [isNames, 'required'],
  [(value) => typeof value === 'number', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
  [isCount, 'minLength', 'maxLength', 'minItems', 'maxItems'],
  [(value) => typeof value === 'boolean', 'deprecated', 'readOnly', 'writeOnly'],
  [(value) => typeof value === 'string', '$schema', '$ref', '$comment', 'title', 'description', 'format'],
  [Array.isArray, 'examples'],
];

const TESTS = new Map(
  KEYWORDS_BY_TEST.flatMap(([test, ...keywords]) => keywords.map((keyword) => [keyword, test] as const)),
);

/** Returns true for a JSON Schema, which is an object or a boolean. */
function isSchema(value: unknown): value is object | boolean {
  return typeof value === 'boolean' || isJsonObject(value);
}

function isSupported(keyword: string): boolean {
  return TESTS.has(keyword);
}

/** Returns false for a value that draft 2020-12 does not allow for the keyword, and for every other keyword. */
export function isKeywordValue(keyword: string, value: unknown): boolean {
  return TESTS.get(keyword)?.(value) ?? false;
}

/** Returns a schema and all its subschemas under supported keywords, except boolean schemas. */
export function listSchemas(schema: object): readonly object[] {
  const found: object[] = [];
  const open: unknown[] = [schema];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (!isJsonObject(node)) continue;
    found.push(node);
    for (const [keyword, value] of Object.entries(node)) {
      for (const subschema of listSubschemas(keyword, value)) open.push(subschema);
    }
  }
  return found;
}

/** Returns the subschemas in the value of a keyword; an empty list for a value of the wrong type. */
function listSubschemas(keyword: string, value: unknown): readonly unknown[] {
  switch (TESTS.get(keyword)) {
    case isSchema:
      return [value];
    case isSchemaList:
      return Array.isArray(value) ? value : [];
    case isSchemaMap:
      return isJsonObject(value) ? Object.values(value) : [];
    default:
      return [];
  }
}

function isSchemaList(value: unknown): boolean {
  return isFilled(value) && value.every(isSchema);
}

function isSchemaMap(value: unknown): boolean {
  return isJsonObject(value) && Object.values(value).every(isSchema);
}

function isType(value: unknown): boolean {
  return JSON_TYPES.has(value);
}

function isFilled(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length > 0;
}

function isNames(value: unknown): boolean {
  return Array.isArray(value) && value.every((name) => typeof name === 'string') && isDistinct(value);
}

function isCount(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 0;
}

function isDistinct(values: readonly unknown[]): boolean {
  return new Set(values).size === values.length;
}

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
  if (!isJsonObject(schema)) return null;
  const nodes = listSchemas(schema);
  const keywords = nodes.flatMap((node) => Object.keys(node));
  return {
    form: findFormFault(schema, nodes),
    reference: findForeignReference(schema) ?? findDanglingReference(schema, nodes),
    uncheckedKeyword: keywords.find((keyword) => !isSupported(keyword)) ?? null,
  };
}

/** Finds the first unsupported dialect or invalid keyword value. Source: the meta-schema of draft 2020-12. */
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
  return isJsonObject(value) ? 'an object that is not allowed there' : quote(value);
}

/**
 * Finds a `$ref` or `$id` that points outside the schema. Facilitators reject such a schema, even if `$ref` or `$id` is
 * only a property name or a part of an example.
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
 * @returns null for a missing reference and for an anchor, because anchors are not resolved; an undefined `value` if
 * the reference points to nothing
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
  return decodePercent(plain) ?? plain;
}

/**
 * Returns true when a schema defines a property under `properties`, directly or through `$ref`, `allOf`, `anyOf` or
 * `oneOf`. References by anchor, such as `#name`, are not resolved. Such a reference counts as a definition,
 * because its target may contain a definition.
 */
export function definesProperty(root: object, name: string): boolean {
  const open: unknown[] = [root];
  const seen = new Set<object>();
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (!isJsonObject(node) || seen.has(node)) continue;
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
