import { isObject } from '../json/is-object.ts';

type ValueTest = (value: unknown) => boolean;

const JSON_TYPES = new Set<unknown>(['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']);

/** Supported keywords of draft 2020-12, by the test that every valid value of the keyword passes. */
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
export function isSchema(value: unknown): value is object | boolean {
  return typeof value === 'boolean' || isObject(value);
}

export function isSupported(keyword: string): boolean {
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
    if (!isObject(node)) continue;
    found.push(node);
    for (const [keyword, value] of Object.entries(node)) {
      for (const subschema of listSubschemas(keyword, value)) open.push(subschema);
    }
  }
  return found;
}

/** Returns the subschemas in the value of a keyword; none for a value of the wrong type. */
function listSubschemas(keyword: string, value: unknown): readonly unknown[] {
  switch (TESTS.get(keyword)) {
    case isSchema:
      return [value];
    case isSchemaList:
      return Array.isArray(value) ? value : [];
    case isSchemaMap:
      return isObject(value) ? Object.values(value) : [];
    default:
      return [];
  }
}

function isSchemaList(value: unknown): boolean {
  return isFilled(value) && value.every(isSchema);
}

function isSchemaMap(value: unknown): boolean {
  return isObject(value) && Object.values(value).every(isSchema);
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
