import { expect, it } from 'vitest';
import type { RelatedEndpoint } from '@touchstone/store';
import { findRelated, toReportRelated } from './find-related.ts';

const BASE = 'https://touchstone.example';

function createCandidate(resource: string, change: Partial<RelatedEndpoint> = {}): RelatedEndpoint {
  return {
    resource,
    slug: 'a-example-aaaaaaaaaa',
    templated: resource.includes('{'),
    source: 'directory',
    score: 80,
    grade: 'A',
    recommendation: 'proceed',
    confidence: 0.9,
    ...change,
  };
}

const find = (resource: string, ...candidates: readonly RelatedEndpoint[]): string | null =>
  findRelated({ resource }, candidates)?.resource ?? null;

it('finds the endpoint without the query, and the template of a filled-in URL', () => {
  const plain = createCandidate('https://a.example/weather');
  expect(find('https://a.example/weather?city=berlin', plain)).toBe(plain.resource);
  const template = createCandidate('https://a.example/items/{id}');
  expect(find('https://a.example/items/7', template)).toBe(template.resource);
  expect(find('https://a.example/items/7?full=1', template)).toBe(template.resource);
});

it('finds no endpoint with another path, and not the requested one', () => {
  const plain = createCandidate('https://a.example/weather');
  expect(find('https://a.example/weather', plain)).toBeNull();
  expect(find('https://a.example/weathers?city=berlin', plain)).toBeNull();
  expect(find('https://a.example/items/7/8', createCandidate('https://a.example/items/{id}'))).toBeNull();
});

it('prefers the endpoint about which most is known', () => {
  const young = createCandidate('https://a.example/weather', { confidence: 0.1, score: 95 });
  const old = createCandidate('https://a.example/weather?city=paris', { confidence: 0.9, score: 60 });
  expect(find('https://a.example/weather?city=berlin', young, old)).toBe(old.resource);
});

it('prefers an endpoint of a directory to an adopted one', () => {
  const adopted = createCandidate('https://a.example/weather', { source: 'adopted', confidence: 0.9 });
  const listed = createCandidate('https://a.example/weather?city=paris', { confidence: 0.1 });
  expect(find('https://a.example/weather?city=berlin', adopted, listed)).toBe(listed.resource);
});

it('links the page of the endpoint', () => {
  const plain = createCandidate('https://a.example/weather');
  expect(toReportRelated(findRelated({ resource: 'https://a.example/weather?a=1' }, [plain]), BASE)).toEqual({
    resource: plain.resource,
    score: 80,
    grade: 'A',
    recommendation: 'proceed',
    confidence: 0.9,
    endpointPage: `${BASE}/endpoint/a-example-aaaaaaaaaa`,
  });
});
