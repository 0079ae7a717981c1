import { isObject } from '../json/is-object.ts';

/** Type of a JSON Schema keyword's value. */
type ValueType =
  | 'schema'
  | 'schemas'
  | 'schema-map'
  | 'types'
  | 'values'
  | 'list'
  | 'names'
  | 'names-map'
  | 'number'
  | 'divisor'
  | 'count'
  | 'flag'
  | 'text';

/** Keywords of draft 2020-12 by value type. Keywords that take any value, such as `const`, are not listed. */
const KEYWORDS_BY_TYPE: Readonly<Record<ValueType, readonly string[]>> = {
  schema: [
    ...['items', 'contains', 'additionalProperties', 'propertyNames', 'not', 'if', 'then', 'else'],
    ...['unevaluatedItems', 'unevaluatedProperties', 'contentSchema'],
  ],
  schemas: ['allOf', 'anyOf', 'oneOf', 'prefixItems'],
  'schema-map': ['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions'],
  types: ['type'],
  values: ['enum'],
  list: ['examples'],
  names: ['required'],
  'names-map': ['dependentRequired'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
  divisor: ['multipleOf'],
  count: [
    ...['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'],
    ...['minContains', 'maxContains'],
  ],
  flag: ['uniqueItems', 'deprecated', 'readOnly', 'writeOnly'],
  text: [
    ...['$id', '$schema', '$ref', '$anchor', '$dynamicRef', '$dynamicAnchor', '$comment', 'title'],
    ...['description', 'pattern', 'format', 'contentEncoding', 'contentMediaType'],
  ],
};

const TYPE_BY_KEYWORD = new Map(
  Object.entries(KEYWORDS_BY_TYPE).flatMap(([type, keywords]) =>
    keywords.map((keyword) => [keyword, type] as const),
  ),
);

const JSON_TYPES = new Set<unknown>(['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']);

const VALUE_TESTS: ReadonlyMap<string, (value: unknown) => boolean> = new Map([
  ['schema', isSchema],
  ['schemas', (value) => isFilled(value) && value.every(isSchema)],
  ['schema-map', (value) => isObject(value) && Object.values(value).every(isSchema)],
  ['types', (value) => isType(value) || (isFilled(value) && value.every(isType) && isDistinct(value))],
  ['values', isFilled],
  ['list', Array.isArray],
  ['names', isNames],
  ['names-map', (value) => isObject(value) && Object.values(value).every(isNames)],
  ['number', (value) => typeof value === 'number'],
  ['divisor', (value) => typeof value === 'number' && value > 0],
  ['count', (value) => Number.isInteger(value) && Number(value) >= 0],
  ['flag', (value) => typeof value === 'boolean'],
  ['text', (value) => typeof value === 'string'],
] satisfies [ValueType, (value: unknown) => boolean][]);

/** Returns true for a JSON Schema, which is an object or a boolean. */
export function isSchema(value: unknown): value is object | boolean {
  return typeof value === 'boolean' || isObject(value);
}

/** Returns false for a value that draft 2020-12 does not allow for the keyword. Unknown keywords allow any value. */
export function isKeywordValue(keyword: string, value: unknown): boolean {
  return VALUE_TESTS.get(TYPE_BY_KEYWORD.get(keyword) ?? '')?.(value) ?? true;
}

/** Returns the subschemas in the value of a keyword. The value must be valid (see `isKeywordValue`). */
export function listSubschemas(keyword: string, value: unknown): readonly unknown[] {
  switch (TYPE_BY_KEYWORD.get(keyword)) {
    case 'schema':
      return [value];
    case 'schemas':
      return Array.isArray(value) ? value : [];
    case 'schema-map':
      return isObject(value) ? Object.values(value) : [];
    default:
      return [];
  }
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

function isDistinct(values: readonly unknown[]): boolean {
  return new Set(values).size === values.length;
}
