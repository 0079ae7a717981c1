import { expect, test } from 'vitest';
import { readChallenge } from '../../read-challenge.ts';
import { BAZAAR_RULES } from './bazaar-rules.ts';
import { REQUEST_URL, v2Envelope, v2Response, type JsonObject } from '../../testing/fixtures.ts';
import { testRules } from '../../testing/test-rules.ts';
import type { Challenge } from '../../types.ts';

/** Value of the member `extensions`, and the requested URL. */
type Example = readonly [extensions: unknown, url?: string];

const OUTPUT = { type: 'json', example: { celsius: 21 } };
const HTTP = { type: 'http', method: 'GET', queryParams: { city: 'Bern' } };
const POST = { type: 'http', method: 'POST' };
const TOOL = { type: 'mcp', toolName: 'weather', inputSchema: {} };
/** Smallest schema that passes the rules on the discovery extension. */
const SCHEMA = { properties: { input: {} } };
const VALID = { info: { input: HTTP, output: OUTPUT }, schema: SCHEMA };

function read([extensions, url = REQUEST_URL]: Example): Challenge {
  return readChallenge(v2Response(v2Envelope({ extensions }), { url }));
}

/** Creates one example for each value of the discovery extension. */
function withBazaar(...values: readonly unknown[]): Example[] {
  return values.map((bazaar) => [{ bazaar }]);
}

function withInput(...inputs: readonly unknown[]): Example[] {
  return withBazaar(...inputs.map((input) => ({ ...VALID, info: { input, output: OUTPUT } })));
}

function withOutput(...outputs: readonly unknown[]): Example[] {
  return withBazaar(...outputs.map((output) => ({ ...VALID, info: { input: HTTP, output } })));
}

function withSchema(...schemas: readonly unknown[]): Example[] {
  return withBazaar(...schemas.map((schema) => ({ ...VALID, schema })));
}

/** Creates one example for each schema of the query parameter `city`. */
function withCitySchema(...schemas: readonly JsonObject[]): Example[] {
  const toSchema = (city: JsonObject): JsonObject => ({
    properties: { input: { properties: { queryParams: { properties: { city } } } } },
  });
  return withSchema(...schemas.map(toSchema));
}

function withTemplate(...templates: readonly unknown[]): Example[] {
  return withBazaar(...templates.map((routeTemplate) => ({ ...VALID, routeTemplate })));
}

function withTemplateAt(routeTemplate: string, ...paths: readonly string[]): Example[] {
  return paths.map((path) => [{ bazaar: { ...VALID, routeTemplate } }, `https://api.example.com${path}`]);
}

const TOOL_WITHOUT_OUTPUT = { ...VALID, info: { input: TOOL } };
const ONLY_GET = { properties: { input: { properties: { method: { enum: ['GET'] } } } } };

