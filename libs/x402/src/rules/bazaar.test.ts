import { describe, expect, test } from 'vitest';
import { readChallenge } from '../read-challenge.ts';
import {
  checkOf,
  failures,
  resultOf,
  URL_ASKED,
  v2Envelope,
  v2Response,
  type Bag,
} from '../testing/fixtures.ts';
import type { Challenge } from '../types.ts';

function read(bazaar: unknown, url = URL_ASKED): Challenge {
  return readChallenge(v2Response(v2Envelope({ extensions: { bazaar } }), { url }));
}

const OUTPUT = { type: 'json', example: { celsius: 21 } };
const HTTP = { type: 'http', method: 'GET' };
/** The least a schema must say. */
const SCHEMA = { properties: { input: {} } };
const TOOL = { type: 'mcp', toolName: 'weather', inputSchema: {} };

function withInput(input: Bag): Challenge {
  return read({ info: { input, output: OUTPUT }, schema: SCHEMA });
}

/** What fails of the rules on discovery. */
function faults(challenge: Challenge): string[] {
  return failures(challenge).filter((id) => id.startsWith('bazaar-'));
}

test.each<[string, unknown, string[]]>([
  ['none', undefined, ['bazaar-present']],
  ['null', null, ['bazaar-present']],
  ['a text', 'yes', ['bazaar-info']],
  ['a list', [], ['bazaar-info']],
  ['nothing in it', {}, ['bazaar-info', 'bazaar-schema']],
  ['no input', { info: { output: OUTPUT }, schema: SCHEMA }, ['bazaar-info']],
  ['no schema', { info: { input: HTTP, output: OUTPUT } }, ['bazaar-schema']],
  ['a schema of true', { info: { input: HTTP, output: OUTPUT }, schema: true }, ['bazaar-schema']],
  ['an empty schema', { info: { input: HTTP, output: OUTPUT }, schema: {} }, ['bazaar-schema']],
  [
    'a schema of the output only',
    { info: { input: HTTP, output: OUTPUT }, schema: { properties: { output: {} } } },
    ['bazaar-schema'],
  ],
  [
    'a schema of the input by reference',
    {
      info: { input: HTTP, output: OUTPUT },
      schema: { $defs: { info: SCHEMA }, $ref: '#/$defs/info' },
    },
    [],
  ],
  [
    'a pattern that is no regular expression',
    { info: { input: HTTP, output: OUTPUT }, schema: { properties: { input: { pattern: '(' } } } },
    ['bazaar-schema'],
  ],
])('an extension with %s', (...[, bazaar, expected]) => {
  expect(faults(read(bazaar))).toEqual(expected);
});

test('extensions that are no object are not asked for it', () => {
  const challenge = readChallenge(v2Response(v2Envelope({ extensions: [] })));
  expect(faults(challenge)).toEqual([]);
});

describe('a schema that leaves the outcome to what is not evaluated', () => {
  const CITY = { type: 'http', method: 'GET', queryParams: { city: 'Bern' } };
  const validates = (city: Bag): string => {
    const queryParams = { properties: { city } };
    const schema = { properties: { input: { properties: { queryParams } } } };
    return resultOf(read({ info: { input: CITY, output: OUTPUT }, schema }), 'bazaar-info-validates');
  };

  test.each<[Bag, string]>([
    [{ type: 'string' }, 'pass'],
    [{ pattern: '^B' }, 'skip'],
    [{ pattern: '^[a-z]+$' }, 'skip'],
    [{ format: 'uuid' }, 'skip'],
    [{ patternProperties: { '^b': false } }, 'skip'],
    [{ type: 'number', pattern: '^B' }, 'fail error'],
    [{ maxLength: 3, format: 'uuid' }, 'fail error'],
    [{ pattern: '(' }, 'skip'],
  ])('%j: %s', (city, expected) => {
    expect(validates(city)).toBe(expected);
  });
});

