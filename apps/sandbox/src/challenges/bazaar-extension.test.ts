import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Json, JsonObject } from '../parsing.ts';
import { loadScenario } from '../scenario/scenario-schema.ts';
import { createBazaarExtension, createOutputSchemaV1, inferSchema } from './bazaar-extension.ts';

const extensionSchema = z.object({
  info: z.record(z.string(), z.json()),
  schema: z.record(z.string(), z.json()),
  routeTemplate: z.string().optional(),
});

function isSatisfied(schema: JsonObject, value: Json): boolean {
  return z.fromJSONSchema({ ...schema }).safeParse(value).success;
}

describe.each(loadScenario().endpoints.map((endpoint) => [endpoint.name, endpoint] as const))(
  '%s',
  (_, endpoint) => {
    const { info, schema, routeTemplate } = extensionSchema.parse(createBazaarExtension(endpoint));

    test('declares an example that the schema accepts, and a schema that rejects another method', () => {
      expect(isSatisfied(schema, info)).toBe(true);
      expect(
        isSatisfied(schema, {
          ...info,
          input: { ...z.record(z.string(), z.json()).parse(info['input']), method: 'PUT' },
        }),
      ).toBe(false);
    });

    test('declares a route pattern only for a templated path', () => {
      expect(routeTemplate !== undefined).toBe(/[{]|%7B|\/:/.test(endpoint.url.replace('https://', '')));
    });
  },
);

test('declares the body of a POST request and the query parameters of a GET request', () => {
  const [get, post] = (['GET', 'POST'] as const).map((method) =>
    loadScenario().endpoints.find((each) => each.method === method && Object.keys(each.input).length > 0),
  );
  if (!get || !post) throw new Error('the scenario has no endpoint with input for one of the methods');
  expect(createBazaarExtension(get)).toMatchObject({
    info: { input: { method: 'GET', queryParams: get.input } },
  });
  expect(createBazaarExtension(post)).toMatchObject({
    info: { input: { method: 'POST', bodyType: 'json', body: post.input } },
  });
  expect(createOutputSchemaV1(get)).toMatchObject({
    input: { discoverable: true, queryParams: {} },
    output: get.output,
  });
  expect(createOutputSchemaV1(post)).toMatchObject({ input: { bodyType: 'json', bodyFields: {} } });
});

test('infers a schema that distinguishes types', () => {
  const schema = inferSchema({ a: 1, b: 'x', c: [true], d: null, e: [] });
  expect(isSatisfied(schema, { a: 2, b: 'y', c: [false], d: 'anything', e: [] })).toBe(true);
  expect(isSatisfied(schema, { a: '2' })).toBe(false);
  expect(isSatisfied(schema, { c: ['no'] })).toBe(false);
});
