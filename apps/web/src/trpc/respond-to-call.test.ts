import type { Snapshot } from '@touchstone/store';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createTestSnapshot } from '../testing/test-snapshot.ts';
import { createTestStore } from '../testing/test-store.ts';
import { respondToCall } from './respond-to-call.ts';

interface Search {
  readonly query: string;
  readonly limit: number;
}

/** Sends a request to the procedures. The store finds the given snapshots and records the searches. */
async function send(path: string, { method = 'GET', found = [] as readonly Snapshot[] } = {}) {
  const searches: Search[] = [];
  const store = createTestStore({
    searchByWords: (query: string, limit: number) => {
      searches.push({ query, limit });
      return Promise.resolve(found.slice(0, limit));
    },
  });
  const request = new Request(`http://localhost/api/trpc/${path}`, { method });
  return { response: await respondToCall(request, { store, openWatches }), searches };
}

const toSearchPath = (input: unknown) =>
  `search.endpoints?input=${encodeURIComponent(JSON.stringify(input))}`;

const openWatches = () => {
  throw new Error('a search opens no watch');
};

const INTERNAL_ERROR = {
  error: { message: 'The service failed to process this request. Send it again in a minute.' },
};

afterEach(() => void vi.restoreAllMocks());

describe('search.endpoints', () => {
  it('returns only data that the endpoint page shows', async () => {
    const { response, searches } = await send(toSearchPath({ query: ' weather\n' }), {
      found: [createTestSnapshot({ description: `The weather\u202E anywhere. ${'x'.repeat(5_000)}` })],
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('public, max-age=60');
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(searches).toEqual([{ query: 'weather', limit: 10 }]);
    expect(await response.json()).toEqual({
      result: {
        data: [
          {
            slug: 'api-example-com-weather-abcdefgh27',
            resource: 'https://api.example.com/weather',
            host: 'api.example.com',
            serviceName: 'Weather',
            description: `The weather anywhere. ${'x'.repeat(277)}…`,
            templated: false,
            score: 87.4,
            grade: 'A',
            recommendation: 'proceed',
            uptime30d: 99.9,
            amountUsd: '0.005000',
            network: 'eip155:8453',
            listingStatus: 'listed',
            listingSource: 'directory',
          },
        ],
      },
    });
  });

  it.each([1, 25])('accepts the limit %i', async (limit) => {
    const { response, searches } = await send(toSearchPath({ query: 'x', limit }));
    expect(response.status).toBe(200);
    expect(searches).toEqual([{ query: 'x', limit }]);
  });

  it.each([
    [null, 'The input must be an object with the member query.'],
    [{}, 'query must be a text of 1 to 200 characters.'],
    [{ query: ' \u0000 ' }, 'query must be a text of 1 to 200 characters.'],
    [{ query: 'x'.repeat(201) }, 'query must be a text of 1 to 200 characters.'],
    [{ query: 'x', limit: 0 }, 'limit must be an integer from 1 to 25.'],
    [{ query: 'x', limit: 26 }, 'limit must be an integer from 1 to 25.'],
    [{ query: 'x', limit: 1.5 }, 'limit must be an integer from 1 to 25.'],
    [{ query: 'x', limit: '5' }, 'limit must be an integer from 1 to 25.'],
  ])('refuses the input %j', async (input, message) => {
    const { response, searches } = await send(toSearchPath(input));
    expect(response.status).toBe(400);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.json()).toMatchObject({ error: { message, data: { code: 'BAD_REQUEST' } } });
    expect(searches).toEqual([]);
  });
});

describe('respondToCall', () => {
  it('refuses batches', async () => {
    const { response, searches } = await send(
      'search.endpoints,search.endpoints?batch=1&input=%7B%220%22%3A%7B%22query%22%3A%22x%22%7D%7D',
    );
    expect(response.status).toBe(400);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(searches).toEqual([]);
  });

  it('responds to HEAD like to GET', async () => {
    const { response } = await send(toSearchPath({ query: 'x' }), { method: 'HEAD' });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json');
  });

  it.each(['unknown', '__proto__', 'search', 'search.endpoints.call'])(
    'responds with 404 to the unknown procedure %s',
    async (name) => {
      const { response } = await send(name);
      expect(response.status).toBe(404);
      expect(response.headers.get('cache-control')).toBe('no-store');
    },
  );

  it('logs the cause of an internal error and does not send it', async () => {
    const log = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const store = createTestStore({ searchByWords: () => Promise.reject(new Error('secret host is down')) });
    const response = await respondToCall(
      new Request(`http://localhost/api/trpc/${toSearchPath({ query: 'x' })}`),
      { store, openWatches },
    );
    expect(response.status).toBe(500);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const body: unknown = await response.json();
    expect(body).toMatchObject(INTERNAL_ERROR);
    expect(JSON.stringify(body)).not.toMatch(/secret|stack|\.ts/);
    expect(log.mock.calls).toEqual([
      ['{"failed":"/api/trpc/search.endpoints","cause":"secret host is down"}\n'],
    ]);
  });
});
