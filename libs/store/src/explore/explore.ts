import { GRADES, RECOMMENDATIONS } from '@touchstone/contract';
import { z } from 'zod';
import { toJson } from '../client/json.ts';
import { unwrap, type Db } from '../client/client.ts';
import { isoTimestampSchema, snapshotRowSchema } from '../snapshots/snapshot.ts';
import { formatCursor, parseCursor } from './cursor.ts';
import {
  MAX_EXPLORE_LIMIT,
  type ExplorePage,
  type ExploreQuery,
  type Provider,
  type Suggestions,
} from './explore-types.ts';

const pageSchema = z.object({
  rows: z.array(z.object({ key: z.number(), snapshot: snapshotRowSchema })),
  total: z.number().int().nullable(),
});

const count = z.number().int();
const suggestionsSchema = z.object({
  endpoints: z.array(snapshotRowSchema),
  hosts: z.array(z.object({ host: z.string(), endpoints: count })),
  tags: z.array(z.object({ tag: z.string(), endpoints: count })),
});

const providerSchema = z.object({
  host: z.string(),
  endpoints: count,
  listed: count,
  indexable: count,
  grades: z.record(z.enum(GRADES), count),
  recommendations: z.record(z.enum(RECOMMENDATIONS), count),
  uptime30d: z.number().nullable(),
  failing: count,
  lowestPriceUsd: z.string().nullable(),
  highestPriceUsd: z.string().nullable(),
  networks: z.array(z.string()),
  firstSeen: isoTimestampSchema,
  computedAt: isoTimestampSchema,
  contentChangedAt: isoTimestampSchema,
});

/** Replaces NUL, which PostgreSQL texts cannot contain. */
function toText(text: string): string {
  return text.replaceAll('\0', ' ');
}

/** Returns the filters that are set, in the format of the SQL function `explore`. */
function toFilters(query: ExploreQuery): object {
  const { networks, grades, recommendations, host, tag, status, minPriceUsd, maxPriceUsd } = query;
  return {
    ...(networks.length > 0 && { networks: networks.map(toText) }),
    ...(grades.length > 0 && { grades }),
    ...(recommendations.length > 0 && { recommendations }),
    ...(host !== null && { host: toText(host) }),
    ...(tag !== null && { tag: toText(tag) }),
    ...(status !== null && { status }),
    ...(minPriceUsd !== null && { minPriceUsd }),
    ...(maxPriceUsd !== null && { maxPriceUsd }),
  };
}

/** @throws InvalidCursorError when `query.after` is malformed or belongs to another order. */
export async function explore(db: Db, query: ExploreQuery): Promise<ExplorePage> {
  const position = query.after === null ? null : parseCursor(query.after, query.sort);
  const limit = Math.max(1, Math.min(query.limit, MAX_EXPLORE_LIMIT));
  const response = await db.rpc('explore', {
    p_text: toText(query.text),
    p_filters: toJson(toFilters(query)),
    p_sort: query.sort,
    // One more row than the page shows if another page follows.
    p_limit: limit + 1,
    ...(position && { p_after_key: position.key, p_after_id: position.endpointId }),
  });
  const { rows, total } = pageSchema.parse(unwrap('explore endpoints', response));
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const hasNext = rows.length > limit && last !== undefined;
  return {
    snapshots: shown.map(({ snapshot }) => snapshot),
    next: hasNext
      ? formatCursor({ sort: query.sort, key: last.key, endpointId: last.snapshot.endpointId })
      : null,
    total,
  };
}

export async function suggest(db: Db, text: string): Promise<Suggestions> {
  const response = await db.rpc('suggest', { p_text: toText(text) });
  return suggestionsSchema.parse(unwrap('suggest endpoints', response));
}

/** Returns true if a host has a public endpoint. */
export async function hasProvider(db: Db, host: string): Promise<boolean> {
  return unwrap('look up a provider', await db.rpc('provider_exists', { p_host: toText(host) }));
}

export async function readProvider(db: Db, host: string): Promise<Provider | null> {
  const { data, error } = await db.rpc('provider', { p_host: toText(host) });
  return providerSchema
    .nullable()
    .parse(data === null && error === null ? null : unwrap('read a provider', { data, error }));
}
