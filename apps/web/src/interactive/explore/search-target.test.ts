import { canonicalize } from '@touchstone/catalog';
import { describe, expect, it } from 'vitest';
import { NO_PARAMS, parseExploreParams } from './explore-params.ts';
import { findSearchTarget, type PageLookups } from './search-target.ts';

const toId = (url: string): string => {
  const canonical = canonicalize(url);
  return canonical.ok ? canonical.id : '';
};
const TARGETS = new Map<string, { slug: string; optedOutAt: null } | 'removed'>([
  [toId('https://api.example.com/rates'), { slug: 'rates', optedOutAt: null }],
  [toId('https://api.example.com/gone'), 'removed'],
]);
const LOOKUPS: PageLookups = {
  endpoint: (id) => {
    const value = TARGETS.get(id);
    return Promise.resolve(value === undefined ? { kind: 'missing' } : { kind: 'found', value });
  },
  host: (host) =>
    Promise.resolve(host === 'api.example.com' ? { kind: 'found', value: true } : { kind: 'missing' }),
};
const find = (text: string, lookups = LOOKUPS) =>
  findSearchTarget({ ...NO_PARAMS, text, sort: 'relevance' }, lookups);
const unmonitored = (resource: string, host: string | null, fault: string | null = null) => ({
  kind: 'unmonitored',
  url: { resource, host, fault },
});

describe('findSearchTarget', () => {
  it.each([
    ['https://api.example.com/rates', '/endpoint/rates'],
    ['HTTPS://API.example.com:443/rates/', '/endpoint/rates'],
    ['http://api.example.com/rates', '/endpoint/rates'],
    ['api.example.com/rates', '/endpoint/rates'],
    ['https://api.example.com/gone', expect.stringMatching(/^\/endpoint\/api-example-com-gone-/)],
    ['https://api.example.com', '/provider/api.example.com'],
    ['API.example.com', '/provider/api.example.com'],
  ])('opens the page of %s', async (text, path: unknown) => {
    expect(await find(text)).toEqual({ kind: 'page', path });
  });

  it.each([
    ['https://api.example.com/new?b=1#x', unmonitored('https://api.example.com/new?b=1', 'api.example.com')],
    ['other.example.com/x', unmonitored('https://other.example.com/x', null)],
    ['https://localhost/x', unmonitored('https://localhost/x', null, 'the host is localhost')],
  ])('explains that %s is not monitored', async (text, expected) => {
    expect(await find(text)).toEqual(expected);
  });

  it.each(['', 'weather', 'unknown.example.com', 'v1.2/rates'])('lists endpoints for %j', async (text) => {
    expect(await find(text)).toBeNull();
  });

  it('lists the endpoints of a host with filters', async () => {
    const { params } = parseExploreParams(new URLSearchParams('q=api.example.com&grade=A'));
    expect(await findSearchTarget(params, LOOKUPS)).toBeNull();
  });

  it('reports a limited lookup', async () => {
    const limited = { kind: 'limited', limited: 'client', retryAfterSeconds: 3 } as const;
    const endpoint = () => Promise.resolve(limited);
    expect(await find('https://api.example.com/rates', { ...LOOKUPS, endpoint })).toEqual(limited);
  });
});