describe('an input', () => {
  test.each<[string, Bag, string[]]>([
    ['of a query', HTTP, []],
    ['of a query with a body that is no declaration', { ...HTTP, body: {} }, []],
    ['of a body', { type: 'http', method: 'POST', bodyType: 'json', body: {} }, []],
    ['of a tool', TOOL, []],
    ['of a tool over a stream', { ...TOOL, transport: 'sse' }, []],
    ['of a tool by its first name', { type: 'mcp', tool: 'weather', inputSchema: {} }, []],
    ['of no type', { method: 'GET' }, ['bazaar-input-type']],
    ['of another type', { ...HTTP, type: 'object' }, ['bazaar-input-type']],
    ['without a method', { type: 'http' }, ['bazaar-method']],
    ['with a method in small letters', { ...HTTP, method: 'post' }, ['bazaar-method']],
    ['with a method of no use', { ...HTTP, method: 'OPTIONS' }, ['bazaar-method']],
    ['with a body for GET', { ...HTTP, bodyType: 'json', body: {} }, ['bazaar-body']],
    ['with a body of no known type', { ...HTTP, method: 'PUT', bodyType: 'xml', body: '' }, ['bazaar-body']],
    ['without the body', { ...HTTP, method: 'PATCH', bodyType: 'json' }, ['bazaar-body']],
    ['without a tool', { type: 'mcp', inputSchema: {} }, ['bazaar-mcp']],
    ['with a tool of no name', { ...TOOL, toolName: '' }, ['bazaar-mcp']],
    ['without a schema of the tool', { type: 'mcp', toolName: 'weather' }, ['bazaar-mcp']],
    ['with another transport', { ...TOOL, transport: 'stdio' }, ['bazaar-mcp']],
  ])('%s', (...[, input, expected]) => {
    expect(faults(withInput(input))).toEqual(expected);
  });

  test('of POST without a body is a warning: such routes exist, and directories list them', () => {
    const post = { type: 'http', method: 'POST' };
    expect(resultOf(withInput(post), 'bazaar-body')).toBe('fail warning');
    // The schema is then still held against info.
    const refused = read({ info: { input: post, output: OUTPUT }, schema: { ...SCHEMA, required: ['x'] } });
    expect(faults(refused)).toEqual(['bazaar-info-validates', 'bazaar-body']);
  });

  test('with a fault of its own is not held against the schema too', () => {
    const schema = { properties: { input: { properties: { method: { enum: ['GET'] } } } } };
    const challenge = read({ info: { input: { ...HTTP, method: 'get' }, output: OUTPUT }, schema });
    expect(faults(challenge)).toEqual(['bazaar-method']);
    expect(resultOf(challenge, 'bazaar-info-validates')).toBe('skip');
  });
});

describe('an output', () => {
  const withOutput = (output: unknown, input: Bag = HTTP): string[] =>
    faults(read({ info: { input, output }, schema: SCHEMA }));

  test.each<[string, unknown, string[]]>([
    ['of the textbook', OUTPUT, []],
    ['with an example that is false', { type: 'json', example: false }, []],
    ['that is missing', undefined, ['bazaar-output-example']],
    ['that is null', null, ['bazaar-output-example']],
    ['without an example', { type: 'text' }, ['bazaar-output-example']],
    ['without a type', { example: 1 }, ['bazaar-output-type']],
    ['of an empty type', { type: '', example: 1 }, ['bazaar-output-type']],
    ['that is a text', 'json', ['bazaar-output-type']],
  ])('%s', (...[, output, expected]) => {
    expect(withOutput(output)).toEqual(expected);
  });

  test('is left out by tools, which answer text', () => {
    expect(withOutput(undefined, TOOL)).toEqual([]);
    expect(withOutput({ type: 'json' }, TOOL)).toEqual(['bazaar-output-example']);
  });
});

describe('a route template', () => {
  const withTemplate = (routeTemplate: unknown, url = URL_ASKED): string[] =>
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

  test('fits paths as they are meant, however they are encoded', () => {
    expect(withTemplate('/caf%C3%A9/:id', 'https://api.example.com/café/7')).toEqual([]);
    expect(withTemplate('/a/:id', 'https://api.example.com/a/7/')).toEqual([]);
  });

  test('from a wildcard covers what the wildcard does', () => {
    const faultsAt = (path: string): string[] =>
      withTemplate('/wild/:var1', `https://api.example.com${path}`);
    for (const path of ['/wild/a', '/wild/a/b/c', '/wild'])
      expect(faultsAt(path)).toEqual(['bazaar-anonymous-params']);
    expect(faultsAt('/tame/a')).toEqual(['bazaar-route-template', 'bazaar-anonymous-params']);
  });
});

test('everything on discovery is of the axis that lowers no verdict', () => {
  const challenge = read('yes');
  expect(checkOf(challenge, 'bazaar-info').axis).toBe('discoverable');
  expect(challenge.verdict).toBe('pass');
});
