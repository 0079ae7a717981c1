import type { ExploreQuery, PublicStore, Snapshot } from '../index.ts';
import type { TestDatabase } from './fixtures.ts';

/** Query that matches all public endpoints. */
export const ALL_ENDPOINTS: ExploreQuery = {
  text: '',
  networks: [],
  grades: [],
  recommendations: [],
  properties: [],
  minPriceUsd: null,
  maxPriceUsd: null,
  host: null,
  tag: null,
  status: null,
  sort: 'score',
  after: null,
  limit: 50,
};

/**
 * Reads all pages of a query. Throws if a page has a wrong total, or if a page before the last page is not full. A total
 * that is a minimum, which only a text can have, is replaced by the number of endpoints.
 */
export async function readAllPages(
  store: PublicStore,
  query: ExploreQuery,
): Promise<{ readonly ids: readonly string[]; readonly total: number | null }> {
  const ids: string[] = [];
  const first = await store.explore(query);
  let page = first;
  for (;;) {
    ids.push(...page.snapshots.map(({ endpointId }) => endpointId));
    if (page.next === null) {
      if (!first.isTotalMinimum) return { ids, total: first.total };
      if (query.text === '' || (first.total ?? 0) > ids.length) throw new Error('The minimum is wrong.');
      return { ids, total: ids.length };
    }
    if (page.snapshots.length !== query.limit) throw new Error('A page is not full.');
    page = await store.explore({ ...query, after: page.next });
    if (page.total !== null || page.snapshots.length === 0) throw new Error('A later page is wrong.');
  }
}

/** Returns true if the snapshot matches all filters of the query. The text of the query must be a word of the URL. */
export function isMatch(snapshot: Snapshot, tags: readonly string[], query: ExploreQuery): boolean {
  const { networks, grades, recommendations, properties, minPriceUsd, maxPriceUsd, host, tag, text } = query;
  const price = snapshot.amountUsd === null ? null : Number(snapshot.amountUsd);
  const accepted = [snapshot.network, ...snapshot.payOn.map(({ network }) => network)];
  return (
    (networks.length === 0 || networks.some((network) => accepted.includes(network))) &&
    (grades.length === 0 || grades.includes(snapshot.grade)) &&
    (recommendations.length === 0 || recommendations.includes(snapshot.recommendation)) &&
    (minPriceUsd === null || (price !== null && price >= Number(minPriceUsd))) &&
    (maxPriceUsd === null || (price !== null && price <= Number(maxPriceUsd))) &&
    (host === null || snapshot.host === host) &&
    (tag === null || tags.includes(tag)) &&
    (query.status === null || toListing(snapshot) === query.status) &&
    properties.every((property) => hasProperty(snapshot, property)) &&
    snapshot.resource.includes(text)
  );
}

function toListing({ listingStatus, listingSource }: Snapshot): ExploreQuery['status'] {
  return listingStatus === 'listed' && listingSource === 'adopted' ? 'adopted' : listingStatus;
}

function hasProperty(snapshot: Snapshot, property: ExploreQuery['properties'][number]): boolean {
  if (property === 'compliant') return snapshot.isCompliant === true;
  if (property === 'delivered') return snapshot.delivery?.state === 'delivered';
  return snapshot.lastProbedAt !== null && snapshot.failingSince === null;
}

type SortKey = (snapshot: Snapshot) => readonly (number | null)[];
const negate = (value: number | null): number | null => (value === null ? null : -value);
const toPrice = ({ amountUsd }: Snapshot): number | null => (amountUsd === null ? null : Number(amountUsd));
const toScoreKey: SortKey = ({ listingStatus, grade, scoreLow, score }) => [
  Number(listingStatus !== 'listed'),
  Number(grade === '?'),
  -scoreLow,
  -score,
];
const SORT_KEYS: Readonly<Record<ExploreQuery['sort'], SortKey>> = {
  score: toScoreKey,
  relevance: toScoreKey,
  price: (snapshot) => [toPrice(snapshot)],
  'price-desc': (snapshot) => [negate(toPrice(snapshot))],
  uptime: ({ uptime30d }) => [negate(uptime30d)],
  latency: ({ latencyMs }) => [latencyMs],
  newest: ({ firstSeen }) => [-Date.parse(firstSeen)],
  changed: ({ contentChangedAt }) => [-Date.parse(contentChangedAt)],
};

/** Returns the snapshots in an order of the explore page. */
export function sortSnapshots(
  snapshots: readonly Snapshot[],
  sort: ExploreQuery['sort'],
): readonly Snapshot[] {
  const toKey = SORT_KEYS[sort];
  return snapshots.toSorted((one, other) => {
    const keys = toKey(other);
    for (const [index, key] of toKey(one).entries()) {
      const difference = (key ?? Infinity) - (keys[index] ?? Infinity);
      if (difference < 0 || difference > 0) return difference;
    }
    return one.endpointId < other.endpointId ? -1 : 1;
  });
}

/**
 * Sets the limits of the explore functions. With low limits, few rows are enough to run the SQL for frequent words and
 * rare values.
 */
export async function setExploreLimits(
  database: TestDatabase,
  limits: { readonly matches: number; readonly rows: number; readonly counted?: number },
): Promise<void> {
  await database.connection.driver.exec(`
    create or replace function internal.max_ranked_matches() returns integer language sql immutable
    set search_path = '' as $$ select ${String(limits.matches)} $$;
    create or replace function internal.max_ordered_rows() returns integer language sql immutable
    set search_path = '' as $$ select ${String(limits.rows)} $$;
    create or replace function internal.max_counted_rows() returns integer language sql immutable
    set search_path = '' as $$ select ${String(limits.counted ?? 2_000)} $$`);
}
