import {
  createInlineSchema,
  toSchemaPath,
  toSchemaUrl,
  type JsonSchema,
  type PublishedSchema,
} from '../shared/json-schema.ts';
import { SCHEMAS, type SchemaName } from '../operations/operations.ts';

/** Names of all published schemas. `SCHEMAS` has exactly the keys of its type, so the cast is safe. */
export const SCHEMA_NAMES = Object.keys(SCHEMAS) as SchemaName[];

/**
 * Creates the JSON Schema (draft 2020-12) of a published schema, including an example.
 *
 * @param baseUrl public origin of the service; it is part of the schema's `$id`
 */
export function createJsonSchema(name: SchemaName, baseUrl: string): JsonSchema {
  const { title, description, schema, isRequest, example }: PublishedSchema = SCHEMAS[name];
  return {
    $schema: DIALECT,
    $id: toSchemaUrl(name, baseUrl),
    title,
    description,
    ...createInlineSchema(schema, isRequest ? 'input' : 'output'),
    examples: [example],
  };
}

/**
 * Creates the JSON Schema that is published at a path, such as `/schemas/x402-trust/1.0.0.json`; null for another path.
 */
export function findJsonSchema(path: string, baseUrl: string): JsonSchema | null {
  const name = SCHEMA_NAMES.find((each) => toSchemaPath(each) === path);
  return name === undefined ? null : createJsonSchema(name, baseUrl);
}

/** JSON Schema draft 2020-12, the default of zod and OpenAPI 3.1. */
const DIALECT = 'https://json-schema.org/draft/2020-12/schema';
