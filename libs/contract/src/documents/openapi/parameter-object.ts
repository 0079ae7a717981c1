import type { Parameter } from '../../operations/operation.ts';
import { createInlineSchema, type JsonSchema } from '../../schemas/json-schema.ts';

/** Creates the OpenAPI description of a parameter: a Parameter Object (OpenAPI 3.1.0, section 4.8.12). */
export function createParameterObject({
  in: place,
  name,
  description,
  schema,
  example,
}: Parameter): JsonSchema {
  return {
    name,
    in: place,
    // OpenAPI requires every path parameter to be required. Query parameters of this API are optional.
    required: place === 'path',
    description,
    schema: createInlineSchema(schema, 'input'),
    example,
  };
}
