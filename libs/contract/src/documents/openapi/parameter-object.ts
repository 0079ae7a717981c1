import type { Parameter } from '../../operations/operation.ts';
import { createInlineSchema, type JsonSchema } from '../../schemas/json-schema.ts';

/** Creates the OpenAPI description of a parameter: a Parameter Object (OpenAPI 3.1.0, section 4.8.12). */
export function createParameterObject({
  in: place,
  name,
  required,
  description,
  schema,
  example,
}: Parameter): JsonSchema {
  return {
    name,
    in: place,
    required,
    description,
    schema: createInlineSchema(schema, 'input'),
    example,
  };
}
