import type { SemanticSearch, Similar } from '@touchstone/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EXECUTABLE, HOSTILE_TEXT } from '../testing/hostile-text.ts';
import { formatSearch, formatSimilar, receivedSearchSchema, receivedSimilarSchema } from './list-text.ts';

const bare = { paint: (_: unknown, text: string) => text, width: 80 };
const PAGE = 'https://touchstone.example/endpoint/weather-abcdefghij';

function createMatch(change: Partial<SemanticSearch['matches'][number]> = {}) {
  return {
    id: '0b9f7c52-4e0c-4d3c-9d4b-2f0e4e0a6a11',
    resource: 'https://api.example.com/v1/weather',
    score: 91.9,
    grade: 'A' as const,
    confidence: 0.98,
    similarity: 0.8299,
    description: 'Current weather by city.',
    endpointPage: PAGE,
    ...change,
  };
}

function createSearch(matches: SemanticSearch['matches']): SemanticSearch {
  return { query: 'weather', count: matches.length, matches };
}

/** Search result without a description and without a score. */
const undescribed = {
  id: '7d2c8b19-5b3e-4a80-9c66-1e9d3a4c5f33',
  resource: 'https://meteo.example.org/v2/forecast',
  score: null,
  grade: null,
  confidence: null,
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
        confidence: 0.3,
        description: 'Words and words. '.repeat(8),
      }),
      undescribed,
    ]);
    expect(formatSearch(search, { limit: 25 }, bare)).toMatchInlineSnapshot(`
      "3 matches for "weather"

       1. 82 % similar   Grade A   91.9 of 100
          https://api.example.com/v1/weather
          "Current weather by city."
          confidence 0.98 of 1
          https://touchstone.example/endpoint/weather-abcdefghij

       2. 82 % similar   Grade D   41.3 of 100
          https://api.example.com/v1/weather
          "Words and words. Words and words. Words and words. Words and words. Words
          and words. Words and words. Words and words. Words and words."
          confidence 0.30 of 1
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
        const wide = text.split('\n').filter((line) => [...line].length > width);
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

const RESOURCE = 'https://data.example.net/weather';
const question = {
  limit: 5,
  minScoreDelta: 5,
  retryLine: `touchstone similar --min-score-delta 0 ${RESOURCE}`,
};

const SUBJECT = {
  resource: RESOURCE,
  score: 41.2,
  grade: 'D',
  recommendation: 'avoid',
  endpointPage: PAGE,
} as const;
const ALTERNATIVE = {
  resource: 'https://api.example.com/v1/weather',
  score: 91.9,
  grade: 'A',
  recommendation: 'proceed',
  confidence: 0.98,
  similarity: 0.8671,
  amountUsd: '0.010000',
  network: 'eip155:8453',
  endpointPage: 'https://touchstone.example/endpoint/api-weather-abcdefghij',
} as const;

function createSimilar(
  alternatives: Similar['alternatives'],
  subject: Similar['subject'] = SUBJECT,
): Similar {
  return { resource: RESOURCE, subject, count: alternatives.length, withinDelta: 3, alternatives };
}

describe('formatSimilar', () => {
  it('prints the endpoint first, then each alternative with its verdict, price and page', () => {
    const unknownPrice = {
      ...ALTERNATIVE,
      amountUsd: null,
      network: null,
      recommendation: 'caution' as const,
    };
    const text = formatSimilar(createSimilar([ALTERNATIVE, unknownPrice]), question, bare);
    expect(text).toMatchInlineSnapshot(`
      "https://data.example.net/weather
      Grade D   41.2 of 100   AVOID
      https://touchstone.example/endpoint/weather-abcdefghij

      2 alternatives on other hosts, with at least 5 points more

       1. Grade A   91.9 of 100   PROCEED
          https://api.example.com/v1/weather
          86 % similar, confidence 0.98 of 1, $0.01 on eip155:8453
          https://touchstone.example/endpoint/api-weather-abcdefghij

       2. Grade A   91.9 of 100   CAUTION
          https://api.example.com/v1/weather
          86 % similar, confidence 0.98 of 1, no known price
          https://touchstone.example/endpoint/api-weather-abcdefghij

      There are no further alternatives. Endpoints that do another job, and those to
      avoid, are left out.
      "
    `);
  });

  it('has no note when the limit is reached', () => {
    const text = formatSimilar(createSimilar([ALTERNATIVE]), { ...question, limit: 1 }, bare);
    expect(text).toContain('1 alternative on another host, with at least 5 points more\n');
    expect(text).not.toContain('no further');
  });

  it('names the reason for an empty list and the next command', () => {
    expect(formatSimilar(createSimilar([]), question, bare)).toMatchInlineSnapshot(`
      "https://data.example.net/weather
      Grade D   41.2 of 100   AVOID
      https://touchstone.example/endpoint/weather-abcdefghij

      No listed endpoint on another host does the same with at least 5 points more.
      This result is complete. Endpoints that do another job, and those to avoid, are
      left out.

      Number of alternatives with at least the same score: 3. To find them:
        touchstone similar --min-score-delta 0 https://data.example.net/weather
      "
    `);
  });

  it('advises to search by a description when the smallest difference finds nothing', () => {
    const similar = { ...createSimilar([]), withinDelta: 0 };
    const text = formatSimilar(similar, { ...question, minScoreDelta: 0 }, bare);
    expect(text).toContain('does the same with at least the same score.');
    expect(text).toContain('touchstone search "');
    expect(text).not.toContain('--min-score-delta');
  });

  it.each([
    [1, 'at least 1 point more'],
    [2.5, 'at least 2.5 points more'],
  ])('names a difference of %d points', (minScoreDelta, phrase) => {
    const text = formatSimilar(createSimilar([]), { ...question, minScoreDelta }, bare);
    expect(text).toContain(phrase);
  });

  it('prints untrusted text without control characters, within the width', () => {
    fc.assert(
      fc.property(HOSTILE_TEXT, fc.integer({ min: 40, max: 200 }), (hostile, width) => {
        const alternative = { ...ALTERNATIVE, resource: `https://a.example/${hostile}`, network: hostile };
        const subject = { ...SUBJECT, resource: `https://b.example/${hostile}` };
        for (const alternatives of [[], [alternative, alternative]]) {
          const text = formatSimilar(createSimilar(alternatives, subject), question, { ...bare, width });
          expect(EXECUTABLE.exec(text)).toBeNull();
          expect(text.match(/^ \d\. /gm) ?? []).toHaveLength(alternatives.length);
          const wide = text.split('\n').filter((line) => [...line].length > width);
          expect(wide.filter((line) => !line.includes('https://'))).toEqual([]);
        }
      }),
    );
  });
});

describe('receivedSimilarSchema', () => {
  it('ignores unknown members', () => {
    const parsed = receivedSimilarSchema.parse({
      ...createSimilar([{ ...ALTERNATIVE, latencyMs: 12 } as typeof ALTERNATIVE]),
      subject: { ...SUBJECT, latencyMs: 900 },
      next: null,
    });
    expect(parsed).toEqual(createSimilar([ALTERNATIVE]));
  });
});
