import { z } from 'zod';
import type { Operation } from '../operations/operation.ts';
import { createInlineSchema, type JsonSchema } from '../schemas/json-schema.ts';

/** Members of an operation that its challenge describes. */
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
 * Creates the x402 bazaar extension of a challenge, which describes an operation to directories and agents. It contains
 * the schema and an example of the body, and the schema of the query parameters. For the output, it contains an
 * abridged example and the types of the members. The output schema is shortened because a challenge is a header, and
 * many servers and proxies limit headers to 8 KB. The full output schemas are published at `/schemas`.
 *
 * The example has no query parameters: directories and agents send it as it is, and get the default result. A route with
 * path parameters is described by its template and by example values.
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
        properties: { type: { type: 'string' }, example: createOutline(response.schema) },
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
 * an operation without a body has an empty object, which is not read.
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
        body: requestBody === null ? { type: 'object' } : createInlineSchema(requestBody.schema, 'input'),
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

/** Creates the schema of parameters by name. */
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

const typedSchema = z.looseObject({ type: z.unknown().optional(), anyOf: z.array(z.unknown()).optional() });

/** Returns the type of a JSON Schema: one name, or a list for a union. */
function readType(schema: unknown): unknown {
  const { type, anyOf } = typedSchema.parse(schema);
  if (type !== undefined) return type;
  const types = (anyOf ?? []).map(readType).filter((each) => typeof each === 'string');
  return types.length > 0 ? [...new Set(types)] : undefined;
}

/** Returns a short JSON Schema of an output, with the type of each member only. */
function createOutline(schema: z.ZodType): JsonSchema {
  const { properties } = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' });
  const members = Object.entries(properties ?? {}).map(([name, member]) => {
    const type = readType(member);
    return [name, type === undefined ? {} : { type }] as const;
  });
  return { type: 'object', properties: Object.fromEntries(members) };
}
