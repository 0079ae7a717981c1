import { describe, expect, it } from 'vitest';
import { routeEndpoint } from './endpoint-route.ts';

const KNOWN = 'api-example-com-weather-abcdefgh27';
const canonicalSlug = async (endpointId: string) => (endpointId === 'abcdefgh27' ? KNOWN : null);

describe('routeEndpoint', () => {
  it('serves an endpoint under its slug', async () => {
    expect(await routeEndpoint(KNOWN, canonicalSlug)).toEqual({ kind: 'serve' });
  });

  it.each(['other-words-abcdefgh27', 'abcdefgh27'])('sends %s to the slug of its endpoint', async (slug) => {
    expect(await routeEndpoint(slug, canonicalSlug)).toEqual({ kind: 'redirect', slug: KNOWN });
  });

  it('does not know an endpoint that does not exist', async () => {
    expect(await routeEndpoint('api-example-com-aaaaaaaaaa', canonicalSlug)).toEqual({ kind: 'unknown' });
  });

  it('does not ask the database about what is no slug', async () => {
    const never = () => Promise.reject(new Error('asked'));
    expect(await routeEndpoint('<script>', never)).toEqual({ kind: 'unknown' });
  });

  it('leaves it to the page when the database cannot be asked', async () => {
    const away = () => Promise.reject(new Error('away'));
    expect(await routeEndpoint(KNOWN, away)).toEqual({ kind: 'serve' });
  });
});
