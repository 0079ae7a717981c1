import type { JsonSchema } from '@touchstone/contract';

/** Number of nested objects to which members are listed. Deeper objects are only declared as objects. */
const MAX_MEMBER_DEPTH = 2;

/** Number of nested objects to which descriptions are kept. */
const MAX_DESCRIPTION_DEPTH = 1;

/** Keywords with schemas as their value, or as elements of their value. */
const NESTED = ['items', 'additionalProperties', 'anyOf', 'oneOf', 'allOf'];

/**
 * Shortens a JSON Schema to the names, types and fixed values of members, and to the descriptions of the first level.
 * Every value that the schema accepts is accepted by the result. Clients load the schemas of all tools at once, often
 * into the context of a model, and the full schemas would take about 160 kB.
 */
export function compactSchema(schema: JsonSchema, depth = 0): JsonSchema {
  return Object.fromEntries(
    Object.entries(schema).flatMap(([keyword, value]) => {
      const kept = compactKeyword(keyword, value, depth);
      return kept === undefined ? [] : [[keyword, kept]];
    }),
  );
}

/** Returns the shortened value of a keyword; undefined if the keyword is left out. */
function compactKeyword(keyword: string, value: unknown, depth: number): unknown {
  switch (keyword) {
    case 'type':
    case 'enum':
    case 'const':
      return value;
    case 'description':
      return depth <= MAX_DESCRIPTION_DEPTH ? value : undefined;
    case 'required':
      return depth < MAX_MEMBER_DEPTH ? value : undefined;
    case 'properties':
      return depth < MAX_MEMBER_DEPTH ? mapValues(value, depth + 1) : undefined;
    default:
      return NESTED.includes(keyword) && typeof value === 'object' ? compactNested(value, depth) : undefined;
  }
}

function compactNested(value: unknown, depth: number): unknown {
  return Array.isArray(value)
    ? value.map((element: JsonSchema) => compactSchema(element, depth))
    : // An object is a schema here, by JSON Schema 2020-12.
      compactSchema(value as JsonSchema, depth);
}

function mapValues(value: unknown, depth: number): JsonSchema {
  // The values of `properties` are schemas, by JSON Schema 2020-12.
  const properties = value as Readonly<Record<string, JsonSchema>>;
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, compactSchema(schema, depth)]),
  );
}

/**
 * Removes patterns with characters outside ASCII from a JSON Schema. Such patterns, of resource URLs, list hundreds of
 * characters, and the regular expressions of other languages may refuse them. The service checks the values anyway.
 */
export function removeUnicodePatterns(schema: JsonSchema): JsonSchema {
  const isKept = (name: string, value: unknown): boolean =>
    name !== 'pattern' || typeof value !== 'string' || ASCII.test(value);
  // A copy of a JSON object is a JSON object.
  return JSON.parse(
    JSON.stringify(schema, (name, value: unknown) => (isKept(name, value) ? value : undefined)),
  ) as JsonSchema;
}

const ASCII = /^[ -~]*$/;
