import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { createToolSchemas, type JsonSchema, type Tool } from '@touchstone/contract';
import { SCHEMA_URI_PREFIX } from '../resources/resource-uris.ts';
import { compactSchema, removeUnicodePatterns } from './compact-schema.ts';

/** Arguments of a tool call, or members of a result. */
export type Members = Readonly<Record<string, unknown>>;

interface AdvertisedSchemas {
  readonly input: StandardSchemaWithJSON<Members, Members>;
  readonly output: StandardSchemaWithJSON<Members, Members>;
}

const advertised = new Map<Tool, AdvertisedSchemas>();

/**
 * Returns the schemas that `tools/list` advertises for a tool. They are created once, because an HTTP entrance creates a
 * server for each request. They accept every value: the handler of the tool validates arguments with messages for
 * agents, and results come from the service itself.
 */
export function getAdvertisedSchemas(tool: Tool): AdvertisedSchemas {
  const known = advertised.get(tool);
  if (known !== undefined) return known;
  const { input, output } = createToolSchemas(tool);
  const schemas = {
    input: toStandardSchema(removeUnicodePatterns(input)),
    output: toStandardSchema(addErrorResults({ ...describeResult(tool), ...compactSchema(output) })),
  };
  advertised.set(tool, schemas);
  return schemas;
}

/** Names the resource with the full schema of a result. */
function describeResult({ operations }: Tool): JsonSchema {
  const schemaName = operations[0]?.response.schemaName ?? null;
  return schemaName === null
    ? {}
    : { description: `Shortened; full schema: ${SCHEMA_URI_PREFIX}${schemaName}` };
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
