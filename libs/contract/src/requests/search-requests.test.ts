import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { createJsonSchema } from '../schemas/json-schema.ts';
import { createStrictAjv } from '../testing/strict-ajv.ts';
import {
  semanticSearchInputSchema,
  semanticSearchRequestSchema,
  similarInputSchema,
  similarRequestSchema,
} from './search-requests.ts';
import { createValidationProblem } from './validation-messages.ts';

const BASE = 'https://touchstone.example';
const resource = 'https://api.example.com/v1/weather';
const publishedSearch = createStrictAjv().compile(createJsonSchema('semantic-search-request', BASE));
const publishedSimilar = createStrictAjv().compile(createJsonSchema('similar-request', BASE));

const readQuery = (query: unknown): string | null =>
  semanticSearchRequestSchema.safeParse({ query }).data?.query ?? null;

/** Returns the error messages for a request body. */
function readMessages(schema: z.ZodType, body: unknown): readonly string[] {
  const request = { body, query: {} };
  const { error } = schema.safeParse(request);
  return (error && createValidationProblem(error, request).errors?.map(({ message }) => message)) ?? [];
}

describe('the query of a search', () => {
  it('is trimmed', () => {
    expect(readQuery(' \n weather in\ta city\u00a0\ufeff')).toBe('weather in\ta city');
  });

  it('has at most 500 characters after trimming, counted in code points like in JSON Schema', () => {
    for (const character of ['a', '中', '𠀋']) {
      const longest = character.repeat(500);
      expect(readQuery(longest)).toBe(longest);
      expect(readQuery(`  ${longest}\n`)).toBe(longest);
      expect(publishedSearch({ query: longest })).toBe(true);
      expect(readQuery(`${longest}${character}`)).toBeNull();
      expect(publishedSearch({ query: `${longest}${character}` })).toBe(false);
    }
  });

  it.each([
    'a',
    '7',
    '天気',
    'बारिश',
    '😀 forecast',
    'Persian می‌خواهم',
    'line\nbreak',
    '<script>',
    "'; drop table --",
  ])('can be %j', (query) => {
    expect(readQuery(query)).toBe(query);
    expect(publishedSearch({ query })).toBe(true);
  });

  it.each([
    ['', 'must be text of 1 to 500 characters, such as "weather forecast for a city"; received ""'],
    [
      ' \t\n',
      'must be text of 1 to 500 characters, such as "weather forecast for a city"; received " \\u{9}\\u{a}"',
    ],
    [7, 'must be text of 1 to 500 characters, such as "weather forecast for a city"; received 7'],
    [null, 'must be text of 1 to 500 characters, such as "weather forecast for a city"; received null'],
    [
      ['a'],
      'must be text of 1 to 500 characters, such as "weather forecast for a city"; received a list of 1 item',
    ],
    ['\u200b\u200d', 'must be text with at least one letter or digit; received "\\u{200b}\\u{200d}"'],
    ['\u3164\u115f', 'must be text with at least one letter or digit; received "\\u{3164}\\u{115f}"'],
    ['\u0301', 'must be text with at least one letter or digit; received "\u0301"'],
    ['?!… 😀', 'must be text with at least one letter or digit; received "?!… 😀"'],
    [
      'a\u0000b',
      'must be text without control characters and without unpaired surrogates; tabs and line breaks are allowed; received "a\\u{0}b"',
    ],
    [
      'a\ud800b',
      'must be text without control characters and without unpaired surrogates; tabs and line breaks are allowed; received "a\\u{d800}b"',
    ],
  ])('cannot be %j', (query, message) => {
    expect(readMessages(semanticSearchInputSchema, { query })).toEqual([`\`query\` ${message}.`]);
  });

  it('is required', () => {
    expect(readMessages(semanticSearchInputSchema, { limit: 5 })).toEqual([
      '`query` is missing. Send text of 1 to 500 characters, such as "weather forecast for a city".',
    ]);
  });

  it('is text that a JSON document and a database can contain, after it was accepted', () => {
    const anyText = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom('\ud800', 'a', '\0', ' ') }),
    );
    fc.assert(
      fc.property(anyText, (text) => {
        const query = readQuery(text);
        if (query === null) return;
        expect(query).toBe(text.trim());
        expect(query.isWellFormed()).toBe(true);
        expect(query).not.toContain('\0');
        // A query without surrounding white space that the service accepts is valid for the published schema.
        expect(publishedSearch({ query })).toBe(true);
      }),
    );
  });
});

describe.each([
  {
    name: 'a search',
    ...{ schema: semanticSearchRequestSchema, input: semanticSearchInputSchema, published: publishedSearch },
    ...{ body: { query: 'weather' }, fallback: 25 },
  },
  {
    name: 'alternatives',
    ...{ schema: similarRequestSchema, input: similarInputSchema, published: publishedSimilar },
    ...{ body: { resource }, fallback: 5 },
  },
])('the limit of $name', ({ schema, input, published, body, fallback }) => {
  it('has a default', () => {
    expect(schema.parse(body)).toMatchObject({ ...body, limit: fallback });
  });

  it('is a whole number from 1 to 25', () => {
    fc.assert(
      fc.property(fc.oneof(fc.integer({ min: -50, max: 50 }), fc.double(), fc.jsonValue()), (limit) => {
        const isValid = Number.isInteger(limit) && Number(limit) >= 1 && Number(limit) <= 25;
        expect(schema.safeParse({ ...body, limit }).success).toBe(isValid);
        expect(published({ ...body, limit })).toBe(isValid);
      }),
    );
  });

  it.each([
    [{ limit: 40 }, '`limit` must be a whole number from 1 to 25; received 40.'],
    [{ limit: 0 }, '`limit` must be a whole number from 1 to 25; received 0.'],
    [{ limit: '5' }, '`limit` must be a whole number from 1 to 25; received "5".'],
    [{ days: 7 }, '`days` is not a field of the request body. Remove it or correct its name.'],
  ])('%j is explained', (change, message) => {
    expect(readMessages(input, { ...body, ...change })).toEqual([message]);
  });
});

describe('the minimum difference of the scores', () => {
  it('is 5 by default', () => {
    expect(similarRequestSchema.parse({ resource })).toEqual({ resource, limit: 5, minScoreDelta: 5 });
  });

  it('is a number from 0 to 100, also with decimals', () => {
    fc.assert(
      fc.property(fc.oneof(fc.double({ min: -10, max: 110 }), fc.jsonValue()), (minScoreDelta) => {
        const isValid = typeof minScoreDelta === 'number' && minScoreDelta >= 0 && minScoreDelta <= 100;
        expect(similarRequestSchema.safeParse({ resource, minScoreDelta }).success).toBe(isValid);
        expect(publishedSimilar({ resource, minScoreDelta })).toBe(isValid);
      }),
    );
  });

  it.each([
    [101, '101'],
    [-1, '-1'],
    ['5', '"5"'],
    [null, 'null'],
  ])('cannot be %j', (minScoreDelta, received) => {
    expect(readMessages(similarInputSchema, { resource, minScoreDelta })).toEqual([
      `\`minScoreDelta\` must be a number from 0 to 100; received ${received}.`,
    ]);
  });
});

it('query parameters of the URL are ignored', () => {
  const query = { utm_source: 'directory', limit: '99' };
  expect(semanticSearchInputSchema.parse({ body: { query: 'weather' }, query })).toEqual({
    query: 'weather',
    limit: 25,
  });
});
