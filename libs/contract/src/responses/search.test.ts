import { describe, expect, it } from 'vitest';
import { SEMANTIC_SEARCH_EXAMPLE, SIMILAR_EXAMPLE, SIMILAR_REQUEST_EXAMPLE } from '../examples/search.ts';
import { TRUST_REPORT_EXAMPLE } from '../examples/trust-report.ts';
import { createJsonSchema } from '../schemas/json-schema.ts';
import { createStrictAjv } from '../testing/strict-ajv.ts';
import { MIN_SIMILARITY, semanticSearchSchema, similarSchema, type SemanticSearch } from './search.ts';
import { TEXT_LIMITS } from './text-limits.ts';

const BASE = 'https://touchstone.example';
const publishedSearch = createStrictAjv().compile(createJsonSchema('semantic-search', BASE));
const publishedSimilar = createStrictAjv().compile(createJsonSchema('similar', BASE));
const [match] = SEMANTIC_SEARCH_EXAMPLE.matches;
const [alternative] = SIMILAR_EXAMPLE.alternatives;

const acceptsMatch = (change: object): boolean => {
  const body = { query: 'weather', count: 1, matches: [{ ...match, ...change }] };
  const { success } = semanticSearchSchema.safeParse(body);
  expect(publishedSearch(body)).toBe(success);
  return success;
};

const accepts = (change: object): boolean => {
  const body = { ...SIMILAR_EXAMPLE, ...change };
  const { success } = similarSchema.safeParse(body);
  expect(publishedSimilar(body)).toBe(success);
  return success;
};

describe('a match', () => {
  it('may be unscored, and may have no description', () => {
    expect(acceptsMatch({})).toBe(true);
    expect(acceptsMatch({ score: null, grade: null })).toBe(true);
    const undescribed = SEMANTIC_SEARCH_EXAMPLE.matches.filter((each) => !('description' in each));
    const body = { query: 'weather', count: 1, matches: undescribed };
    expect(undescribed).toHaveLength(1);
    expect(semanticSearchSchema.safeParse(body).success && publishedSearch(body)).toBe(true);
  });

  it.each([
    { recommendation: 'proceed' },
    { flags: {} },
    { grade: '?' },
    { similarity: 0.4999 },
    { similarity: 1.01 },
    { description: null },
    { description: 'x'.repeat(501) },
  ])('has no verdict, and no value outside of the limits: %j', (change) => {
    expect(acceptsMatch(change)).toBe(false);
  });
});

describe('alternatives', () => {
  it('may be an empty list', () => {
    expect(accepts({ count: 0, alternatives: [] })).toBe(true);
  });

  it('may be of an endpoint outside the catalog', () => {
    const unknown = { score: null, grade: null, recommendation: null, endpointPage: null };
    expect(accepts({ subject: { ...SIMILAR_EXAMPLE.subject, ...unknown } })).toBe(true);
  });

  it('may be of an ungraded endpoint, but have a grade', () => {
    expect(accepts({ subject: { ...SIMILAR_EXAMPLE.subject, grade: '?', recommendation: 'free' } })).toBe(
      true,
    );
    expect(accepts({ alternatives: [{ ...alternative, grade: '?' }] })).toBe(false);
    expect(accepts({ alternatives: [{ ...alternative, score: null }] })).toBe(false);
    expect(accepts({ alternatives: [{ ...alternative, amountUsd: null, network: null }] })).toBe(true);
  });

  it('are at most 25', () => {
    const list = (count: number) => Array.from({ length: count }, () => alternative);
    expect(accepts({ count: 25, alternatives: list(25) })).toBe(true);
    expect(accepts({ count: 26, alternatives: list(26) })).toBe(false);
  });
});

describe('the examples', () => {
  it('follow the rules of the two operations', () => {
    const { matches, count } = SEMANTIC_SEARCH_EXAMPLE;
    const buckets = matches.map(({ similarity }) => Math.floor(similarity * 100));
    expect(buckets).toEqual([...buckets].sort((a, b) => b - a));
    expect(count).toBe(matches.length);
    const { subject, alternatives, resource } = SIMILAR_EXAMPLE;
    expect([resource, subject.resource]).toEqual([SIMILAR_REQUEST_EXAMPLE.resource, resource]);
    for (const { score, recommendation, similarity, resource: other } of alternatives) {
      expect(score).toBeGreaterThanOrEqual((subject.score ?? 0) + SIMILAR_REQUEST_EXAMPLE.minScoreDelta);
      expect(recommendation).not.toBe('avoid');
      expect(similarity).toBeGreaterThanOrEqual(MIN_SIMILARITY);
      expect(new URL(other).host).not.toBe(new URL(resource).host);
    }
  });

  it('agree with each other and with the trust report', () => {
    const { resource, score, grade, description, endpointPage, endpointId } = TRUST_REPORT_EXAMPLE;
    expect(match).toMatchObject({ id: endpointId, resource, score, grade, description, endpointPage });
    expect(alternative).toMatchObject({ resource, score, grade, endpointPage });
    expect(SIMILAR_EXAMPLE.subject).toMatchObject({ recommendation: 'avoid', score: 41.2, grade: 'D' });
    const subject = { ...SIMILAR_EXAMPLE.subject, recommendation: undefined };
    expect({ ...SEMANTIC_SEARCH_EXAMPLE.matches[1], recommendation: undefined }).toMatchObject(subject);
  });

  it('have ids of the catalog, which end the slugs of the pages', () => {
    for (const { id, endpointPage } of [
      ...SEMANTIC_SEARCH_EXAMPLE.matches,
      { ...TRUST_REPORT_EXAMPLE, id: TRUST_REPORT_EXAMPLE.endpointId },
    ]) {
      expect(id).toMatch(/^[a-z2-7]{10}$/);
      expect(endpointPage).toMatch(new RegExp(`-${id}$`));
    }
  });
});

describe('the size of a response', () => {
  const bytes = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value)).length;
  const link = `https://touchstone.example/endpoint/${'s'.repeat(100)}`;
  const fill = (resource: string, description: string): SemanticSearch => ({
    query: 'q'.repeat(500),
    count: 25,
    matches: Array.from({ length: 25 }, () => ({
      ...{ id: 'abcdefghij', resource, score: 91.9, grade: 'A' },
      ...{ similarity: 0.8214, description, endpointPage: link },
    })),
  });

  it('is less than 25 KB for 25 matches with long descriptions in ASCII', () => {
    const full = fill(`https://api.example.com/${'p'.repeat(76)}`, 'd'.repeat(TEXT_LIMITS.matchDescription));
    expect(semanticSearchSchema.safeParse(full).success).toBe(true);
    expect(bytes(full)).toBeLessThan(25_000);
  });

  it('is less than 200 KB for the longest URLs and texts', () => {
    const longestUrl = `https://a/${'p'.repeat(TEXT_LIMITS.resource - 10)}`;
    const worst = fill(longestUrl, '中'.repeat(TEXT_LIMITS.matchDescription));
    expect(semanticSearchSchema.safeParse(worst).success).toBe(true);
    expect(bytes(worst)).toBeLessThan(200_000);
  });
});
