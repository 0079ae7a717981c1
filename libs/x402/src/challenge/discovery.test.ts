import { describe, expect, test } from 'vitest';
import { readChallenge } from '../read-challenge.ts';
import { readBazaar, readRouteTemplate } from './bazaar-extension.ts';
import { readListing } from '../listing/read-listing.ts';
import {
  v1Envelope,
  v1Option,
  v1Response,
  v2Envelope,
  v2Option,
  v2Response,
  type JsonObject,
} from '../testing/fixtures.ts';
import type { Challenge, Discovery } from '../types.ts';

const BAZAAR: JsonObject = {
  info: {
    input: { type: 'http', method: 'get', queryParams: { city: 'Rome' } },
    output: { type: 'json', example: { celsius: 21 } },
  },
  schema: {
    type: 'object',
    properties: {
      input: { type: 'object', properties: { queryParams: { type: 'object' } } },
      output: { type: 'object' },
    },
  },
};

function readExtensions(extensions: unknown): Discovery | null {
  return readChallenge(v2Response(v2Envelope({ extensions }))).discovery;
}

describe('discovery data', () => {
  test('is read from the discovery extension', () => {
    expect(readExtensions({ bazaar: BAZAAR })).toEqual({
      type: 'http',
      method: 'GET',
      toolName: null,
      input: { type: 'http', method: 'get', queryParams: { city: 'Rome' } },
      output: { type: 'json', example: { celsius: 21 } },
      inputSchema: { type: 'object', properties: { queryParams: { type: 'object' } } },
      outputSchema: { type: 'object' },
    });
  });

  test('of a tool includes its name, under either member name, and the schema of its arguments', () => {
    const tool = (name: JsonObject): Discovery | null =>
      readExtensions({
        bazaar: { info: { input: { type: 'mcp', inputSchema: { type: 'object' }, ...name } } },
      });
    for (const name of [{ toolName: 'forecast' }, { tool: 'forecast' }]) {
      expect(tool(name)).toMatchObject({
        type: 'mcp',
        toolName: 'forecast',
        method: null,
        inputSchema: { type: 'object' },
      });
    }
  });

  test('is read from the output schema of version 1', () => {
    const outputSchema = {
      input: { type: 'http', method: 'POST', bodyFields: { city: {} } },
      output: { celsius: 1 },
    };
    const accepts = [v1Option(), v1Option({ outputSchema })];
    const expected = { method: 'POST', inputSchema: outputSchema.input, outputSchema: outputSchema.output };
    expect(readChallenge(v1Response(v1Envelope({ accepts }))).discovery).toMatchObject(expected);
    const listed = readListing({ resource: 'https://a.example/', x402Version: 1, accepts });
    expect(listed.ok && listed.listing.discovery).toMatchObject(expected);
  });

  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a list', []],
    ['an extension that is text', { bazaar: 'yes' }],
    ['an input that is a list', { bazaar: { info: { input: [] } } }],
  ])('is null for %s', (_, extensions) => {
    expect(readExtensions(extensions)).toBeNull();
  });

  test('leaves out an oversized part and keeps the rest', () => {
    const schema = { properties: { input: { enum: Array.from({ length: 2_000 }, (_, index) => index) } } };
    expect(readExtensions({ bazaar: { ...BAZAAR, schema } })).toMatchObject({
      method: 'GET',
      inputSchema: null,
    });
  });
});

describe('the scheme-specific members of an option', () => {
  const readExtra = (extra: unknown): unknown => {
    const challenge: Challenge = readChallenge(v2Response(v2Envelope({ accepts: [v2Option({ extra })] })));
    return challenge.options[0]?.extra;
  };

  test('are cleaned and kept', () => {
    expect(readExtra({ name: 'USD Coin', version: '2', memo: 'a\u0000b' })).toEqual({
      name: 'USD Coin',
      version: '2',
      memo: 'a b',
    });
  });

  test.each<[string, unknown]>([
    ['absent', undefined],
    ['null', null],
    ['a list', ['USD Coin']],
    ['too large', { name: 'a'.repeat(5_000) }],
  ])('are null when they are %s', (_, extra) => {
    expect(readExtra(extra)).toBeNull();
  });
});

test('reads a discovery extension with any content', () => {
  const info = { input: { type: 'http' }, output: 7 };
  expect(readBazaar({ bazaar: { info, schema: true, routeTemplate: '/a/:b' } })).toMatchObject({
    info,
    schema: true,
    input: { type: 'http' },
    output: 7,
    routeTemplate: '/a/:b',
  });
  expect(readBazaar({ bazaar: 'yes' })).toMatchObject({
    extension: 'yes',
    info: undefined,
    input: undefined,
  });
  for (const none of [undefined, null, 7, [], {}, { bazaar: null }]) expect(readBazaar(none)).toBeNull();
  // A `bazaar` member inherited from a prototype is ignored.
  expect(readBazaar({ bazaar: {} })?.extension).toEqual({});
  expect(readBazaar(Object.create({ bazaar: {} }))).toBeNull();
});

test('reads only route templates that directories accept', () => {
  expect(readRouteTemplate(readBazaar({ bazaar: { routeTemplate: '/users/:id' } }))).toBe('/users/:id');
  expect(readRouteTemplate(readBazaar({ bazaar: { routeTemplate: '/users/[id]' } }))).toBeNull();
  expect(readRouteTemplate(readBazaar({}))).toBeNull();
});
