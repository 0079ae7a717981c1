import { z } from 'zod';
import { DOCUMENT, FREE_GET, type Operation } from '../operation-model.ts';

const openApiSchema = z.looseObject({
  openapi: z.literal('3.1.0').describe('Version of the OpenAPI specification.'),
  info: z
    .looseObject({ version: z.string().describe('Version of the interface.') })
    .describe('Metadata of the API.'),
  paths: z.record(z.string(), z.unknown()).describe('The operations.'),
});

export const openApiDocumentOperation: Operation = {
  ...FREE_GET,
  id: 'getOpenApiDocument',
  path: '/openapi.json',
  summary: 'OpenAPI document of this API',
  description:
    'This document: OpenAPI 3.1.0, generated from the schemas that validate requests and responses.',
  tags: ['reference'],
  response: {
    schema: openApiSchema,
    published: null,
    example: { openapi: '3.1.0', info: { title: 'Touchstone', version: '2.0.0' }, paths: {} },
  },
  isCacheableDocument: true,
  problems: DOCUMENT,
};

export function createSchemaOperation(names: readonly string[]): Operation {
  return {
    ...FREE_GET,
    id: 'getSchema',
    path: '/schemas/{name}/{file}',
    parameters: [
      {
        in: 'path',
        name: 'name',
        required: true,
        description: 'Name of the schema.',
        schema: z.enum(names),
        example: 'x402-trust',
      },
      {
        in: 'path',
        name: 'file',
        required: true,
        description: 'Version of the schema, followed by .json.',
        schema: z
          .string()
          .max(40)
          .regex(/^[0-9]+\.[0-9]+\.[0-9]+\.json$/),
        example: '1.0.0.json',
      },
    ],
    summary: 'One JSON Schema',
    description: 'The JSON Schema, draft 2020-12, of a request or response body. Its $id is its URL.',
    tags: ['reference'],
    response: {
      schema: z.looseObject({
        $schema: z.string().describe('URL of the JSON Schema dialect.'),
        $id: z.string().describe('URL of this schema.'),
      }),
      published: null,
      example: {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        $id: 'https://touchstone.example/schemas/x402-trust/1.0.0.json',
        type: 'object',
      },
    },
    isCacheableDocument: true,
    problems: ['unknown-resource', ...DOCUMENT],
  };
}
