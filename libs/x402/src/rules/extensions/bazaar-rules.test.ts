import { describe, expect, test } from 'vitest';
import { readChallenge } from '../../challenge/read-challenge.ts';
import {
  getCheck,
  listFailures,
  getResult,
  REQUEST_URL,
  v2Envelope,
  v2Response,
  type JsonObject,
} from '../../testing/fixtures.ts';
import type { Challenge } from '../../types.ts';

function read(bazaar: unknown, url = REQUEST_URL): Challenge {
  return readChallenge(v2Response(v2Envelope({ extensions: { bazaar } }), { url }));
}

const OUTPUT = { type: 'json', example: { celsius: 21 } };
const HTTP = { type: 'http', method: 'GET' };
/** Smallest schema that passes the rules on the discovery extension. */
const SCHEMA = { properties: { input: {} } };
const TOOL = { type: 'mcp', toolName: 'weather', inputSchema: {} };

function withInput(input: JsonObject): Challenge {
  return read({ info: { input, output: OUTPUT }, schema: SCHEMA });
}

/** Returns the ids of the failed discovery rules. */
function faults(challenge: Challenge): string[] {
  return listFailures(challenge).filter((id) => id.startsWith('bazaar-'));
}

test.each<[string, unknown, string[]]>([
  ['undefined as value', undefined, ['bazaar-present']],
  ['null as value', null, ['bazaar-present']],
  ['a string as value', 'yes', ['bazaar-info']],
  ['a list as value', [], ['bazaar-info']],
  ['no members', {}, ['bazaar-info', 'bazaar-schema']],
  ['no input', { info: { output: OUTPUT }, schema: SCHEMA }, ['bazaar-info']],
  ['no schema', { info: { input: HTTP, output: OUTPUT } }, ['bazaar-schema']],
  ['true as schema', { info: { input: HTTP, output: OUTPUT }, schema: true }, ['bazaar-schema']],
  ['an empty schema', { info: { input: HTTP, output: OUTPUT }, schema: {} }, ['bazaar-schema']],
  [
    'a schema for the output only',
    { info: { input: HTTP, output: OUTPUT }, schema: { properties: { output: {} } } },
    ['bazaar-schema'],
  ],
  [
    'a schema for the input by reference',
    {
      info: { input: HTTP, output: OUTPUT },
      schema: { $defs: { info: SCHEMA }, $ref: '#/$defs/info' },
    },
    [],
  ],
  [
    'a pattern that is not a regular expression',
    { info: { input: HTTP, output: OUTPUT }, schema: { properties: { input: { pattern: '(' } } } },
    ['bazaar-schema'],
  ],
])('an extension with %s', (...[, bazaar, expected]) => {
  expect(faults(read(bazaar))).toEqual(expected);
});

test('extensions that are not an object skip the discovery rules', () => {
  const challenge = readChallenge(v2Response(v2Envelope({ extensions: [] })));
  expect(faults(challenge)).toEqual([]);
});

describe('a schema with keywords that are not evaluated', () => {
  const CITY = { type: 'http', method: 'GET', queryParams: { city: 'Bern' } };
  const validateCity = (city: JsonObject): string => {
    const queryParams = { properties: { city } };
    const schema = { properties: { input: { properties: { queryParams } } } };
    return getResult(read({ info: { input: CITY, output: OUTPUT }, schema }), 'bazaar-info-validates');
  };

  test.each<[JsonObject, string]>([
    [{ type: 'string' }, 'pass'],
    [{ pattern: '^B' }, 'skip'],
    [{ pattern: '^[a-z]+$' }, 'skip'],
    [{ format: 'uuid' }, 'skip'],
    [{ patternProperties: { '^b': false } }, 'skip'],
    [{ type: 'number', pattern: '^B' }, 'fail error'],
    [{ maxLength: 3, format: 'uuid' }, 'fail error'],
    [{ pattern: '(' }, 'skip'],
  ])('%j: %s', (city, expected) => {
    expect(validateCity(city)).toBe(expected);
  });
});

