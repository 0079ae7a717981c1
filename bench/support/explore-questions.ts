import { LARGE_HOST, type GeneratedEndpoint } from './endpoints.ts';
import { quoteSql } from './postgres.ts';

/** One call of a database function that a page of the site makes. */
interface PageQuestion {
  readonly name: string;
  /** SQL before the measurement, which sets variables of psql. */
  readonly preparation: string;
  readonly sql: string;
}

/** Questions of the same kind, which are measured together. */
export interface PageQuestionGroup {
  readonly name: string;
  readonly questions: readonly PageQuestion[];
}

/** Filter of the explore page, with a condition for rows of `explore_entries` that has the same meaning. */
interface Filter {
  readonly name: string;
  readonly json: Readonly<Record<string, unknown>>;
  readonly condition: string;
}

/** Column of `explore_entries` of each order. */
const ORDERS = {
  score: 'by_score',
  price: 'by_price',
  'price-desc': 'by_price_desc',
  uptime: 'by_uptime',
  latency: 'by_latency',
  newest: 'by_newest',
  changed: 'by_changed',
} as const;
type Order = keyof typeof ORDERS;
const ORDER_NAMES = ['score', 'price', 'price-desc', 'uptime', 'latency', 'newest', 'changed'] as const;

/** Number of rows of a page, and one more, as the site requests them. */
const PAGE_ROWS = 26;
/** Number of rows before page 101. */
const ROWS_BEFORE_PAGE_101 = 2_500;

const list = (name: 'grade' | 'recommendation', values: readonly string[]): Filter => ({
  name: `${name} ${values.join(' or ')}`,
  json: { [`${name}s`]: values },
  condition: `${name} = any ('{${values.join(',')}}')`,
});
const hold = (name: string, json: string, column: string): Filter => ({
  name,
  json: { properties: [json] },
  condition: column,
});
const tag = (name: string): Filter => ({
  name: `tag ${name}`,
  json: { tag: name },
  condition: `tags @> '{${name}}'`,
});
const network = (name: string, id: string): Filter => ({
  name,
  json: { networks: [id] },
  condition: `networks && '{${id}}'`,
});
const price = (min: string, max: string): Filter => ({
  name: `price ${min} to ${max}`,
  json: { minPriceUsd: min, maxPriceUsd: max },
  condition: `by_price between ${min} and ${max}`,
});
const host = (name: string): Filter => ({ name, json: { host: name }, condition: `host = '${name}'` });

/** Returns the filters of the page: at least one frequent and one rare value of each kind. */
function createFilters(endpoints: readonly GeneratedEndpoint[]): readonly [Filter, ...Filter[]] {
  return [
    list('grade', ['A']),
    list('grade', ['F']),
    list('grade', ['A', 'B']),
    list('recommendation', ['proceed']),
    list('recommendation', ['avoid']),
    hold('reachable', 'reachable', 'is_reachable'),
    hold('compliant', 'compliant', 'is_compliant'),
    hold('delivered', 'delivered', 'is_delivered'),
    network('Base', 'eip155:8453'),
    network('unknown network', 'eip155:99999'),
    price('0.001', '0.5'),
    price('3', '5'),
    tag('ai'),
    tag('beta'),
    host(LARGE_HOST),
    host(endpoints.at(-1)?.host ?? ''),
    { name: 'delisted', json: { status: 'delisted' }, condition: `listing = 'delisted'` },
  ];
}

/** Returns all pairs of filters of different kinds. */
function pairFilters(filters: readonly Filter[]): readonly Filter[] {
  return filters.flatMap((one, index) =>
    filters.slice(index + 1).flatMap((other): readonly Filter[] =>
      Object.keys(one.json).some((key) => key in other.json)
        ? []
        : [
            {
              name: `${one.name}, ${other.name}`,
              json: { ...one.json, ...other.json },
              condition: `${one.condition} and ${other.condition}`,
            },
          ],
    ),
  );
}

const NO_FILTER: Filter = { name: 'no filter', json: {}, condition: 'true' };

/** Words of most endpoints, of about 2 % of them, of few, of none, two words, a wrong spelling, and a URL. */
const TEXTS = [
  'com',
  'api',
  'weather',
  'token',
  'price of bonk',
  'skyskay',
  'zzzzqqqq',
  'wether forcast',
  `https://${LARGE_HOST}/v1/token/price`,
] as const;

