import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { REQUEST_URL, v1Option, v2Option, type JsonObject } from '../testing/fixtures.ts';
import { readListing, type Listing } from './read-listing.ts';

function readTestListing(change: JsonObject): Listing {
  const result = readListing({
    resource: REQUEST_URL,
    type: 'http',
    x402Version: 2,
    accepts: [v2Option()],
    ...change,
  });
  if (!result.ok) throw new Error(result.reason);
  return result.listing;
}

describe('readListing', () => {
  test('reads an item of version 2', () => {
    const bazaar = {
      info: { input: { type: 'http', method: 'post' }, output: { type: 'json' } },
      schema: {},
    };
    const listing = readTestListing({
      description: 'Weather by city',
      serviceName: 'Skies',
      tags: ['Weather', 'forecast'],
      lastUpdated: '2026-05-06T15:41:35.271Z',
      extensions: { bazaar },
    });
    expect(listing).toEqual({
      resource: REQUEST_URL,
      type: 'http',
      version: 2,
      options: [
        expect.objectContaining({ network: 'eip155:8453', amountUsd: '0.010000', assetSymbol: 'USDC' }),
      ],
      description: 'Weather by city',
      serviceName: 'Skies',
      tags: ['weather', 'forecast'],
      method: 'POST',
      pathParams: new Map(),
      exampleRequest: null,
      lastUpdated: Date.UTC(2026, 4, 6, 15, 41, 35, 271),
    });
  });

  test('reads an item of version 1, with the description in its options', () => {
    const outputSchema = { input: { type: 'http', method: 'GET', discoverable: true }, output: null };
    const accepts = [v1Option({ description: '' }), v1Option({ network: 'base-sepolia', outputSchema })];
    expect(readTestListing({ x402Version: 1, accepts })).toMatchObject({
      version: 1,
      options: [{ network: 'eip155:8453' }, { network: 'eip155:84532' }],
      description: 'Weather by city',
      method: 'GET',
    });
  });

  test('reads the example values of a template that are texts or numbers', () => {
    const pathParams = { city: 'Oslo', day: 7, bad: { a: 1 }, empty: '', __proto__: 'x' };
    const bazaar = { info: { input: { type: 'http', method: 'GET', pathParams } } };
    const { pathParams: read } = readTestListing({ extensions: { bazaar } });
    expect([...read]).toEqual([
      ['city', 'Oslo'],
      ['day', '7'],
    ]);
    expect(
      readTestListing({ extensions: { bazaar: { info: { input: { pathParams: [] } } } } }).pathParams.size,
    ).toBe(0);
  });

  test('reads an option with member names of both versions', () => {
    const fused = {
      scheme: 'exact',
      network: 'base',
      maxAmountRequired: '5',
      currency: v2Option()['asset'],
      recipient: '0xabc',
    };
    expect(readTestListing({ accepts: [fused] }).options).toMatchObject([
      { amount: 5n, amountUsd: '0.000005', payTo: '0xabc' },
    ]);
    const both = v2Option({ amount: '7', maxAmountRequired: '9' });
    expect(readTestListing({ accepts: [both] }).options[0]?.amount).toBe(7n);
    expect(readTestListing({ accepts: [both], x402Version: 1 }).options[0]?.amount).toBe(9n);
  });

  test.each<[string, JsonObject, Partial<Listing>]>([
    ['no options', { accepts: [] }, { options: [] }],
    ['options missing', { accepts: undefined }, { options: [] }],
    ['options that are not a list', { accepts: { network: 'base' } }, { options: [] }],
    ['invalid options', { accepts: [null, 7, {}, { network: '' }] }, { options: [] }],
    ['another type', { type: 'object' }, { type: 'object' }],
    ['no type', { type: 7 }, { type: null }],
    ['a version as text', { x402Version: '1' }, { version: 1 }],
    ['an unknown version', { x402Version: 3 }, { version: null }],
    ['an empty description', { description: ' ' }, { description: null }],
    [
      'a description in the metadata',
      { metadata: { description: 'Old words' } },
      { description: 'Old words' },
    ],
    [
      'an unknown method',
      { extensions: { bazaar: { info: { input: { method: 'BREW' } } } } },
      { method: null },
    ],
    ['extensions that are text', { extensions: 'none' }, { method: null }],
    ['seconds since the epoch', { lastUpdated: 1_783_815_826 }, { lastUpdated: 1_783_815_826_000 }],
    ['milliseconds since the epoch', { lastUpdated: 1_783_815_826_123 }, { lastUpdated: 1_783_815_826_123 }],
    [
      'a time with an offset',
      { lastUpdated: '2026-01-01T01:00:00+01:00' },
      { lastUpdated: Date.UTC(2026, 0, 1) },
    ],
    ['a time without a zone', { lastUpdated: '2026-01-01T01:00:00' }, { lastUpdated: null }],
    ['an invalid time', { lastUpdated: 'yesterdayZ' }, { lastUpdated: null }],
    ['a negative time', { lastUpdated: -1 }, { lastUpdated: null }],
    [
      'the resource as url',
      { resource: undefined, url: 'https://b.example/' },
      { resource: 'https://b.example/' },
    ],
    ['a template', { resource: 'https://a.example/users/:id' }, { resource: 'https://a.example/users/:id' }],
    ['another scheme', { resource: 'monopoly://game/7' }, { resource: 'monopoly://game/7' }],
  ])('accepts %s', (_, change, expected) => {
    expect(readTestListing(change)).toMatchObject(expected);
  });

  test.each<[string, unknown, string]>([
    ['nothing', null, 'the item is not a JSON object'],
    ['a text', 'https://a.example', 'the item is not a JSON object'],
    ['a list', [{ resource: REQUEST_URL }], 'the item is not a JSON object'],
    ['no resource', { type: 'http', accepts: [] }, 'the item has no resource'],
    ['a resource that is an object', { resource: { url: REQUEST_URL } }, 'the resource is not a string'],
    ['an empty resource', { resource: ' \n' }, 'the resource is empty'],
    [
      'an endless resource',
      { resource: `https://a.example/${'x'.repeat(5_000)}` },
      'the resource is longer than 2048 characters',
    ],
    [
      'a resource in the prototype',
      JSON.parse(`{"__proto__":{"resource":"${REQUEST_URL}"}}`),
      'the item has no resource',
    ],
  ])('rejects %s', (_, item, reason) => {
    expect(readListing(item)).toEqual({ ok: false, reason });
  });
});

test('any JSON gives a listing or a reason', () => {
  const members = {
    resource: fc.oneof(fc.constant(REQUEST_URL), fc.string(), fc.jsonValue()),
    accepts: fc.oneof(fc.array(fc.oneof(fc.constant(v1Option()), fc.jsonValue())), fc.jsonValue()),
    description: fc.jsonValue(),
    extensions: fc.jsonValue(),
    lastUpdated: fc.oneof(fc.double(), fc.string(), fc.jsonValue()),
  };
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), fc.record(members, { requiredKeys: [] })), (item) => {
      const result = readListing(item);
      if (result.ok) {
        expect(result.listing.resource.trim()).not.toBe('');
        expect(result.listing.options.every(({ network }) => network !== '')).toBe(true);
      } else {
        expect(result.reason).toMatch(/^the (item|resource) /);
      }
    }),
    { numRuns: 500 },
  );
});
