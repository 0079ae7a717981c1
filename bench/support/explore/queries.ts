import { quoteSql, type Session } from '../psql.ts';
import type { GeneratedEndpoint } from '../search/catalog.ts';
import { LARGE_HOST } from '../search/catalog.ts';
import { COMMON_TAG, RARE_NETWORK, RARE_TAG } from './claims.ts';

/** Number of endpoints per page of the site. */
const PAGE_SIZE = 25;

export interface Query {
  readonly name: string;
  /** The query with different values. They are repeated if there are too few. */
  readonly statements: readonly string[];
}

/** Call of `explore`, as the store sends it. */
interface ExploreCall {
  readonly text?: string;
  readonly filters?: object;
  readonly sort?: string;
  /** Position of the last row of the previous page, as SQL. */
  readonly after?: string;
}

function toExploreSql({ text = '', filters = {}, sort = 'score', after }: ExploreCall): string {
  const position = after === undefined ? '' : `, ${after}`;
  return `select length(public.explore(
    ${quoteSql(text)}, ${quoteSql(JSON.stringify(filters))}, '${sort}', ${PAGE_SIZE + 1}${position})::text)`;
}

const SORT_COLUMNS: Readonly<Record<string, string>> = {
  score: 'by_score',
  price: 'by_price',
  'price-desc': 'by_price_desc',
  uptime: 'by_uptime',
  latency: 'by_latency',
  newest: 'by_newest',
  changed: 'by_changed',
};
const SORTS = Object.keys(SORT_COLUMNS);

const inAllSorts = (call: ExploreCall): readonly string[] =>
  SORTS.map((sort) => toExploreSql({ ...call, sort }));

/** Returns one query for each filter. Its statements use the filter with every sort order. */
function createFilterQueries(endpoints: readonly GeneratedEndpoint[]): readonly Query[] {
  const smallHosts = endpoints.filter(({ host }) => host !== LARGE_HOST).slice(20_000, 20_010);
  const filters: readonly (readonly [string, object])[] = [
    ['frequent network (88 %)', { networks: ['eip155:8453'] }],
    ['rare network (0.02 %)', { networks: [RARE_NETWORK] }],
    ['frequent tag (50 %)', { tag: COMMON_TAG }],
    ['rare tag (0.02 %)', { tag: RARE_TAG }],
    ['grade F', { grades: ['F'] }],
    ['grades A and B', { grades: ['A', 'B'] }],
    ['recommendation avoid', { recommendations: ['avoid'] }],
    ['recommendation free (0.1 %)', { recommendations: ['free'] }],
    ['delisted (4 %)', { status: 'delisted' }],
    ['price at least 5 USD', { minPriceUsd: '5' }],
    ['price at most 0.0002 USD', { maxPriceUsd: '0.0002' }],
    ['host with 5 % of the endpoints', { host: LARGE_HOST }],
  ];
  return [
    ...filters.map(([name, filter]) => ({ name, statements: inAllSorts({ filters: filter }) })),
    {
      name: 'host with few endpoints',
      statements: smallHosts.flatMap(({ host }) => inAllSorts({ filters: { host } })),
    },
    {
      name: 'five filters',
      statements: inAllSorts({
        filters: {
          networks: ['eip155:137'],
          grades: ['A', 'B'],
          recommendations: ['proceed'],
          status: 'listed',
          maxPriceUsd: '0.05',
        },
      }),
    },
  ];
}

const misspell = (word: string): string => word.replace(/(.)(.)(.*)/, '$2$1$3');

/** Returns queries with a text. */
function createTextQueries(texts: readonly string[]): readonly Query[] {
  const words = texts.map((text) => text.split(' ').sort((a, b) => b.length - a.length)[0] ?? text);
  const toQuery = (name: string, values: readonly string[], call: ExploreCall): Query => ({
    name,
    statements: values.map((text) => toExploreSql({ ...call, text })),
  });
  return [
    toQuery('text by relevance', texts, { sort: 'relevance' }),
    toQuery('word of most endpoints by relevance', ['json', 'api', 'v1 example'], { sort: 'relevance' }),
    toQuery('misspelled word by relevance', words.map(misspell), { sort: 'relevance' }),
    toQuery('text, grades A and B, by price', words, { filters: { grades: ['A', 'B'] }, sort: 'price' }),
    toQuery('text and rare network', words, { filters: { networks: [RARE_NETWORK] } }),
    toQuery('word of most endpoints and rare tag', ['json', 'api'], { filters: { tag: RARE_TAG } }),
    {
      name: 'suggestions for starts of words',
      statements: words.flatMap((word) =>
        [2, 3, 5].map((length) => `select length(public.suggest(${quoteSql(word.slice(0, length))})::text)`),
      ),
    },
  ];
}

/** Returns the queries of the benchmark. `texts`: texts that visitors search for. `positions`: position of row 2,500 for each order, as SQL. */
export function createQueries(
  endpoints: readonly GeneratedEndpoint[],
  texts: readonly string[],
  positions: ReadonlyMap<string, string>,
): readonly Query[] {
  const hosts = endpoints.slice(20_000, 20_100).map(({ host }) => host);
  const toProviderSql = (host: string): string => `select length(public.provider('${host}')::text)`;
  return [
    { name: 'first page, all orders', statements: inAllSorts({}) },
    {
      name: 'page 101, all orders',
      statements: [...positions].map(([sort, after]) => toExploreSql({ sort, after })),
    },
    ...createFilterQueries(endpoints),
    ...createTextQueries(texts),
    { name: 'provider with few endpoints', statements: hosts.map(toProviderSql) },
    { name: 'provider with 5 % of the endpoints', statements: [toProviderSql(LARGE_HOST)] },
  ];
}

/** Returns the position of the last row of page 100 for each order, as SQL. */
export async function readPositions(session: Session): Promise<ReadonlyMap<string, string>> {
  const positions = new Map<string, string>();
  for (const [sort, column] of Object.entries(SORT_COLUMNS)) {
    const position = await session.run(`
      select ${column} || ', ''' || endpoint_id || '''' from public.explore_entries
      order by ${column}, endpoint_id offset ${String(100 * PAGE_SIZE - 1)} limit 1`);
    positions.set(sort, position.trim());
  }
  return positions;
}
