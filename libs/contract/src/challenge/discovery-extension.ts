import { z } from 'zod';
import type { Operation } from '../operations/operation-model.ts';
import { createInlineSchema, omitDocumentKeywords, type JsonSchema } from '../shared/json-schema.ts';

/** Members of `Operation` that a challenge describes. */
export type DescribedOperation = Pick<
  Operation,
  | 'method'
  | 'path'
  | 'parameters'
  | 'description'
  | 'tags'
  | 'priceUsd'
  | 'requestBody'
  | 'response'
  | 'outputExample'
>;

/**
 * Creates the x402 bazaar extension of a challenge. This extension describes an operation to directories and agents.
 * The extension contains the schema and an example of the body, the schema of the query parameters, and a shortened
 * example of the response. The schemas are short, because a challenge is a header. nginx refuses a response whose
 * headers are longer than 4 KiB by default, and clients repeat the extension in their payment. The full schemas are
 * published at `/schemas`.
 *
 * The example has no query parameters: directories and agents send the example unchanged, and get the default result. A
 * route with path parameters is described by its template and by example values.
 */
export function createDiscoveryExtension(operation: DescribedOperation): { readonly bazaar: JsonSchema } {
  const { method, path, requestBody, response, outputExample } = operation;
  const body = hasBody(operation) ? { bodyType: 'json', body: requestBody?.example ?? {} } : {};
  const params = listPathParameters(operation);
  const values = Object.fromEntries(params.map(({ name, example }) => [name, example]));
  const info = {
    input: { type: 'http', method, ...body, ...(params.length === 0 ? {} : { pathParams: values }) },
    output: { type: 'json', example: outputExample ?? response.example },
  };
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      input: createInputSchema(operation),
      output: {
        type: 'object',
        properties: { type: { type: 'string' }, example: { type: 'object' } },
        required: ['type'],
      },
    },
    required: ['input'],
  };
  const routeTemplate = path.replaceAll(/\{(\w+)\}/g, ':$1');
  return { bazaar: { ...(params.length === 0 ? {} : { routeTemplate }), info, schema } };
}

/**
 * Returns true for an operation whose extension describes a body. The extension requires a body for POST and PATCH, so
 * the extension of an operation without a body describes an empty object. The service does not read this object.
 */
function hasBody({ method }: DescribedOperation): boolean {
  return method === 'POST' || method === 'PATCH';
}

function listPathParameters({ parameters }: DescribedOperation): Operation['parameters'] {
  return parameters.filter(({ in: place }) => place === 'path');
}

function createInputSchema(operation: DescribedOperation): JsonSchema {
  const { method, parameters, requestBody } = operation;
  const query = parameters.filter(({ in: place }) => place === 'query');
  const path = listPathParameters(operation);
  const body = hasBody(operation)
    ? {
        bodyType: { type: 'string', enum: ['json'] },
        body: requestBody === null ? { type: 'object' } : createShortSchema(requestBody.schema),
      }
    : {};
  const members = {
    type: { type: 'string', const: 'http' },
    method: { type: 'string', enum: [method] },
    ...body,
    ...(path.length === 0 ? {} : { pathParams: createParametersSchema(path) }),
  };
  return {
    type: 'object',
    properties: {
      ...members,
      ...(query.length === 0 ? {} : { queryParams: createParametersSchema(query) }),
    },
    required: Object.keys(members),
    additionalProperties: false,
  };
}

function createParametersSchema(parameters: Operation['parameters']): JsonSchema {
  const properties = parameters.map(
    ({ name, schema, description }) =>
      [name, { ...createInlineSchema(schema, 'input'), description }] as const,
  );
  const required = parameters.filter((parameter) => parameter.required).map(({ name }) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length === 0 ? {} : { required }),
  };
}

/** Long keywords that the schema of a body omits. The published schemas contain these keywords. */
const LONG_KEYWORDS = ['pattern', 'maxLength', 'maxItems', 'uniqueItems', 'examples', 'default'] as const;

/** Keywords that the schemas of the members of a body omit. */
const NESTED_KEYWORDS = ['properties', 'required', 'additionalProperties', 'anyOf'] as const;

/** Keywords that the schema of the items of an array omits, so that it states only their type. */
const ITEM_KEYWORDS = ['description', 'enum'] as const;

/**
 * Creates the JSON Schema of a body with the types and descriptions of its members. The short schema only omits
 * keywords, so it accepts every body that the published schema accepts.
 */
export function createShortSchema(schema: z.ZodType): JsonSchema {
  const short = z.toJSONSchema(schema, {
    io: 'input',
    override: ({ jsonSchema, path }) => {
      const omitted = [
        ...LONG_KEYWORDS,
        ...(path.length === 0 ? [] : NESTED_KEYWORDS),
        ...(path.at(-1) === 'items' ? ITEM_KEYWORDS : []),
      ];
      for (const keyword of omitted) Reflect.deleteProperty(jsonSchema, keyword);
    },
  });
  return omitDocumentKeywords(short);
}
