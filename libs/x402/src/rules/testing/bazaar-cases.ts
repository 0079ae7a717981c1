import type { RuleCases, RuleExample } from './rule-case.ts';
import { v2Envelope, v2Response, type JsonObject } from '../../testing/fixtures.ts';

const DRAFT = 'https://json-schema.org/draft/2020-12/schema';

/** Smallest schema that passes the rules on the discovery extension. */
const MIN_SCHEMA = { $schema: DRAFT, properties: { input: {} } };

/** Creates the schema of a discovery extension. The schema defines the given properties of `input`. */
function toSchema(properties: JsonObject, required: readonly string[]): JsonObject {
  return {
    $schema: DRAFT,
    type: 'object',
    properties: {
      input: { type: 'object', properties, required, additionalProperties: false },
      output: { type: 'object', properties: { type: { type: 'string' } }, required: ['type'] },
    },
    required: ['input'],
  };
}

const OUTPUT = { type: 'json', example: { celsius: 21 } };

/** Complete discovery extension of a GET resource with query parameters. */
const QUERY: JsonObject = {
  info: { input: { type: 'http', method: 'GET', queryParams: { city: 'Bern' } }, output: OUTPUT },
  schema: toSchema({ type: { const: 'http' }, method: { enum: ['GET'] }, queryParams: { type: 'object' } }, [
    'type',
    'method',
  ]),
};

const BODY_SCHEMA = toSchema(
  {
    type: { const: 'http' },
    method: { enum: ['POST'] },
    bodyType: { enum: ['json'] },
    body: { type: 'object' },
  },
  ['type', 'method'],
);

const TOOL_SCHEMA = toSchema(
  { type: { const: 'mcp' }, toolName: { type: 'string' }, inputSchema: { type: 'object' } },
  ['type', 'toolName', 'inputSchema'],
);

function withBazaar(bazaar: unknown): RuleExample {
  return { response: v2Response(v2Envelope({ extensions: { bazaar } })) };
}

function withQuery(change: JsonObject): RuleExample {
  return withBazaar({ ...QUERY, ...change });
}

function withInput(input: unknown, schema: unknown = MIN_SCHEMA): RuleExample {
  return withBazaar({ info: { input, output: OUTPUT }, schema });
}

function withOutput(output: unknown): RuleExample {
  return withBazaar({ info: { input: { type: 'http', method: 'GET' }, output }, schema: MIN_SCHEMA });
}

const valid = withBazaar(QUERY);
const none: RuleExample = { response: v2Response() };

/** Example responses for the rules on the discovery extension. */
export const BAZAAR_CASES: RuleCases = {
  'bazaar-present': {
    pass: valid,
    fail: none,
    skip: { response: v2Response(v2Envelope({ extensions: 'bazaar' })) },
  },
  'bazaar-info': {
    pass: valid,
    fail: withBazaar({ info: { method: 'GET' }, schema: MIN_SCHEMA }),
    skip: none,
  },
  'bazaar-schema': {
    pass: valid,
    fail: withQuery({ schema: {} }),
    skip: withBazaar('yes'),
  },
  'bazaar-schema-local-refs': {
    pass: withQuery({ schema: { $defs: { any: {} }, properties: { input: { $ref: '#/$defs/any' } } } }),
    fail: withQuery({ schema: { properties: { input: { $ref: 'https://example.com/input.json' } } } }),
    skip: withQuery({ schema: 'none' }),
  },
  'bazaar-info-validates': {
    pass: valid,
    fail: withQuery({ schema: toSchema({ type: { const: 'http' } }, ['type', 'city']) }),
    skip: withQuery({ schema: { properties: { input: { patternProperties: { '^city$': {} } } } } }),
  },
  'bazaar-input-type': {
    pass: valid,
    fail: withInput({ type: 'object', method: 'GET' }),
    skip: withInput('http'),
  },
  'bazaar-method': {
    pass: valid,
    fail: withInput({ type: 'http', method: 'get' }),
    skip: withInput({ type: 'mcp', toolName: 'weather', inputSchema: {} }),
  },
  'bazaar-body': {
    pass: withInput({ type: 'http', method: 'POST', bodyType: 'json', body: { city: 'Bern' } }, BODY_SCHEMA),
    fail: withInput({ type: 'http', method: 'POST', bodyType: 'xml', body: '<city/>' }, BODY_SCHEMA),
    skip: valid,
  },
  'bazaar-mcp': {
    pass: withInput({ type: 'mcp', toolName: 'weather', inputSchema: { type: 'object' } }, TOOL_SCHEMA),
    fail: withInput({ type: 'mcp', toolName: '', inputSchema: { type: 'object' } }, TOOL_SCHEMA),
    skip: valid,
  },
  'bazaar-output-type': {
    pass: valid,
    fail: withOutput({ example: { celsius: 21 } }),
    skip: withOutput(undefined),
  },
  'bazaar-output-example': {
    pass: valid,
    fail: withOutput({ type: 'json' }),
    skip: none,
  },
  'bazaar-route-template': {
    pass: withQuery({ routeTemplate: '/v1/:topic' }),
    fail: withQuery({ routeTemplate: '/v2/:topic' }),
    skip: valid,
  },
  'bazaar-anonymous-params': {
    pass: withQuery({ routeTemplate: '/v1/:topic' }),
    fail: withQuery({ routeTemplate: '/v1/:var1' }),
    skip: valid,
  },
};
