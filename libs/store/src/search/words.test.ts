import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { connect, type PublicStore, type Snapshot } from '../index.ts';
import { ALL_ENDPOINTS, setExploreLimits } from '../testing/explore.ts';
import { useTestDatabase, makeId } from '../testing/fixtures.ts';
import { addEndpoints, changeFunction, storeEndpoints, type SearchableEndpoint } from '../testing/search.ts';

const database = useTestDatabase();
let store: PublicStore;

const make = (
  n: number,
  resource: string,
  extra: SearchableEndpoint['snapshot'] = {},
): SearchableEndpoint => ({
  id: makeId(n),
  score: 50,
  vector: null,
  snapshot: { resource, host: new URL(resource).host, ...extra },
});
const ENDPOINTS = [
  make(1, 'https://cryptick.example/v1/getQuote', {
    serviceName: 'Market data',
    description: 'Returns a price.',
  }),
  make(2, 'https://one.example/weather', { description: 'Forecasts for a city.', score: 60 }),
  make(3, 'https://two.example/weather', { score: 90, listingStatus: 'delisted' }),
  make(4, 'https://three.example/data', { description: 'The weather of any city.', score: 95 }),
  { ...make(5, 'https://hidden.example/weather'), public: false },
  { ...make(6, 'https://two.example/weather/paris?unit=c', { score: 70 }), tags: ['Air-Quality'] },
];

beforeAll(async () => {
  store = database.openStore();
  await storeEndpoints(database, ENDPOINTS);
});

const findSnapshots = async (text: string, limit: number): Promise<readonly Snapshot[]> =>
  (await store.explore({ ...ALL_ENDPOINTS, text, sort: 'relevance', limit })).snapshots;
const search = async (text: string, limit = 10) =>
  (await findSnapshots(text, limit)).map(
    ({ endpointId }) => ENDPOINTS.findIndex(({ id }) => id === endpointId) + 1,
  );

describe('a search for a text', () => {
  it('finds words of the host, path, service name and description; listed endpoints are first', async () => {
    expect(await search('weather')).toEqual([6, 2, 4, 3]);
    expect(await search('weather', 2)).toEqual([6, 2]);
    expect((await search('city forecast'))[0]).toBe(2);
    expect((await search('Market'))[0]).toBe(1);
    expect((await search('quote'))[0]).toBe(1);
  });

  it.each(['cryptik', 'crypt', 'CRYPTICK', 'ryptic', 'getquot', 'https://cryptick.exampel'])(
    'finds a similar spelling or a part of a host: %s',
    async (query) => {
      expect((await search(query))[0]).toBe(1);
    },
  );

  it('finds words of the tags, and any word if no endpoint has all words', async () => {
    expect(await search('air quality paris')).toEqual([6]);
    expect(await search('cryptick paris')).toEqual([1, 6]);
  });

  it('finds weather for whether, but nothing for an unknown word', async () => {
    expect(await search('whether')).toEqual([6, 2, 4, 3]);
    expect(await search('zzzzzz')).toEqual([]);
  });

  it.each([
    ['https://two.example/weather/paris?unit=c', 6],
    ['two.example/weather/paris?unit=c', 6],
    [' https://two.example/weather ', 3],
    ['https://two.example/weather/', 3],
  ])('finds the endpoint of the URL %s first', async (url, expected) => {
    expect((await search(url))[0]).toBe(expected);
  });

  it('finds nothing for an unknown URL with words of other endpoints', async () => {
    expect(await search('https://absent.example/weather/paris')).toEqual([]);
    expect(await search('https://two.example/weather/pariss')).toEqual([]);
  });

  it('returns the endpoints with given ids in their order, within the filters', async () => {
    const ids = [makeId(4), makeId(5), makeId(2), 'aaaaaaaaaa', makeId(3)];
    const query = { ...ALL_ENDPOINTS, text: 'rain', sort: 'relevance', ids } as const;
    const readIds = async (change: object) =>
      (await store.explore({ ...query, ...change })).snapshots.map(({ endpointId }) => endpointId);
    expect(await readIds({})).toEqual([makeId(4), makeId(2), makeId(3)]);
    expect(await readIds({ status: 'listed' })).toEqual([makeId(4), makeId(2)]);
    expect(await readIds({ ids: [] })).toEqual([]);
  });

  it('returns public snapshots like the other methods', async () => {
    const [found] = await findSnapshots('cryptick', 1);
    expect(found).toMatchObject({ ...(await store.readSnapshot(makeId(1))) });
    expect(await search('hidden')).toEqual([]);
  });

  it('does not show whether an endpoint exists that is not public', async () => {
    const unknown = await search('absent.example weather');
    expect(unknown.length).toBeGreaterThan(0);
    expect(await search('hidden.example weather')).toEqual(unknown);
  });

  it('has no words of an endpoint that is no longer public', async () => {
    const moved = make(7, 'https://vanished.example/weather');
    const unknown = await search('https://absent.example/weather');
    expect(unknown).toEqual([]);
    await addEndpoints(database, [moved]);
    expect(await search('https://vanished.example/weather')).toHaveLength(1);
    await addEndpoints(database, [{ ...moved, public: false }]);
    await database.db.rpc('delete_unused_texts', { p_limit: 100 });
    expect(await search('https://vanished.example/weather')).toEqual(unknown);
  });

  it.each([' ', 'a', '%', '_', '%%%', '&|!:*()<->', "'", '\\', '"', '-', '\0', 'or', '\u{1f600}', 'é'])(
    'has no results for %j',
    async (query) => {
      expect(await search(query)).toEqual([]);
    },
  );

  it('accepts any text', async () => {
    const part = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('weather', "'", '\\', ':*', '&', '%', '_', '"'),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 12 }), async (parts) => {
        const found = await search(parts.join(''));
        expect(new Set(found).size).toBe(found.length);
        expect(found).not.toContain(5);
      }),
      { numRuns: 15 },
    );
  });

  describe.each([
    ['rare', { matches: 2000, rows: 2000 }],
    ['common', { matches: 2, rows: 2000 }],
    ['common, of which the index has too few rows,', { matches: 2, rows: 2 }],
  ])('that is %s', (_, limits) => {
    it('finds one of the copies on a host, except with a filter by this host', async () => {
      await setExploreLimits(database, limits);
      const copy = (n: number, text = 'Tides.', host = 'copies.example') => ({
        ...make(n, `https://${host}/tide/${String(n)}`, { description: text }),
        ...{ text, described: true },
      });
      const copies = [
        copy(20),
        copy(21),
        copy(22),
        copy(23, 'Tides 2.'),
        copy(24, 'Tides.', 'tides.example'),
      ];
      await storeEndpoints(database, [...ENDPOINTS, ...copies]);
      const query = { ...ALL_ENDPOINTS, text: 'tides', sort: 'relevance' } as const;
      const list = async (change = {}) =>
        (await store.explore({ ...query, ...change })).snapshots
          .map(({ endpointId }) => endpointId)
          .toSorted();
      expect(await list()).toEqual([20, 23, 24].map(makeId));
      expect(await list({ host: 'copies.example' })).toEqual([20, 21, 22, 23].map(makeId));
      expect(await list({ text: '', host: 'copies.example' })).toHaveLength(4);
      await setExploreLimits(database, { matches: 2000, rows: 2000 });
    });
  });

  it('reads only the first 200 characters of words', async () => {
    expect(await search('weather '.repeat(10_000))).toEqual([6, 2, 4, 3]);
    expect(await search(`${'weather '.repeat(25)} zzzzzz`)).toEqual([6, 2, 4, 3]);
  });

  it.each([
    [1_000_000, 51],
    [-1, 1],
    [0, 1],
    [null, 26],
  ])('returns 1 to 51 endpoints: %j are %i', async (limit, expected) => {
    await addEndpoints(
      database,
      Array.from({ length: 60 }, (_, i) => make(100 + i, `https://many.example/repeated/${i}`)),
    );
    const db = connect({ url: database.url, key: database.keys.publishable });
    const args = { p_text: 'repeated', p_filters: {}, p_sort: 'relevance', p_limit: limit as number };
    expect((await db.rpc('explore', args)).data).toMatchObject({ rows: { length: expected } });
  });
});

