import { z } from 'zod';
import { toEndpointMatch } from '../explore/endpoint-match.ts';
import { MAX_MATCHES, MAX_QUERY_LENGTH, normalizeQuery } from '../explore/search-query.ts';
import { procedure, router } from './trpc.ts';

const DEFAULT_MATCHES = 10;

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

/** Procedures that search the catalog. */
export const searchRouter = router({
  /** Finds endpoints by words of their URL, service name and description. The best match is first. */
  endpoints: procedure.input(searchInputSchema).query(async ({ ctx, input }) => {
    const snapshots = await ctx.store.searchByWords(input.query, input.limit);
    return snapshots.map(toEndpointMatch);
  }),
});