interface Page {
  readonly text?: string;
  readonly filter?: Filter;
  readonly order?: Order | 'relevance';
  readonly isPage101?: boolean;
  readonly hasCounts?: boolean;
}

/** Creates the question of one page. Like on the site, only listed endpoints are asked if no filter names a listing. */
function askPage({
  text = '',
  filter = NO_FILTER,
  order = 'score',
  isPage101,
  hasCounts,
}: Page): PageQuestion {
  const filters = quoteSql(JSON.stringify({ status: 'listed', ...filter.json }));
  const column = ORDERS[order === 'relevance' ? 'score' : order];
  const listing = 'status' in filter.json ? 'true' : `listing = 'listed'`;
  const name = [text === '' ? '' : `"${text}"`, filter.name, order, isPage101 ? 'page 101' : '']
    .filter(Boolean)
    .join(', ');
  return {
    name,
    // Without so many rows, the position is after all rows.
    preparation: isPage101
      ? `
      select coalesce(max(key), 1e15) as key, coalesce(max(id), '') as id from (
        select ${column} as key, endpoint_id as id from public.explore_entries where ${listing} and ${filter.condition}
        order by ${column}, endpoint_id offset ${ROWS_BEFORE_PAGE_101 - 1} limit 1
      ) last \\gset`
      : '',
    sql: `
      select public.explore(
        ${quoteSql(text)}, ${filters}, '${order}', ${PAGE_ROWS}, ${isPage101 ? `:key, :'id'` : 'null, null'},
        ${String(hasCounts === true)}
      )`,
  };
}

/** Returns the value at an index that can be greater than the number of values. */
function rotate<T>(values: readonly [T, ...T[]], index: number): T {
  return values[index % values.length] ?? values[0];
}

const ask = (call: string): PageQuestion => ({ name: call, preparation: '', sql: `select public.${call}` });

/** Returns all questions that the explore page, the pages of hosts and tags, and the search field ask. */
export function createPageQuestionGroups(
  endpoints: readonly GeneratedEndpoint[],
): readonly PageQuestionGroup[] {
  const filters = createFilters(endpoints);
  const pairs = pairFilters(filters);
  const orders = (toPages: (order: Order) => readonly Page[]) => ORDER_NAMES.flatMap(toPages).map(askPage);
  return [
    {
      name: 'page, at most one filter',
      questions: orders((order) => [NO_FILTER, ...filters].map((filter) => ({ filter, order }))),
    },
    {
      name: 'page 101, at most one filter',
      questions: orders((order) =>
        [NO_FILTER, ...filters].map((filter) => ({ filter, order, isPage101: true })),
      ),
    },
    {
      name: 'page, two filters',
      questions: pairs.map((filter, index) => askPage({ filter, order: rotate(ORDER_NAMES, index) })),
    },
    {
      name: 'text, at most one filter',
      questions: TEXTS.flatMap((text) =>
        [NO_FILTER, ...filters].map((filter) => askPage({ text, filter, order: 'relevance' })),
      ),
    },
    {
      name: 'text, other order',
      questions: TEXTS.flatMap((text) =>
        ORDER_NAMES.map((order, index) => askPage({ text, filter: rotate(filters, index), order })),
      ),
    },
    {
      name: 'page with counts, at most two filters',
      questions: [NO_FILTER, ...filters, ...pairs].map((filter) => askPage({ filter, hasCounts: true })),
    },
    {
      name: 'text with counts, at most one filter',
      questions: TEXTS.flatMap((text) =>
        [NO_FILTER, ...filters].map((filter) =>
          askPage({ text, filter, order: 'relevance', hasCounts: true }),
        ),
      ),
    },
    {
      name: 'host, completion',
      questions: [
        ...[LARGE_HOST, endpoints.at(-1)?.host ?? ''].map((name) => ask(`provider('${name}')`)),
        ask('categories()'),
        ...['w', 'wea', 'tok', 'token pr', 'tokenfeed', 'zzzzqq'].map((text) => ask(`suggest('${text}')`)),
      ],
    },
  ];
}
