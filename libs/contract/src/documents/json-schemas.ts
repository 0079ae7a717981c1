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

/** Texts of the published schemas, by their URL. */
const texts = new Map<string, string>();

/**
 * Returns the JSON Schema of a published schema as text. The text is created once, because the conversion of a large
 * schema takes several milliseconds.
 */
export function getJsonSchemaText(name: SchemaName, baseUrl: string): string {
  const url = toSchemaUrl(name, baseUrl);
  const text = texts.get(url) ?? JSON.stringify(createJsonSchema(name, baseUrl));
  texts.set(url, text);
  return text;
}

/**
 * Returns the text of the JSON Schema that is published at a path, such as `/schemas/x402-trust/1.0.0.json`; null for
 * another path.
 */
export function findJsonSchemaText(path: string, baseUrl: string): string | null {
  const name = SCHEMA_NAMES.find((each) => toSchemaPath(each) === path);
  return name === undefined ? null : getJsonSchemaText(name, baseUrl);
}

/** JSON Schema draft 2020-12, the default of zod and OpenAPI 3.1. */
const DIALECT = 'https://json-schema.org/draft/2020-12/schema';
