import { isJsonList, isJsonObject } from './json.ts';
import type { Json, JsonObject } from './json.ts';
import { routeTemplate, templateParameters } from './path-template.ts';
import type { Endpoint } from './scenario-schema.ts';

const DRAFT = 'https://json-schema.org/draft/2020-12/schema';

/** A JSON Schema that the example itself satisfies. */
export const schemaOfExample = (example: Json): JsonObject => {
  if (isJsonList(example)) {
    const [first] = example;
    return first === undefined ? { type: 'array' } : { type: 'array', items: schemaOfExample(first) };
  }
  if (example === null) return {};
  if (isJsonObject(example)) {
    const properties = Object.entries(example).map(
      ([name, value]) => [name, schemaOfExample(value)] as const,
    );
    return { type: 'object', properties: Object.fromEntries(properties) };
  }
  return { type: typeof example };
};

const pathOf = (endpoint: Endpoint): string => endpoint.url.replace(/^https:\/\/[^/]+/, '');

const inputInfo = (endpoint: Endpoint): JsonObject => ({
  type: 'http',
  method: endpoint.method,
  ...(endpoint.method === 'POST'
    ? { bodyType: 'json', body: endpoint.input }
    : { queryParams: endpoint.input }),
  ...(Object.keys(endpoint.path).length > 0 ? { pathParams: endpoint.path } : {}),
});

const inputSchema = (info: JsonObject): JsonObject => {
  const { type, method, bodyType, ...carried } = info;
  const properties = Object.entries(carried).map(
    ([name, value]) => [name, schemaOfExample(value ?? null)] as const,
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
};

/**
 * The discovery extension of an endpoint's v2 challenge (x402 bazaar extension): `info` says how to call it with an
 * example, `schema` is a JSON Schema that `info` satisfies.
 */
export const bazaarExtension = (endpoint: Endpoint): JsonObject => {
  const input = inputInfo(endpoint);
  const path = pathOf(endpoint);
  return {
    info: { input, output: { type: 'json', example: endpoint.output } },
    schema: {
      $schema: DRAFT,
      type: 'object',
      properties: {
        input: inputSchema(input),
        output: {
          type: 'object',
          properties: { type: { type: 'string' }, example: schemaOfExample(endpoint.output) },
          required: ['type'],
        },
      },
      required: ['input'],
    },
    ...(templateParameters(path).length > 0 ? { routeTemplate: routeTemplate(path) } : {}),
  };
};

/** What a v1 offer says about calling the endpoint: its `outputSchema` member (x402 v1 specification 5.1). */
export const outputSchemaV1 = (endpoint: Endpoint): JsonObject => {
  const fields = Object.fromEntries(
    Object.entries(endpoint.input).map(
      ([name, value]) => [name, { ...schemaOfExample(value), required: true }] as const,
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
};
