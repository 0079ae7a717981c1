import { isJsonList, isJsonObject, type Json, type JsonObject } from '../parsing.ts';
import { parseTemplateParameters, toRouteTemplate } from '../scenario/path-template.ts';
import type { EndpointDefinition } from '../scenario/scenario-schema.ts';

const DRAFT = 'https://json-schema.org/draft/2020-12/schema';

export function inferSchema(example: Json): JsonObject {
  if (isJsonList(example)) {
    const [first] = example;
    return first === undefined ? { type: 'array' } : { type: 'array', items: inferSchema(first) };
  }
  if (example === null) return {};
  if (isJsonObject(example)) {
    const properties = Object.entries(example).map(([name, value]) => [name, inferSchema(value)] as const);
    return { type: 'object', properties: Object.fromEntries(properties) };
  }
  return { type: typeof example };
}

function createInputInfo(endpoint: EndpointDefinition): JsonObject {
  return {
    type: 'http',
    method: endpoint.method,
    ...(endpoint.method === 'POST'
      ? { bodyType: 'json', body: endpoint.input }
      : { queryParams: endpoint.input }),
    ...(Object.keys(endpoint.path).length > 0 ? { pathParams: endpoint.path } : {}),
  };
}

function createInputSchema(info: JsonObject): JsonObject {
  const { type, method, bodyType, ...carried } = info;
  const properties = Object.entries(carried).map(
    ([name, value]) => [name, inferSchema(value ?? null)] as const,
  );
  return {
    type: 'object',
    properties: {
      type: { type: 'string', const: type ?? 'http' },
      method: { type: 'string', enum: [method ?? 'GET'] },
      ...(bodyType === undefined ? {} : { bodyType: { type: 'string', enum: [bodyType] } }),
      ...Object.fromEntries(properties),
    },
    required: ['type', 'method', ...(bodyType === undefined ? [] : ['bodyType', 'body'])],
    additionalProperties: false,
  };
}

/**
 * Creates the discovery extension of a v2 challenge (x402 bazaar extension). The member `info` describes an example
 * call, and the member `schema` is a JSON Schema that `info` satisfies.
 */
export function createBazaarExtension(endpoint: EndpointDefinition): JsonObject {
  const input = createInputInfo(endpoint);
  const path = endpoint.url.replace(/^https:\/\/[^/]+/, '');
  return {
    info: { input, output: { type: 'json', example: endpoint.output } },
    schema: {
      $schema: DRAFT,
      type: 'object',
      properties: {
        input: createInputSchema(input),
        output: {
          type: 'object',
          properties: { type: { type: 'string' }, example: inferSchema(endpoint.output) },
          required: ['type'],
        },
      },
      required: ['input'],
    },
    ...(parseTemplateParameters(path).length > 0 ? { routeTemplate: toRouteTemplate(path) } : {}),
  };
}

/**
 * Creates the `outputSchema` of a v1 `accepts` entry, which describes the request and the response (x402 v1
 * specification 5.1).
 */
export function createOutputSchemaV1(endpoint: EndpointDefinition): JsonObject {
  const fields = Object.fromEntries(
    Object.entries(endpoint.input).map(
      ([name, value]) => [name, { ...inferSchema(value), required: true }] as const,
    ),
  );
  return {
    input: {
      type: 'http',
      method: endpoint.method,
      discoverable: true,
      ...(endpoint.method === 'POST' ? { bodyType: 'json', bodyFields: fields } : { queryParams: fields }),
    },
    output: endpoint.output,
  };
}
