import { InvalidCursorError, type ExplorePage, type ExploreQuery } from '@touchstone/store';
import { describe, expect, it } from 'vitest';
import { createTestSnapshot } from '../../testing/test-snapshot.ts';
import { createTestStore } from './testing/test-store.ts';
import { respondToCall } from './respond-to-call.ts';
import type { TrpcContext } from './trpc.ts';

const openWatches = () => {
  throw new Error('The explore page opens no watch');
};

/** Calls a procedure with GET and returns the status and the result or the error. */
async function call(name: string, input: unknown, methods: Partial<TrpcContext['store']>) {
  const query = `input=${encodeURIComponent(JSON.stringify(input))}`;
  const request = new Request(`http://localhost/api/trpc/explore.${name}?${query}`);
  const response = await respondToCall(request, { store: createTestStore(methods), openWatches });
  const body = (await response.json()) as { result?: { data: unknown }; error?: { message: string } };
  return { status: response.status, data: body.result?.data, message: body.error?.message };
}

/** Lists endpoints from a store that returns the given page, and records the query. */
async function list(params: string, page: Partial<ExplorePage> = {}) {
  const queries: ExploreQuery[] = [];
  const explore = (query: ExploreQuery) => {
    queries.push(query);
    const description = `The weather\u202E anywhere. ${'x'.repeat(5_000)}`;
    const snapshots = [createTestSnapshot({ description })];
    return Promise.resolve({ snapshots, next: null, total: 1, isTotalMinimum: false, counts: null, ...page });
  };
  return { ...(await call('list', { params }, { explore })), queries };
}

describe('explore.list', () => {
  it('returns only data that the endpoint page shows', async () => {
    const { data } = await list('', { next: 'abc' });
    expect(data).toEqual({
      matches: [
        {
          ...{ slug: 'api-example-com-weather-abcdefgh27', resource: 'https://api.example.com/weather' },
          ...{ serviceName: 'Weather', templated: false, score: 87.4, scoreLow: 85.1, grade: 'A' },
          description: `The weather anywhere. ${'x'.repeat(97)}…`,
          ...{ recommendation: 'proceed', confidence: 0.87, uptime30d: 99.9, amountUsd: '0.005000' },
          ...{ scoredProbes30d: 1440, blockedSince: null, uptimeDays: [null, 100, 97.9], latencyMs: 318 },
          ...{
            computedAt: '2026-03-04T12:34:56.000Z',
            firstSeen: '2026-01-02T03:04:05.000Z',
            contentChangedAt: '2026-03-03T00:00:00.000Z',
          },
          ...{ network: 'eip155:8453', listingStatus: 'listed', listingSource: 'directory' },
        },
      ],
      next: 'abc',
      total: 1,
      isTotalMinimum: false,
      counts: null,
    });
  });

  it('reads the same parameters as the URL of the page', async () => {
    const { queries } = await list(
      'q=fx+line&network=eip155:8453&grade=A,F&recommendation=avoid&min_price=0.01&max_price=1&property=reachable&host=a.example&tag=fx&status=delisted&sort=price&after=abc',
    );
    expect(queries).toEqual([
      {
        ...{ text: 'fx line', networks: ['eip155:8453'], grades: ['A', 'F'], recommendations: ['avoid'] },
        ...{ minPriceUsd: '0.01', maxPriceUsd: '1', host: 'a.example', tag: 'fx', status: 'delisted' },
        properties: ['reachable'],
        ...{ sort: 'price', after: 'abc', limit: 25, hasCounts: false },
      },
    ]);
  });

  it('states that more endpoints may match than were counted', async () => {
    expect((await list('', { isTotalMinimum: true })).data).toMatchObject({ isTotalMinimum: true });
  });

  it.each([
    [null, 'The input must be an object with the member params.'],
    [{ params: 1 }, 'params must be a text of at most 4000 characters.'],
    [{ params: 'x'.repeat(4_001) }, 'params must be a text of at most 4000 characters.'],
    [{ params: 'grade=Z&sort=x' }, 'Invalid values: grade=Z, sort=x.'],
  ])('refuses %j', async (input, message) => {
    expect(await call('list', input, {})).toMatchObject({ status: 400, message });
  });

  it('refuses a cursor that the store refuses', async () => {
    const explore = () => Promise.reject(new InvalidCursorError());
    expect(await call('list', { params: 'after=abc' }, { explore })).toMatchObject({
      status: 400,
      message: 'The cursor is not valid. Request the first page.',
    });
  });
});

describe('explore.list without a word match', () => {
  const list = async (params: string, ids: readonly string[] | null) => {
    const queries: ExploreQuery[] = [];
    const texts: string[] = [];
    const explore = (query: ExploreQuery) => {
      queries.push(query);
      const snapshots = query.ids === undefined ? [] : [createTestSnapshot()];
      return Promise.resolve({
        snapshots,
        next: null,
        total: snapshots.length,
        isTotalMinimum: false,
        counts: null,
      });
    };
    const findNearest = (text: string) => {
      texts.push(text);
      return Promise.resolve(ids);
    };
    const { data } = await call('list', { params }, { explore, findNearest });
    return { data, texts, queries };
  };

  it('lists the endpoints that are nearest in meaning, with the same filters', async () => {
    const { data, texts, queries } = await list('q=llm&grade=A', ['abcdefgh27']);
    expect(data).toMatchObject({ matches: [{ grade: 'A' }], total: 1, fallback: 'meaning' });
    expect(texts).toEqual(['llm']);
    expect(queries.at(1)).toEqual({ ...queries[0], ids: ['abcdefgh27'] });
  });

  it('lists nothing if no endpoint is similar enough', async () => {
    const { data, queries } = await list('q=zqxjkvbp', []);
    expect(data).toMatchObject({ matches: [], total: 0, fallback: 'meaning' });
    expect(queries).toHaveLength(1);
  });

  it('says that only words were compared if texts cannot be compared', async () => {
    expect((await list('q=llm', null)).data).toMatchObject({ matches: [], fallback: 'unavailable' });
  });

  it.each(['grade=A', 'q=https://a.example/x'])('compares no meaning for %s', async (params) => {
    const { data, texts } = await list(params, ['abcdefgh27']);
    expect(data).not.toHaveProperty('fallback');
    expect(texts).toEqual([]);
  });
});

describe('explore.suggest', () => {
  const suggestions = {
    endpoints: [createTestSnapshot({ serviceName: `Weather\u202E ${'x'.repeat(100)}` })],
    hosts: [{ host: 'api.example.com', endpoints: 3 }],
    tags: [{ tag: 'weather', endpoints: 9 }],
  };

  it('returns short suggestions for the normalized text', async () => {
    const texts: string[] = [];
    const suggest = (text: string) => {
      texts.push(text);
      return Promise.resolve(suggestions);
    };
    expect((await call('suggest', { text: ' wea\n' }, { suggest })).data).toEqual({
      endpoints: [
        {
          slug: 'api-example-com-weather-abcdefgh27',
          resource: 'https://api.example.com/weather',
          serviceName: `Weather ${'x'.repeat(51)}…`,
          grade: 'A',
          recommendation: 'proceed',
          amountUsd: '0.005000',
        },
      ],
      hosts: suggestions.hosts,
      tags: suggestions.tags,
    });
    expect(texts).toEqual(['wea']);
  });

  it.each([{}, { text: ' \u0000' }, { text: 'x'.repeat(501) }])('refuses %j', async (input) => {
    expect(await call('suggest', input, {})).toMatchObject({
      status: 400,
      message: 'text must be a text of 1 to 500 characters.',
    });
  });
});
