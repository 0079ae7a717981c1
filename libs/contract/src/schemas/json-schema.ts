import { z } from 'zod';
import { SCHEMAS, type SchemaName } from './schemas.ts';

export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * Returns the canonical URL of a published schema. This URL is the `$id` of the schema and the `$schema` of a report.
 */
export function toSchemaUrl(name: SchemaName, baseUrl: string): string {
  return new URL(SCHEMAS[name].path, baseUrl).href;
}

/**
 * Creates the JSON Schema (draft 2020-12) of a published schema, including an example.
 *
 * @param baseUrl public origin of the service, which is part of the schema's `$id`
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

/** Creates a JSON Schema without `$schema`, `$id` and references, for use inside another document. */
export function createInlineSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  return omitDocumentKeywords(z.toJSONSchema(schema, { io, override: shortenDatePatterns }));
}

/** Removes `$schema` and `$id` from a schema. */
export function omitDocumentKeywords(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => name !== '$schema' && name !== '$id'));
}

/**
 * Creates the JSON Schema that is published at a path, such as `/schemas/x402-trust/1.0.0.json`; null for another path.
 */
export function findJsonSchema(path: string, baseUrl: string): JsonSchema | null {
  const entries = Object.entries(SCHEMAS);
  const name = (entries.find(([, published]) => published.path === path)?.[0] ?? null) as SchemaName | null;
  return name === null ? null : createJsonSchema(name, baseUrl);
}

/** JSON Schema draft 2020-12, the default of zod and OpenAPI 3.1. */
const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

const TIME_PATTERN = '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$';
const DATE_PATTERN = '^[0-9]{4}-[0-9]{2}-[0-9]{2}$';

/**
 * Replaces zod's patterns of times and dates by shorter ones. Zod's patterns contain all rules of the calendar, but the
 * keyword `format` already requires a valid date.
 */
export function shortenDatePatterns({
  jsonSchema,
}: {
  readonly jsonSchema: z.core.JSONSchema.BaseSchema;
}): void {
  if (jsonSchema.format === 'date-time') Object.assign(jsonSchema, { pattern: TIME_PATTERN });
  if (jsonSchema.format === 'date') Object.assign(jsonSchema, { pattern: DATE_PATTERN });
}
