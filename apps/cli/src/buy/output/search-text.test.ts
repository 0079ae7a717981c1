import type { SemanticSearch } from '@touchstone/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countColumns } from '../../terminal/columns.ts';
import { EXECUTABLE, HOSTILE_TEXT } from '../../testing/hostile-text.ts';
import { formatSearch, receivedSearchSchema } from './search-text.ts';

const bare = { paint: (_: unknown, text: string) => text, width: 80 };
const PAGE = 'https://touchstone.example/endpoint/weather-abcdefghij';

function createMatch(change: Partial<SemanticSearch['matches'][number]> = {}) {
  return {
    id: '0b9f7c52-4e0c-4d3c-9d4b-2f0e4e0a6a11',
    resource: 'https://api.example.com/v1/weather',
    score: 91.9,
    grade: 'A' as const,
    similarity: 0.8299,
    description: 'Current weather by city.',
    endpointPage: PAGE,
    ...change,
  };
}

function createSearch(matches: SemanticSearch['matches']): SemanticSearch {
  return { query: 'weather', count: matches.length, matches };
}

/** Match without a description and without a score. */
const undescribed = {
  id: '7d2c8b19-5b3e-4a80-9c66-1e9d3a4c5f33',
  resource: 'https://meteo.example.org/v2/forecast',
  score: null,
  grade: null,
  similarity: 0.58,
  endpointPage: PAGE,
};

describe('formatSearch', () => {
  it('prints each match with its rank, similarity, score, URL, description and page', () => {
    const search = createSearch([
      createMatch(),
      createMatch({
        similarity: 0.8201,
        score: 41.25,
        grade: 'D',
        description: 'Words and words. '.repeat(8),
      }),
      undescribed,
    ]);
    expect(formatSearch(search, { limit: 25 }, bare)).toMatchInlineSnapshot(`
      "3 matches for "weather"

       1. 82 % similar   Grade A   91.9 of 100
          https://api.example.com/v1/weather
          "Current weather by city."
          https://touchstone.example/endpoint/weather-abcdefghij

       2. 82 % similar   Grade D   41.3 of 100
          https://api.example.com/v1/weather
          "Words and words. Words and words. Words and words. Words and words. Words
          and words. Words and words. Words and words. Words and words."
          https://touchstone.example/endpoint/weather-abcdefghij

       3. 58 % similar   Not scored
          https://meteo.example.org/v2/forecast
          https://touchstone.example/endpoint/weather-abcdefghij

      Fewer than 25 endpoints: matches less than 50 % similar are left out.
      "
    `);
  });

  it('has no note when the limit is reached', () => {
    const text = formatSearch(createSearch([createMatch()]), { limit: 1 }, bare);
    expect(text).toMatch(/^1 match for "weather"\n/);
    expect(text).not.toContain('left out');
  });

  it('names the reason for an empty list', () => {
    expect(formatSearch(createSearch([]), { limit: 25 }, bare)).toMatchInlineSnapshot(`
      "No matches for "weather"

      Endpoints less than 50 % similar are left out. Describe in other words what the
      endpoint should do.
      "
    `);
  });

  it('prints untrusted text without control characters, in one quoted paragraph within the width', () => {
    fc.assert(
      fc.property(HOSTILE_TEXT, fc.integer({ min: 40, max: 200 }), (description, width) => {
        const search = createSearch([createMatch({ description }), createMatch({ description })]);
        const text = formatSearch({ ...search, query: description }, { limit: 2 }, { ...bare, width });
        expect(EXECUTABLE.exec(text)).toBeNull();
        expect(text.match(/^ \d\. /gm)).toHaveLength(2);
        const wide = text.split('\n').filter((line) => countColumns(line) > width);
        expect(wide.filter((line) => !line.includes('https://'))).toEqual([]);
      }),
    );
  });
});

describe('receivedSearchSchema', () => {
  it('ignores unknown members', () => {
    const match = { ...createMatch(), rank: 1 };
    const parsed = receivedSearchSchema.parse({ ...createSearch([match]), next: null });
    expect(parsed).toEqual(createSearch([createMatch()]));
  });

  it.each([
    ['a similarity above 1', { similarity: 1.5 }],
    ['a score above 100', { score: 101 }],
    ['an unknown grade', { grade: 'S' }],
    ['a page that is no web page', { endpointPage: 'javascript:alert(1)' }],
  ])('rejects %s', (_name, change) => {
    const search = { query: 'weather', count: 1, matches: [{ ...createMatch(), ...change }] };
    expect(receivedSearchSchema.safeParse(search).success).toBe(false);
  });
});
