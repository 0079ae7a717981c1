import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCheck, readMessages } from '../../testing/schema-checks.ts';
import { semanticSearchInputSchema, semanticSearchRequestSchema } from './operation.ts';
import { similarInputSchema } from '../similar/operation.ts';

const resource = 'https://api.example.com/v1/weather';
const acceptsSearch = createCheck('semantic-search-request');
const acceptsSimilar = createCheck('similar-request');

const readQuery = (query: unknown): string | null =>
  semanticSearchRequestSchema.safeParse({ query }).data?.query ?? null;

describe('the query of a search', () => {
  it('is trimmed', () => {
    expect(readQuery(' \n weather in\ta city\u00a0\ufeff')).toBe('weather in\ta city');
  });

  it.each(['a', '中', '𠀋'])('has at most 500 code points after trimming: %s', (character) => {
    const longest = character.repeat(500);
    expect(acceptsSearch({ query: longest })).toBe(true);
    expect(readQuery(`  ${longest}\n`)).toBe(longest);
    expect(acceptsSearch({ query: `${longest}${character}` })).toBe(false);
  });

  it.each(['7z', '天気', 'बारिश', '😀 forecast', 'Persian می‌خواهم', 'line\nbreak', "<b>'; drop table --"])(
    'can be %j',
    (query) => {
      expect(readQuery(query)).toBe(query);
      expect(acceptsSearch({ query })).toBe(true);
    },
  );

  const LENGTH = 'must be text of 1 to 500 characters, such as "weather forecast for a city"';
  const MEANING = 'must be text with at least one letter';
  const CONTROL =
    'must be text without control characters and without unpaired surrogates; tabs and line breaks are allowed';
  it.each([
    [' \t\n', LENGTH, '" \\u{9}\\u{a}"'],
    [7, LENGTH, '7'],
    ['\u200b\u200d', MEANING, '"\\u{200b}\\u{200d}"'],
    ['\u3164\u115f', MEANING, '"\\u{3164}\\u{115f}"'],
    ['\u0301', MEANING, '"\u0301"'],
    ['?!… 😀', MEANING, '"?!… 😀"'],
    ['42', MEANING, '"42"'],
    ['a\u0000b', CONTROL, '"a\\u{0}b"'],
    ['a\ud800b', CONTROL, '"a\\u{d800}b"'],
  ])('cannot be %j', (query, expectation, received) => {
    expect(readMessages(semanticSearchInputSchema, { body: { query } })).toEqual([
      `\`query\` ${expectation}; received ${received}.`,
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
        // If the service accepts a query without surrounding white space, the published schema accepts the query, too.
        expect(acceptsSearch({ query })).toBe(true);
      }),
    );
  });
});

describe.each([
  {
    ...{ name: 'a search', accepts: acceptsSearch, schema: semanticSearchInputSchema },
    ...{ body: { query: 'weather' }, defaults: { limit: 25 } },
  },
  {
    ...{ name: 'alternatives', accepts: acceptsSimilar, schema: similarInputSchema },
    ...{ body: { resource }, defaults: { limit: 5, minScoreDelta: 5 } },
  },
])('the limit of $name', ({ accepts, schema, body, defaults }) => {
  it('has a default', () => {
    expect(schema.parse({ body, query: {} })).toEqual({ ...body, ...defaults });
  });

  it('is a whole number from 1 to 25', () => {
    fc.assert(
      fc.property(fc.oneof(fc.integer({ min: -50, max: 50 }), fc.double(), fc.jsonValue()), (limit) => {
        const isValid = Number.isInteger(limit) && Number(limit) >= 1 && Number(limit) <= 25;
        expect(accepts({ ...body, limit })).toBe(isValid);
      }),
      { examples: [[0], [1], [25], [26]] },
    );
    expect(readMessages(schema, { body: { ...body, limit: 40 } })).toEqual([
      '`limit` must be a whole number from 1 to 25; received 40.',
    ]);
  });

  it('cannot have another field beside it', () => {
    expect(accepts({ ...body, days: 7 })).toBe(false);
  });
});

it('the minimum difference of the scores is a number from 0 to 100, also with decimals', () => {
  fc.assert(
    fc.property(fc.oneof(fc.double({ min: -10, max: 110 }), fc.jsonValue()), (minScoreDelta) => {
      const isValid = typeof minScoreDelta === 'number' && minScoreDelta >= 0 && minScoreDelta <= 100;
      expect(acceptsSimilar({ resource, minScoreDelta })).toBe(isValid);
    }),
  );
  for (const [minScoreDelta, received] of [
    [101, '101'],
    [-1, '-1'],
    ['5', '"5"'],
  ] as const) {
    expect(readMessages(similarInputSchema, { body: { resource, minScoreDelta } })).toEqual([
      `\`minScoreDelta\` must be a number from 0 to 100; received ${received}.`,
    ]);
  }
});
