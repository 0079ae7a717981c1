import { describe, expect, it } from 'vitest';
import { SIMILAR_SCHEMAS } from '../similar/operation.ts';
import { TRUST_REPORT_EXAMPLE } from '../trust-report/report-schema.ts';
import { createCheck } from '../../testing/schema-checks.ts';
import {
  MIN_SIMILARITY,
  SEMANTIC_SEARCH_SCHEMAS,
  semanticSearchSchema,
  type SemanticSearch,
} from './operation.ts';
import { TEXT_LIMITS } from '../../shared/values.ts';

const SEMANTIC_SEARCH_EXAMPLE = SEMANTIC_SEARCH_SCHEMAS['semantic-search'].example;
const SIMILAR_EXAMPLE = SIMILAR_SCHEMAS.similar.example;
const acceptsSearch = createCheck('semantic-search');
const acceptsSimilar = createCheck('similar');
const [match] = SEMANTIC_SEARCH_EXAMPLE.matches;
const [alternative] = SIMILAR_EXAMPLE.alternatives;

const acceptsMatch = (change: object): boolean =>
  acceptsSearch({ query: 'weather', count: 1, matches: [{ ...match, ...change }] });
const accepts = (change: object): boolean => acceptsSimilar({ ...SIMILAR_EXAMPLE, ...change });

describe('a match', () => {
  it('may be unscored, and may have no description', () => {
    expect(acceptsMatch({ score: null, grade: null, confidence: null })).toBe(true);
    const undescribed = SEMANTIC_SEARCH_EXAMPLE.matches.filter((each) => !('description' in each));
    expect(undescribed).toHaveLength(1);
    expect(acceptsSearch({ query: 'weather', count: 1, matches: undescribed })).toBe(true);
  });

  it.each([
    { recommendation: 'proceed' },
    { flags: {} },
    { grade: '?' },
    { similarity: 0.4999 },
    { similarity: 1.01 },
    { confidence: 1.01 },
    { description: null },
    { description: 'x'.repeat(501) },
  ])('has no verdict, and no value outside of the limits: %j', (change) => {
    expect(acceptsMatch(change)).toBe(false);
  });
});

describe('alternatives', () => {
  it('may be an empty list', () => {
    expect(accepts({ count: 0, withinDelta: 0, alternatives: [] })).toBe(true);
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
    expect([resource, subject.resource]).toEqual([
      SIMILAR_SCHEMAS['similar-request'].example.resource,
      resource,
    ]);
    for (const { score, recommendation, similarity, resource: other } of alternatives) {
      expect(score).toBeGreaterThanOrEqual(
        subject.score + SIMILAR_SCHEMAS['similar-request'].example.minScoreDelta,
      );
      expect(recommendation).not.toBe('avoid');
      expect(similarity).toBeGreaterThanOrEqual(MIN_SIMILARITY);
      expect(new URL(other).host).not.toBe(new URL(resource).host);
    }
  });

  it('agree with each other and with the trust report', () => {
    const { resource, score, grade, confidence, description, endpointPage, endpointId } =
      TRUST_REPORT_EXAMPLE;
    const shared = { resource, score, grade, confidence, endpointPage };
    expect(match).toMatchObject({ id: endpointId, description, ...shared });
    expect(alternative).toMatchObject(shared);
    expect(SIMILAR_EXAMPLE.subject).toMatchObject({ recommendation: 'avoid', score: 41.2, grade: 'D' });
    const subject = { ...SIMILAR_EXAMPLE.subject, recommendation: undefined };
    expect({ ...SEMANTIC_SEARCH_EXAMPLE.matches[1], recommendation: undefined }).toMatchObject(subject);
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
      ...{ confidence: 0.98, similarity: 0.8214, description, endpointPage: link },
    })),
  });

  it.each([
    [25_000, `https://api.example.com/${'p'.repeat(76)}`, 'd'],
    [200_000, `https://a/${'p'.repeat(TEXT_LIMITS.resource - 10)}`, '中'],
  ])('is less than %d bytes for 25 matches with long texts', (maximum, resource, character) => {
    const full = fill(resource, character.repeat(TEXT_LIMITS.matchDescription));
    expect(semanticSearchSchema.safeParse(full).success).toBe(true);
    expect(bytes(full)).toBeLessThan(maximum);
  });
});
