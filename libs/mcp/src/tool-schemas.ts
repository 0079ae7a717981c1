import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { createToolSchemas, type JsonSchema, type Tool } from '@touchstone/contract';

/** Arguments of a tool call, or members of a result. */
export type Members = Readonly<Record<string, unknown>>;

const inputSchemas = new Map<Tool, StandardSchemaWithJSON<Members, Members>>();

/**
 * Returns the input schema that `tools/list` advertises for a tool. The schemas are created once, because a new MCP server
 * is created for each HTTP request. The schemas accept every value: the handler of the tool validates arguments with
 * messages for agents.
 *
 * The tools have no output schema. Results with an output schema need structured content, and the list of tools would
 * have 46 kB more in the context of a model.
 */
export function getInputSchema(tool: Tool): StandardSchemaWithJSON<Members, Members> {
  const known = inputSchemas.get(tool);
  if (known !== undefined) return known;
  // The members that clients add by themselves are not listed: models would fill them.
  const schema = toStandardSchema(removeUnicodePatterns(createToolSchemas(tool).input));
  inputSchemas.set(tool, schema);
  return schema;
}

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