/** Runs SQL that returns one row. */
const query = async (sql: string, parameters: unknown[] = []): Promise<unknown> =>
  (await database.connection.driver.query(sql, parameters)).rows[0];

describe('the work of a search', () => {
  it.each(['criptick', 'crptick', 'cryptickk', 'cyrptick', 'marcket', 'getqoute', 'markett'])(
    'compares words until one has a similar word, also after the maximum time: %s',
    async (misspelt) => {
      const restore = await changeFunction(database, 'internal.max_word_search_ms', {
        'then 50 else 200': 'then 0 else 0',
      });
      const found = [
        await search(misspelt),
        await search(`weather ${misspelt}`),
        await search(`zzzzzzzzzz ${misspelt}`),
      ];
      await restore();
      expect(found).toEqual([[1], [1], [1]]);
    },
  );

  it('compares five words: unknown words first, then the longest words', async () => {
    const words = ['cryptick', 'dataa', 'markett', 'parisss', 'getquotee', 'weatherr', 'market', 'marketts'];
    const sql = `select internal.to_similar_query($1)::text as query`;
    const { query: compared } = (await query(sql, [words])) as { query: string };
    expect(compared.match(/&/g)).toHaveLength(4);
    expect(compared).not.toMatch(/cryptick|'data'/);
  });

  it('reads the trigram index', async () => {
    const count = `pg_stat_get_xact_numscans('public.search_words_trigrams'::regclass)::int`;
    const sql = `
      with before as materialized (select ${count} as scans),
      found as materialized (select scans, internal.find_similar_words('weathr') as words from before)
      select words, ${count} - scans as scans from found`;
    expect(await query(sql)).toEqual({ words: ['weather'], scans: 2 });
  });

  it('ends with a timeout where the API of the database applies one', async () => {
    const sql = `
      select array_agg(proname::text order by proname) as names from pg_proc
      where pronamespace = 'public'::regnamespace and proconfig::text like '%statement_timeout%'
        and provolatile = 's'`;
    expect(await query(sql)).toEqual({
      names: ['alternatives_to', 'explore', 'search_by_embedding', 'suggest'],
    });
  });
});
