import { z } from 'zod';
import { SCHEMAS, type SchemaName } from './schemas.ts';

export type JsonSchema = Readonly<Record<string, unknown>>;

/** Returns the canonical URL of a schema: its `$id`, and the `$schema` of a report. */
export function toSchemaUrl(name: SchemaName, baseUrl: string): string {
  return new URL(SCHEMAS[name].path, baseUrl).href;
}

/**
 * Creates the JSON Schema, draft 2020-12, of a published schema, with an example.
 *
 * @param baseUrl public origin of the service, for its `$id`
 */
export function createJsonSchema(name: SchemaName, baseUrl: string): JsonSchema {
  const { title, description, schema, io, example } = SCHEMAS[name];
  return {
    $schema: DIALECT,
    $id: toSchemaUrl(name, baseUrl),
    title,
    description,
    ...createInlineSchema(schema, io),
    examples: [example],
  };
}

/** Creates a JSON Schema for use inside a document that declares the dialect. It has no references. */
export function createInlineSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  return omitDocumentKeywords(z.toJSONSchema(schema, { io, override: shortenDatePatterns }));
}

/** Removes `$schema` and `$id` from a schema. */
export function omitDocumentKeywords(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => name !== '$schema' && name !== '$id'));
}

/** Finds the schema of a path, such as `/schemas/x402-trust/1.0.0.json`; null without one. */
export function findJsonSchema(path: string, baseUrl: string): JsonSchema | null {
  const entries = Object.entries(SCHEMAS);
  const name = (entries.find(([, published]) => published.path === path)?.[0] ?? null) as SchemaName | null;
  return name === null ? null : createJsonSchema(name, baseUrl);
}

/** Default dialect of zod, and the dialect of OpenAPI 3.1. */
const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

const TIME_PATTERN = '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$';
const DATE_PATTERN = '^[0-9]{4}-[0-9]{2}-[0-9]{2}$';

/** Shortens the patterns of times and dates. Zod's patterns contain the whole calendar, which `format` states already. */
export function shortenDatePatterns({
  jsonSchema,
}: {
  readonly jsonSchema: z.core.JSONSchema.BaseSchema;
}): void {
  if (jsonSchema.format === 'date-time') Object.assign(jsonSchema, { pattern: TIME_PATTERN });
  if (jsonSchema.format === 'date') Object.assign(jsonSchema, { pattern: DATE_PATTERN });
}