describe('an input', () => {
  test.each<[string, JsonObject, string[]]>([
    ['with a query', HTTP, []],
    ['with a query and a body without bodyType', { ...HTTP, body: {} }, []],
    ['with a body', { type: 'http', method: 'POST', bodyType: 'json', body: {} }, []],
    ['of an MCP tool', TOOL, []],
    ['of an MCP tool over SSE', { ...TOOL, transport: 'sse' }, []],
    ['of an MCP tool with the older member name', { type: 'mcp', tool: 'weather', inputSchema: {} }, []],
    ['without a type', { method: 'GET' }, ['bazaar-input-type']],
    ['with another type', { ...HTTP, type: 'object' }, ['bazaar-input-type']],
    ['without a method', { type: 'http' }, ['bazaar-method']],
    ['with a lower-case method', { ...HTTP, method: 'post' }, ['bazaar-method']],
    ['with an unsupported method', { ...HTTP, method: 'OPTIONS' }, ['bazaar-method']],
    ['with a body for GET', { ...HTTP, bodyType: 'json', body: {} }, ['bazaar-body']],
    ['with an unknown bodyType', { ...HTTP, method: 'PUT', bodyType: 'xml', body: '' }, ['bazaar-body']],
    ['without the body', { ...HTTP, method: 'PATCH', bodyType: 'json' }, ['bazaar-body']],
    ['without a tool name', { type: 'mcp', inputSchema: {} }, ['bazaar-mcp']],
    ['with an empty tool name', { ...TOOL, toolName: '' }, ['bazaar-mcp']],
    ['without an input schema of the tool', { type: 'mcp', toolName: 'weather' }, ['bazaar-mcp']],
    ['with another transport', { ...TOOL, transport: 'stdio' }, ['bazaar-mcp']],
  ])('%s', (...[, input, expected]) => {
    expect(faults(withInput(input))).toEqual(expected);
  });

  test('with POST and no body is a warning, because directories list such routes', () => {
    const post = { type: 'http', method: 'POST' };
    expect(getResult(withInput(post), 'bazaar-body')).toBe('fail warning');
    // A missing body is only a warning, so the rule `bazaar-info-validates` still validates `info` against the schema.
    const mismatched = read({
      info: { input: post, output: OUTPUT },
      schema: { ...SCHEMA, required: ['x'] },
    });
    expect(faults(mismatched)).toEqual(['bazaar-info-validates', 'bazaar-body']);
  });

  test('with another finding is not also a schema mismatch', () => {
    const schema = { properties: { input: { properties: { method: { enum: ['GET'] } } } } };
    const challenge = read({ info: { input: { ...HTTP, method: 'get' }, output: OUTPUT }, schema });
    expect(faults(challenge)).toEqual(['bazaar-method']);
    expect(getResult(challenge, 'bazaar-info-validates')).toBe('skip');
  });
});

describe('an output', () => {
  const withOutput = (output: unknown, input: JsonObject = HTTP): string[] =>
    faults(read({ info: { input, output }, schema: SCHEMA }));

  test.each<[string, unknown, string[]]>([
    ['that is correct', OUTPUT, []],
    ['with an example that is false', { type: 'json', example: false }, []],
    ['that is missing', undefined, ['bazaar-output-example']],
    ['that is null', null, ['bazaar-output-example']],
    ['without an example', { type: 'text' }, ['bazaar-output-example']],
    ['without a type', { example: 1 }, ['bazaar-output-type']],
    ['with an empty type', { type: '', example: 1 }, ['bazaar-output-type']],
    ['that is a string', 'json', ['bazaar-output-type']],
  ])('%s', (...[, output, expected]) => {
    expect(withOutput(output)).toEqual(expected);
  });

  test('is optional for MCP tools, which return text', () => {
    expect(withOutput(undefined, TOOL)).toEqual([]);
    expect(withOutput({ type: 'json' }, TOOL)).toEqual(['bazaar-output-example']);
  });
});

describe('a route template', () => {
  const withTemplate = (routeTemplate: unknown, url = REQUEST_URL): string[] =>
    faults(read({ info: { input: HTTP, output: OUTPUT }, schema: SCHEMA, routeTemplate }, url));

  test.each<[unknown, string[]]>([
    [undefined, []],
    [null, []],
    ['/v1/:topic', []],
    ['/:version/:topic', []],
    ['/v1/weather', []],
    ['/v1/weather-:city', ['bazaar-route-template']],
    ['/v1/models:predict', ['bazaar-route-template']],
    ['/v1/wea:ther', []],
    ['', ['bazaar-route-template']],
    [7, ['bazaar-route-template']],
    ['v1/:topic', ['bazaar-route-template']],
    ['/v1/[topic]', ['bazaar-route-template']],
    ['/v1/%2e%2e/:topic', ['bazaar-route-template']],
    ['/v1/:...topic', ['bazaar-route-template']],
    ['/https%3A//:topic', ['bazaar-route-template']],
    ['/v1/%', ['bazaar-route-template']],
    ['/v2/:topic', ['bazaar-route-template']],
    ['/v1/:topic/:city', ['bazaar-route-template']],
    ['/v1/:var1', ['bazaar-anonymous-params']],
    ['/:var1/:topic', ['bazaar-anonymous-params']],
    ['/v1/:variant', []],
  ])('%j: %j', (template, expected) => {
    expect(withTemplate(template)).toEqual(expected);
  });

  test('matches paths in any encoding', () => {
    expect(withTemplate('/caf%C3%A9/:id', 'https://api.example.com/café/7')).toEqual([]);
    expect(withTemplate('/a/:id', 'https://api.example.com/a/7/')).toEqual([]);
  });

  test('from a wildcard matches several path segments', () => {
    const faultsAt = (path: string): string[] =>
      withTemplate('/wild/:var1', `https://api.example.com${path}`);
    for (const path of ['/wild/a', '/wild/a/b/c', '/wild'])
      expect(faultsAt(path)).toEqual(['bazaar-anonymous-params']);
    expect(faultsAt('/tame/a')).toEqual(['bazaar-route-template', 'bazaar-anonymous-params']);
  });
});

test('discovery rules are on the discoverable axis, which does not change the verdict', () => {
  const challenge = read('yes');
  expect(getCheck(challenge, 'bazaar-info').axis).toBe('discoverable');
  expect(challenge.verdict).toBe('pass');
});
