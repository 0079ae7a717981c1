import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { createToolSchemas, type JsonSchema, type Tool } from '@touchstone/contract';
import { SCHEMA_URI_PREFIX } from './resources.ts';

/** Arguments of a tool call, or members of a result. */
export type Members = Readonly<Record<string, unknown>>;

interface AdvertisedSchemas {
  readonly input: StandardSchemaWithJSON<Members, Members>;
  readonly output: StandardSchemaWithJSON<Members, Members>;
}

const advertised = new Map<Tool, AdvertisedSchemas>();

/**
 * Returns the schemas that `tools/list` advertises for a tool. The schemas are created once, because a new MCP server
 * is created for each HTTP request. The schemas accept every value: the handler of the tool validates arguments with
 * messages for agents, and results come from the service itself.
 */
export function getAdvertisedSchemas(tool: Tool): AdvertisedSchemas {
  const known = advertised.get(tool);
  if (known !== undefined) return known;
  const { input, output } = createToolSchemas(tool);
  const schemas = {
    // The members that clients add by themselves are not listed: models would fill them.
    input: toStandardSchema(removeUnicodePatterns(input)),
    output: toStandardSchema(addErrorResults({ ...describeResult(tool), ...compactSchema(output) })),
  };
  advertised.set(tool, schemas);
  return schemas;
}

/** Names the resource with the full schema of a result. */
function describeResult({ operations }: Tool): JsonSchema {
  const published = operations[0]?.response.published ?? null;
  return published === null
    ? {}
    : { description: `Shortened; full schema: ${SCHEMA_URI_PREFIX}${published.name}` };
}

/**
 * Adds the structured content of error results to an output schema. The MCP specification requires only successful
 * results to match the output schema. But clients of the SDK 1.x validate every structured content, and would replace a
 * quote by a validation error.
 */
function addErrorResults(output: JsonSchema): JsonSchema {
  return { type: 'object', anyOf: [output, QUOTE, PROBLEM] };
}

const QUOTE = {
  description: 'Quote of a call without a valid payment: x402 PaymentRequired, with isError.',
  type: 'object',
  properties: { x402Version: { const: 2 }, accepts: { type: 'array' } },
  required: ['x402Version', 'accepts'],
} as const satisfies JsonSchema;

const PROBLEM = {
  // A service error is an RFC 9457 problem. An error of the local server has no HTTP status.
  description: 'Error, with isError.',
  type: 'object',
  properties: { code: { type: 'string' }, detail: { type: 'string' }, status: { type: 'integer' } },
  required: ['code', 'detail'],
} as const satisfies JsonSchema;

function toStandardSchema(schema: JsonSchema): StandardSchemaWithJSON<Members, Members> {
  return {
    '~standard': {
      version: 1,
      vendor: 'touchstone',
      // The SDK passes the members of a JSON object, so the cast is safe.
      validate: (value) => ({ value: value as Members }),
      jsonSchema: { input: () => ({ ...schema }), output: () => ({ ...schema }) },
    },
  };
}

/** Maximum depth of the objects whose members are listed. Deeper objects are only declared as objects. */
const MAX_MEMBER_DEPTH = 2;

/** Maximum depth of the objects whose descriptions are kept. */
const MAX_DESCRIPTION_DEPTH = 1;

/** Keywords with schemas as their value, or as elements of their value. */
const NESTED = ['items', 'additionalProperties', 'anyOf', 'oneOf', 'allOf'];

/**
 * Shortens a JSON Schema to the names, types and fixed values of members, and to the descriptions of the first level.
 * The short schema accepts every value that the full schema accepts. Clients load the schemas of all tools together,
 * often into the context of a model, and the full schemas would take about 160 kB.
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
 * Removes patterns with characters outside ASCII from a JSON Schema. The patterns of resource URLs contain hundreds of
 * such characters, and other languages may refuse the patterns as regular expressions. The service checks the values
 * anyway.
 */
export function removeUnicodePatterns(schema: JsonSchema): JsonSchema {
  const isKept = (name: string, value: unknown): boolean =>
    name !== 'pattern' || typeof value !== 'string' || ASCII.test(value);
  // The cast is safe: a JSON object stays a JSON object when its patterns are removed.
  return JSON.parse(
    JSON.stringify(schema, (name, value: unknown) => (isKept(name, value) ? value : undefined)),
  ) as JsonSchema;
}

const ASCII = /^[ -~]*$/;
