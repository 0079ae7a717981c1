import { describe, expect, it } from 'vitest';
import { readListing } from './read-listing.ts';

function readExample(input: unknown) {
  const result = readListing({
    resource: 'https://api.example.com/',
    extensions: { bazaar: { info: { input } } },
  });
  return result.ok ? result.listing.exampleRequest : null;
}

describe('the example request of a listing', () => {
  it.each([
    [
      { type: 'http', method: 'GET', queryParams: { city: 'Paris', days: 3, metric: true, nested: {} } },
      {
        query: [
          ['city', 'Paris'],
          ['days', '3'],
          ['metric', 'true'],
        ],
        body: null,
      },
    ],
    [
      { type: 'http', method: 'POST', bodyType: 'json', body: { prompt: 'a "cat"' } },
      { query: [], body: { type: 'json', value: { prompt: 'a "cat"' } } },
    ],
    [
      { bodyType: 'text', body: 'hello' },
      { query: [], body: { type: 'text', value: 'hello' } },
    ],
    [
      { bodyType: 'other', body: [1] },
      { query: [], body: { type: 'json', value: [1] } },
    ],
  ])('reads %j', (input, expected) => {
    expect(readExample(input)).toEqual(expected);
  });

  it.each([
    [{ type: 'http', method: 'GET' }],
    [{ type: 'http', queryParams: ['a'], body: null }],
    [{ type: 'mcp', toolName: 'x', queryParams: { a: '1' } }],
    [{ type: 'http', body: { text: 'x'.repeat(1_000) } }],
    ['text'],
  ])('is null for %j', (input) => {
    expect(readExample(input)).toBeNull();
  });
});
