import { z } from 'zod';
import { keySetSchema } from './signature.ts';
import { TRUST_SCHEMA_TYPE, TRUST_SCHEMA_VERSION, trustReportSchema } from './trust-report.ts';

interface PublishedSchema {
  readonly title: string;
  readonly description: string;
  /** Below the base address of a service; a path once published never means another schema. */
  readonly path: string;
  readonly schema: z.ZodType;
}

/** Every schema that is served, by name. */
export const SCHEMAS = {
  'x402-trust': {
    title: 'Trust report',
    description: 'What is known of one x402 endpoint, and whether it deserves to be paid.',
    path: `/schemas/${TRUST_SCHEMA_TYPE}/${TRUST_SCHEMA_VERSION}.json`,
    schema: trustReportSchema,
  },
  'key-set': {
    title: 'Key set',
    description: 'The public keys that reports are signed with.',
    path: '/schemas/key-set/1.0.0.json',
    schema: keySetSchema,
  },
} as const satisfies Readonly<Record<string, PublishedSchema>>;

export type SchemaName = keyof typeof SCHEMAS;
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The canonical address of a schema, which is its `$id` and a report's `$schema`. */
export function schemaUrl(name: SchemaName, baseUrl: string): string {
  return new URL(SCHEMAS[name].path, baseUrl).href;
}

/**
 * A schema as JSON Schema, draft 2020-12.
 *
 * @param baseUrl address of the service that serves it, which makes its `$id`
 */
export function jsonSchemaOf(name: SchemaName, baseUrl: string): JsonSchema {
  const { title, description, schema } = SCHEMAS[name];
  const { $schema, ...rest } = z.toJSONSchema(schema, { target: 'draft-2020-12', override: shorten });
  return { $schema, $id: schemaUrl(name, baseUrl), title, description, ...rest };
}

/** The schema that is served at a path, such as `/schemas/x402-trust/1.0.0.json`; null where there is none. */
export function jsonSchemaAt(path: string, baseUrl: string): JsonSchema | null {
  const entries = Object.entries(SCHEMAS);
  const name = (entries.find(([, published]) => published.path === path)?.[0] ?? null) as SchemaName | null;
  return name === null ? null : jsonSchemaOf(name, baseUrl);
}

const MOMENT = '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$';

/** Zod writes the whole calendar into the pattern of a time, which `format` says in a word. */
function shorten({ jsonSchema }: { readonly jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.format === 'date-time') Object.assign(jsonSchema, { pattern: MOMENT });
}
