import type { PageTarget } from '@touchstone/store';
import type { Lookup } from './page-guard.ts';
import { describe, expect, it } from 'vitest';
import { routeEndpointPage } from './endpoint-route.ts';

const KNOWN = 'api-example-com-weather-abcdefgh27';
const targets: Readonly<Record<string, PageTarget>> = { abcdefgh27: { slug: KNOWN }, removedd22: 'removed' };
const findPageTarget = async (endpointId: string): Promise<Lookup<NonNullable<PageTarget>>> => {
  const value = targets[endpointId] ?? null;
  return value === null ? { kind: 'missing' } : { kind: 'found', value };
};

describe('routeEndpointPage', () => {
  it('serves an endpoint at its canonical slug', async () => {
    expect(await routeEndpointPage(KNOWN, findPageTarget)).toEqual({ kind: 'serve' });
  });

  it.each(['other-words-abcdefgh27', 'abcdefgh27'])('redirects %s to the canonical slug', async (slug) => {
    expect(await routeEndpointPage(slug, findPageTarget)).toEqual({ kind: 'redirect', slug: KNOWN });
  });

  it('returns unknown for an unknown id', async () => {
    expect(await routeEndpointPage('api-example-com-aaaaaaaaaa', findPageTarget)).toEqual({
      kind: 'unknown',
    });
  });

  it('returns removed for an endpoint that was removed on request, at any slug', async () => {
    expect(await routeEndpointPage('api-example-com-removedd22', findPageTarget)).toEqual({
      kind: 'removed',
    });
  });

  it('returns unknown without a query, and limited for a client with too many unknown pages', async () => {
    expect(await routeEndpointPage(KNOWN, async () => ({ kind: 'unknown' }))).toEqual({ kind: 'unknown' });
    const limited = { kind: 'limited', limited: 'client', retryAfterSeconds: 30 } as const;
    expect(await routeEndpointPage(KNOWN, async () => limited)).toEqual(limited);
  });

  it('does not query the database for an invalid slug', async () => {
    const never = () => Promise.reject(new Error('queried'));
    expect(await routeEndpointPage('<script>', never)).toEqual({ kind: 'unknown' });
  });

  it('serves the page if the database is unavailable', async () => {
    const unavailable = () => Promise.reject(new Error('unavailable'));
    expect(await routeEndpointPage(KNOWN, unavailable)).toEqual({ kind: 'serve' });
  });
});
