import { isObject } from '../json/is-object.ts';

/** What a keyword of JSON Schema takes. */
type Kind =
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

/** Keywords of draft 2020-12 by what they take; those that take anything, as `const`, are not named. */
const KEYWORDS_BY_KIND: Readonly<Record<Kind, readonly string[]>> = {
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

const KINDS = new Map(
  Object.entries(KEYWORDS_BY_KIND).flatMap(([kind, keywords]) =>
    keywords.map((keyword) => [keyword, kind] as const),
  ),
);

const TYPES = new Set<unknown>(['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']);

const TESTS: ReadonlyMap<string, (value: unknown) => boolean> = new Map([
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
] satisfies [Kind, (value: unknown) => boolean][]);

/** An object, or a boolean, which stands for the schema of everything or of nothing. */
export function isSchema(value: unknown): value is object | boolean {
  return typeof value === 'boolean' || isObject(value);
}

/** False for a value draft 2020-12 does not allow a keyword to have; keywords it does not know may have any. */
export function isKeywordValue(keyword: string, value: unknown): boolean {
  return TESTS.get(KINDS.get(keyword) ?? '')?.(value) ?? true;
}

/** The schemas a keyword holds, given that its value is one it may have. */
export function listSubschemas(keyword: string, value: unknown): readonly unknown[] {
  switch (KINDS.get(keyword)) {
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
  return TYPES.has(value);
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
