import { z } from 'zod';
import { shorten, within, type JsonSchema } from '../json-schema.ts';
import { SCHEMAS, type SchemaName } from '../schemas.ts';

/** Where the document keeps a schema. */
export function schemaRef(name: SchemaName): { readonly $ref: string } {
  return { $ref: refOf(SCHEMAS[name].component) };
}

function refOf(component: string): string {
  return `#/components/schemas/${component}`;
}

/** Every published schema, by its name in the document; one that is part of another is referred to. */
export function componentSchemas(): Readonly<Record<string, JsonSchema>> {
  return { ...schemasOf('output'), ...schemasOf('input') };
}

function schemasOf(io: 'input' | 'output'): Readonly<Record<string, JsonSchema>> {
  const published = Object.values(SCHEMAS).filter((entry) => entry.io === io);
  const registry = z.registry<{ readonly id: string }>();
  for (const { schema, component } of published) registry.add(schema, { id: component });
  const { schemas } = z.toJSONSchema(registry, { io, uri: refOf, override: shorten });
  return Object.fromEntries(
    published.map(({ component, title, description, example }) => [
      component,
      { title, description, ...within({ ...schemas[component] }), examples: [example] },
    ]),
  );
}
