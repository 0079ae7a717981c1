import type { Snapshot } from '@touchstone/store';
import { toPlainText } from '@touchstone/ui';
import { z } from 'zod';
import { MAX_MATCHES, MAX_QUERY_LENGTH, normalizeQuery } from '../explore/search-query.ts';
import { procedure, router } from './trpc.ts';

const DEFAULT_MATCHES = 10;

/** Maximum lengths of the provider texts in a search result, in characters. A longer text ends with an ellipsis. */
const MAX_NAME_LENGTH = 100;
const MAX_DESCRIPTION_LENGTH = 300;

const QUERY_ERROR = `must be a text of 1 to ${MAX_QUERY_LENGTH} characters`;
const LIMIT_ERROR = `must be an integer from 1 to ${MAX_MATCHES}`;

const searchInputSchema = z.object(
  {
    query: z
      .string(QUERY_ERROR)
      .overwrite(normalizeQuery)
      .min(1, QUERY_ERROR)
      .max(MAX_QUERY_LENGTH, QUERY_ERROR),
    limit: z.int(LIMIT_ERROR).min(1, LIMIT_ERROR).max(MAX_MATCHES, LIMIT_ERROR).default(DEFAULT_MATCHES),
  },
  'must be an object with the member query',
);

/** Endpoint in a search result. It has only data that the public page of the endpoint also shows. */
export type EndpointMatch = Pick<
  Snapshot,
  | 'slug'
  | 'resource'
  | 'host'
  | 'serviceName'
  | 'description'
  | 'templated'
  | 'score'
  | 'grade'
  | 'recommendation'
  | 'uptime30d'
  | 'amountUsd'
  | 'network'
  | 'listingStatus'
  | 'listingSource'
>;

/** Procedures that search the catalog. */
export const searchRouter = router({
  /** Finds endpoints by words of their URL, service name and description. The best match is first. */
  endpoints: procedure.input(searchInputSchema).query(async ({ ctx, input }) => {
    const snapshots = await ctx.store.searchByWords(input.query, input.limit);
    return snapshots.map(toMatch);
  }),
});

function toMatch(snapshot: Snapshot): EndpointMatch {
  const { serviceName, description } = snapshot;
  return {
    slug: snapshot.slug,
    resource: snapshot.resource,
    host: snapshot.host,
    serviceName: serviceName === null ? null : toPlainText(serviceName, MAX_NAME_LENGTH),
    description: description === null ? null : toPlainText(description, MAX_DESCRIPTION_LENGTH),
    templated: snapshot.templated,
    score: snapshot.score,
    grade: snapshot.grade,
    recommendation: snapshot.recommendation,
    uptime30d: snapshot.uptime30d,
    amountUsd: snapshot.amountUsd,
    network: snapshot.network,
    listingStatus: snapshot.listingStatus,
    listingSource: snapshot.listingSource,
  };
}
