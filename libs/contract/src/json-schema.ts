import { z } from 'zod';
import { SCHEMAS, type SchemaName } from './schemas.ts';

export type JsonSchema = Readonly<Record<string, unknown>>;

/** The canonical address of a schema, which is its `$id` and a report's `$schema`. */
export function schemaUrl(name: SchemaName, baseUrl: string): string {
  return new URL(SCHEMAS[name].path, baseUrl).href;
}

/**
 * A schema as JSON Schema, draft 2020-12, with an example.
 *
 * @param baseUrl address of the service that serves it, which makes its `$id`
 */
export function jsonSchemaOf(name: SchemaName, baseUrl: string): JsonSchema {
  const { title, description, schema, io, example } = SCHEMAS[name];
  return {
    $schema: DIALECT,
    $id: schemaUrl(name, baseUrl),
    title,
    description,
    ...partialSchema(schema, io),
    examples: [example],
  };
}

/** A schema as part of a document, which says itself in which dialect it is. It refers to nothing. */
export function partialSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  return within(z.toJSONSchema(schema, { io, override: shorten }));
}

/** A generated schema without what says where it is and in which dialect. */
export function within(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => name !== '$schema' && name !== '$id'));
}

/** The schema that is served at a path, such as `/schemas/x402-trust/1.0.0.json`; null where there is none. */
export function jsonSchemaAt(path: string, baseUrl: string): JsonSchema | null {
  const entries = Object.entries(SCHEMAS);
  const name = (entries.find(([, published]) => published.path === path)?.[0] ?? null) as SchemaName | null;
  return name === null ? null : jsonSchemaOf(name, baseUrl);
}

/** The dialect that zod writes where it is not asked for another, and that of OpenAPI 3.1. */
const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

const MOMENT = '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$';
const DAY = '^[0-9]{4}-[0-9]{2}-[0-9]{2}$';

/** Zod writes the whole calendar into the pattern of a time, which `format` says in a word. */
export function shorten({ jsonSchema }: { readonly jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.format === 'date-time') Object.assign(jsonSchema, { pattern: MOMENT });
  if (jsonSchema.format === 'date') Object.assign(jsonSchema, { pattern: DAY });
}
