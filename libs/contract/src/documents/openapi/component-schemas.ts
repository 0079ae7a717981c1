import { z } from 'zod';
import { shortenDatePatterns, omitDocumentKeywords, type JsonSchema } from '../../schemas/json-schema.ts';
import { SCHEMAS, type SchemaName } from '../../schemas/schemas.ts';

export function createSchemaRef(name: SchemaName): { readonly $ref: string } {
  return { $ref: toRef(SCHEMAS[name].component) };
}

function toRef(component: string): string {
  return `#/components/schemas/${component}`;
}

/**
 * Creates the JSON Schemas of all published schemas, by their component name in the OpenAPI document. They contain
 * references to each other.
 */
export function createComponentSchemas(): Readonly<Record<string, JsonSchema>> {
  return { ...createSchemas('output'), ...createSchemas('input') };
}

function createSchemas(io: 'input' | 'output'): Readonly<Record<string, JsonSchema>> {
  const published = Object.values(SCHEMAS).filter((entry) => entry.io === io);
  const registry = z.registry<{ readonly id: string }>();
  for (const { schema, component } of published) registry.add(schema, { id: component });
  const { schemas } = z.toJSONSchema(registry, { io, uri: toRef, override: shortenDatePatterns });
  return Object.fromEntries(
    published.map(({ component, title, description, example }) => [
      component,
      { title, description, ...omitDocumentKeywords({ ...schemas[component] }), examples: [example] },
    ]),
  );
}