testRules<Example>({
  rules: BAZAAR_RULES,
  read,
  overlaps: {
    'bazaar-info': ['bazaar-schema'],
    'bazaar-info-validates': ['bazaar-body'],
    'bazaar-anonymous-params': ['bazaar-route-template'],
    'bazaar-route-template': ['bazaar-anonymous-params'],
    'bazaar-schema-local-refs': ['bazaar-schema'],
  },
  cases: {
    'bazaar-present': {
      pass: withBazaar(VALID),
      warning: withBazaar(undefined, null),
      skip: [['bazaar'], [[]]],
    },
    'bazaar-info': {
      pass: withBazaar(VALID),
      error: withBazaar('yes', [], {}, { ...VALID, info: { output: OUTPUT } }, { ...VALID, info: HTTP }),
      skip: withBazaar(undefined),
    },
    'bazaar-schema': {
      pass: withSchema(SCHEMA, { $defs: { info: SCHEMA }, $ref: '#/$defs/info' }),
      error: withSchema(...[undefined, true, {}, { properties: { output: {} } }], {
        properties: { input: { type: 'any' } },
      }),
      skip: [...withBazaar('yes'), ...withCitySchema({ pattern: '(' }), ...withSchema({ not: SCHEMA })],
    },
    'bazaar-schema-local-refs': {
      pass: withSchema({ $defs: { any: {} }, properties: { input: { $ref: '#/$defs/any' } } }),
      error: withSchema({ properties: { input: { $ref: 'https://example.com/input.json' } } }),
      skip: withSchema('none'),
    },
    'bazaar-info-validates': {
      pass: [...withBazaar(VALID), ...withCitySchema({ type: 'string' })],
      error: [
        ...withSchema({ ...SCHEMA, required: ['city'] }),
        ...withCitySchema({ type: 'number' }, { maxLength: 3 }),
        // POST without a body is only a warning, so `info` is still validated.
        ...withBazaar({ info: { input: POST, output: OUTPUT }, schema: { ...SCHEMA, required: ['x'] } }),
      ],
      skip: [
        ...withCitySchema({ pattern: '^B' }, { maxLength: 3, format: 'uuid' }),
        ...withCitySchema({ patternProperties: { '^b': false } }),
        // If another rule reports the input, the input is not also reported as a schema mismatch.
        ...withBazaar({ info: { input: { ...HTTP, method: 'get' }, output: OUTPUT }, schema: ONLY_GET }),
      ],
    },
    'bazaar-input-type': {
      pass: withInput(HTTP, TOOL),
      error: withInput({ method: 'GET' }, { ...HTTP, type: 'object' }),
      skip: withInput('http'),
    },
    'bazaar-method': {
      pass: withInput(HTTP),
      error: withInput({ type: 'http' }, { ...HTTP, method: 'post' }, { ...HTTP, method: 'OPTIONS' }),
      skip: withInput(TOOL),
    },
    'bazaar-body': {
      pass: withInput({ ...POST, bodyType: 'json', body: {} }),
      error: withInput(
        { ...HTTP, bodyType: 'json', body: {} },
        { ...HTTP, method: 'PUT', bodyType: 'xml', body: '' },
      ),
      // A missing body is only a warning, because directories list such routes.
      warning: withInput(POST, { ...POST, method: 'PATCH', bodyType: 'json' }),
      skip: withInput(HTTP, { ...HTTP, body: {} }),
    },
    'bazaar-mcp': {
      pass: withInput(TOOL, { ...TOOL, transport: 'sse' }, { type: 'mcp', tool: 'weather', inputSchema: {} }),
      error: withInput(
        ...[
          { type: 'mcp', inputSchema: {} },
          { type: 'mcp', toolName: 'weather' },
        ],
        ...[
          { ...TOOL, toolName: '' },
          { ...TOOL, transport: 'stdio' },
        ],
      ),
      skip: withBazaar(VALID),
    },
    'bazaar-output-type': {
      pass: withOutput(OUTPUT),
      warning: withOutput({ example: 1 }, { type: '', example: 1 }, 'json'),
      skip: withOutput(undefined),
    },
    'bazaar-output-example': {
      pass: withOutput(OUTPUT, { type: 'json', example: false }),
      info: [
        ...withOutput(undefined, null, { type: 'text' }),
        ...withBazaar({ ...VALID, info: { input: TOOL, output: { type: 'json' } } }),
      ],
      // MCP tools return text, so their output is optional.
      skip: [...withBazaar(undefined, TOOL_WITHOUT_OUTPUT)],
    },
    'bazaar-route-template': {
      pass: [
        ...withTemplate('/v1/:topic', '/:version/:topic', '/v1/weather'),
        // Paths are compared after percent-decoding.
        ...withTemplateAt('/caf%C3%A9/:id', '/café/7'),
        ...withTemplateAt('/a/:id', '/a/7/'),
        // `:var1` stands for a wildcard, so this template also matches several path segments or none.
        ...withTemplateAt('/wild/:var1', '/wild/a', '/wild/a/b/c', '/wild'),
      ],
      error: [
        ...withTemplate('/v1/weather-:city', '/v1/models:predict', '', 7, 'v1/:topic', '/v1/[topic]'),
        ...withTemplate('/v1/%2e%2e/:topic', '/v1/:...topic', '/https%3A//:topic', '/v1/%', '/v2/:topic'),
        ...withTemplate('/v1/:topic/:city'),
        ...withTemplateAt('/wild/:var1', '/tame/a'),
      ],
      skip: withTemplate(undefined, null),
    },
    'bazaar-anonymous-params': {
      pass: withTemplate('/v1/:topic', '/v1/:variant'),
      warning: [
        ...withTemplate('/v1/:var1', '/:var1/:topic'),
        ...withTemplateAt('/wild/:var1', '/wild/a/b', '/tame/a'),
      ],
      skip: withBazaar(VALID),
    },
  },
});

test('a rule that applies but was not evaluated gives the reason', () => {
  const [example = ['none']] = withCitySchema({ pattern: '^B' });
  const { checks } = read(example);
  const reasons = checks.flatMap(({ id, skipReason }) =>
    skipReason === undefined ? [] : [[id, skipReason]],
  );
  expect(reasons).toEqual([
    ['bazaar-schema', 'bazaar.schema has the keyword "pattern", which this rule does not check.'],
    ['bazaar-info-validates', 'bazaar.schema has the keyword "pattern", which this rule does not evaluate.'],
  ]);
});

test('discovery rules do not change the verdict', () => {
  expect(read([{ bazaar: 'yes' }]).verdict).toBe('pass');
});
