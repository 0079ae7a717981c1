import { z } from 'zod';

export type JsonSchema = Readonly<Record<string, unknown>>;

/** Schema that is published at a path of the service, with its title and an example. */
export interface PublishedSchema {
  readonly title: string;
  readonly description: string;
  /** Component name in the OpenAPI document. */
  readonly component: string;
  readonly schema: z.ZodType;
  /** True for the body of a request. In a request, members with a default value are optional. */
  readonly isRequest?: true;
  readonly example: unknown;
}

/** Published schemas by name. The name is a part of the path of the schema. */
export type PublishedSchemas = Readonly<Record<string, PublishedSchema>>;

/** Returns the path at which a schema is published. The schema at a published path never changes. */
export function toSchemaPath(name: string): string {
  return `/schemas/${name}/1.0.0.json`;
}

/**
 * Returns the canonical URL of a published schema. This URL is the `$id` of the schema and the `$schema` of a report.
 */
export function toSchemaUrl(name: string, baseUrl: string): string {
  return new URL(toSchemaPath(name), baseUrl).href;
}

/** Creates a JSON Schema without `$schema`, `$id` and references, for use inside another document. */
export function createInlineSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  return omitDocumentKeywords(z.toJSONSchema(schema, { io, override: shortenDatePatterns }));
}

/** Removes `$schema` and `$id` from a schema. */
export function omitDocumentKeywords(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => name !== '$schema' && name !== '$id'));
}

const TIME_PATTERN = '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$';
const DATE_PATTERN = '^[0-9]{4}-[0-9]{2}-[0-9]{2}$';

/**
 * Replaces zod's patterns of times and dates by shorter patterns. Zod's patterns contain all rules of the calendar, but
 * the keyword `format` already requires a valid date.
 */
export function shortenDatePatterns({
  jsonSchema,
}: {
  readonly jsonSchema: z.core.JSONSchema.BaseSchema;
}): void {
  if (jsonSchema.format === 'date-time') Object.assign(jsonSchema, { pattern: TIME_PATTERN });
  if (jsonSchema.format === 'date') Object.assign(jsonSchema, { pattern: DATE_PATTERN });
}
