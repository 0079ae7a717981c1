import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { TEXT_LIMITS } from '@touchstone/contract';
import type { WorkResult } from '@touchstone/payment';
import type { SearchContext } from '@touchstone/pipeline/search/search-context';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { hashResource, toPaymentResource } from './paid-route.ts';

beforeEach(() => {
  vi.resetModules();
  vi.stubEnv('SUPABASE_URL', 'http://127.0.0.1:1');
  vi.stubEnv('SUPABASE_PUBLISHABLE_KEY', 'publishable');
  vi.stubEnv('SUPABASE_SECRET_KEY', 'secret');
  vi.stubEnv('BASE_URL', 'https://touchstone.example');
});
afterEach(() => {
  vi.unstubAllEnvs();
});

/** Runs a search with the embedder that the environment variables configure. */
async function search(change: Partial<SearchContext> = {}): Promise<WorkResult> {
  const { searchEndpoints } = await import('@touchstone/pipeline/search/search-endpoints');
  const { sellSearch } = await import('./search.ts');
  return sellSearch('buyer', (context) =>
    searchEndpoints({ ...context, ...change }, { query: 'weather', limit: 5 }),
  );
}

describe('a search', () => {
  it('is unavailable without an embedder, and a repeated request would be too', async () => {
    vi.stubEnv('EMBEDDER', 'none');
    const result = await search();
    expect(result).toMatchObject({ problem: { code: 'search-unavailable', status: 503 } });
    expect(result).not.toHaveProperty('retryAfterSeconds');
  });

  it('is refused without a charge if too many searches wait', async () => {
    const { sellSearch } = await import('./search.ts');
    const { SearchBusyError } = await import('./search-queue.ts');
    const refused = sellSearch('buyer', () => Promise.reject(new SearchBusyError()));
    expect(await refused).toMatchObject({ problem: { status: 429 }, retryAfterSeconds: 5 });
  });

  it('can be repeated after a time if the embedder does not respond', async () => {
    vi.stubEnv('EMBEDDER', 'http://127.0.0.1:1');
    vi.stubEnv('EMBEDDER_TOKEN', '0123456789abcdef');
    expect(await search()).toMatchObject({ problem: { code: 'search-unavailable' }, retryAfterSeconds: 30 });
  });

  it('delays no other search while the embedder does not respond', async () => {
    const { runSearch } = await import('./search-queue.ts');
    await Promise.all(
      [1, 2].map(() => {
        const { promise, resolve } = Promise.withResolvers<null>();
        const embed = () => new Promise<never>(() => resolve(null));
        void search({ embedder: { model: 'model', embed, embedEndpoints: embed, check: embed } });
        return promise;
      }),
    );
    expect(await runSearch({ client: 'visitor' }, () => Promise.resolve('found'))).toBe('found');
  });

  it('sends the token to the configured embedder', async () => {
    const received: unknown[] = [];
    const server = createServer(({ headers }, response) => {
      received.push(headers.authorization);
      response.writeHead(401).end();
    });
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    vi.stubEnv('EMBEDDER', `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`);
    vi.stubEnv('EMBEDDER_TOKEN', '0123456789abcdef');
    expect(await search()).toMatchObject({ problem: { code: 'search-unavailable' } });
    expect(received).toEqual(['Bearer 0123456789abcdef']);
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  });
});

describe('the resource of a payment', () => {
  it('is the canonical URL for alternatives', () => {
    const resource = 'HTTPS://API.example.com:443/v1/weather#top';
    expect(toPaymentResource({ resource })).toBe('https://api.example.com/v1/weather');
  });

  it('is the hash of the query for a search, so it is neither a URL nor readable', () => {
    expect(hashResource('query', 'https://api.example.com/v1/weather')).toBe(
      // Hash from another program: printf %s "$query"
      // sha256sum
      'query:8866488a5ce70094bd0423615c0010df982877c96461bbc884dd6a1191ca4f5d',
    );
  });

  it('is the hash of the list for scores, so the payment is bound to none of the endpoints', () => {
    const resources = Array.from({ length: 500 }, (_, index) => `https://api.example.com/${index}`);
    const text = hashResource('bulk', JSON.stringify(resources));
    expect(text).toMatch(/^bulk:[0-9a-f]{64}$/);
    expect(text.length).toBeLessThan(TEXT_LIMITS.resource);
    expect(hashResource('bulk', JSON.stringify(resources.toReversed()))).not.toBe(text);
  });
});
