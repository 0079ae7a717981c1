import { describe, expect, it } from 'vitest';
import { routeEndpointPage } from './endpoint-route.ts';

const KNOWN = 'api-example-com-weather-abcdefgh27';
const findCanonicalSlug = async (endpointId: string) => (endpointId === 'abcdefgh27' ? KNOWN : null);

describe('routeEndpointPage', () => {
  it('serves an endpoint at its canonical slug', async () => {
    expect(await routeEndpointPage(KNOWN, findCanonicalSlug)).toEqual({ kind: 'serve' });
  });

  it.each(['other-words-abcdefgh27', 'abcdefgh27'])('redirects %s to the canonical slug', async (slug) => {
    expect(await routeEndpointPage(slug, findCanonicalSlug)).toEqual({ kind: 'redirect', slug: KNOWN });
  });

  it('returns unknown for an unknown id', async () => {
    expect(await routeEndpointPage('api-example-com-aaaaaaaaaa', findCanonicalSlug)).toEqual({
      kind: 'unknown',
    });
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
