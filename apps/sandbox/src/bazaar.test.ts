import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { bazaarExtension, outputSchemaV1, schemaOfExample } from './bazaar.ts';
import type { Json, JsonObject } from './json.ts';
import { loadScenario } from './load-scenario.ts';

const extensionSchema = z.object({
  info: z.record(z.string(), z.json()),
  schema: z.record(z.string(), z.json()),
  routeTemplate: z.string().optional(),
});
const satisfies = (schema: JsonObject, value: Json): boolean =>
  z.fromJSONSchema({ ...schema }).safeParse(value).success;

describe.each(loadScenario().endpoints.map((endpoint) => [endpoint.name, endpoint] as const))(
  '%s',
  (_, endpoint) => {
    const { info, schema, routeTemplate } = extensionSchema.parse(bazaarExtension(endpoint));

    test('declares an example that its schema accepts, and nothing else', () => {
      expect(satisfies(schema, info)).toBe(true);
      expect(
        satisfies(schema, {
          ...info,
          input: { ...z.record(z.string(), z.json()).parse(info['input']), method: 'PUT' },
        }),
      ).toBe(false);
    });

    test('declares a route pattern only where its path is a template', () => {
      expect(routeTemplate !== undefined).toBe(/[{]|%7B|\/:/.test(endpoint.url.replace('https://', '')));
    });
  },
);

test('a POST says how its body travels, a GET has query parameters', () => {
  const [get, post] = (['GET', 'POST'] as const).map((method) =>
    loadScenario().endpoints.find((each) => each.method === method && Object.keys(each.input).length > 0),
  );
  if (!get || !post) throw new Error('the scenario lacks a method');
  expect(bazaarExtension(get)).toMatchObject({ info: { input: { method: 'GET', queryParams: get.input } } });
  expect(bazaarExtension(post)).toMatchObject({
    info: { input: { method: 'POST', bodyType: 'json', body: post.input } },
  });
  expect(outputSchemaV1(get)).toMatchObject({
    input: { discoverable: true, queryParams: {} },
    output: get.output,
  });
  expect(outputSchemaV1(post)).toMatchObject({ input: { bodyType: 'json', bodyFields: {} } });
});

test('the schema of an example tells its types apart', () => {
  const schema = schemaOfExample({ a: 1, b: 'x', c: [true], d: null, e: [] });
  expect(satisfies(schema, { a: 2, b: 'y', c: [false], d: 'anything', e: [] })).toBe(true);
  expect(satisfies(schema, { a: '2' })).toBe(false);
  expect(satisfies(schema, { c: ['no'] })).toBe(false);
});
