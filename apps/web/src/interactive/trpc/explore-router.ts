import { InvalidCursorError } from '@touchstone/store';
import { MAX_QUERY_LENGTH, toPlainText } from '@touchstone/ui';
import { TRPCError } from '@trpc/server';
import { z } from 'zod';
import type { EndpointMatch } from '../explore/endpoint-match.ts';
import { parseExploreParams } from '../explore/explore-params.ts';
import { type ExploreResult, listEndpoints } from '../explore/list-endpoints.ts';
import { normalizeQuery } from '../../page-parts/param-reader.ts';
import { procedure, router } from './trpc.ts';

/** Maximum length of a URL query, in UTF-16 units. Valid parameters are shorter. */
const MAX_SEARCH_LENGTH = 4_000;
/** Maximum length of a service name in a suggestion, in characters. */
const MAX_NAME_LENGTH = 60;

const PARAMS_ERROR = `must be a text of at most ${MAX_SEARCH_LENGTH} characters`;
const TEXT_ERROR = `must be a text of 1 to ${MAX_QUERY_LENGTH} characters`;

const listInputSchema = z.object(
  { params: z.string(PARAMS_ERROR).max(MAX_SEARCH_LENGTH, PARAMS_ERROR) },
  'must be an object with the member params',
);

const suggestInputSchema = z.object(
  {
    text: z.string(TEXT_ERROR).overwrite(normalizeQuery).min(1, TEXT_ERROR).max(MAX_QUERY_LENGTH, TEXT_ERROR),
  },
  'must be an object with the member text',
);

/** Endpoint among the suggestions. */
export type EndpointSuggestion = Pick<
  EndpointMatch,
  'slug' | 'resource' | 'serviceName' | 'grade' | 'recommendation' | 'amountUsd'
>;

/** Completions of the text in the search field. */
export interface SearchSuggestions {
  readonly endpoints: readonly EndpointSuggestion[];
  readonly hosts: readonly { readonly host: string; readonly endpoints: number }[];
  readonly tags: readonly { readonly tag: string; readonly endpoints: number }[];
}

/** Procedures of the explore page and of the search field. */
export const exploreRouter = router({
  /**
   * Lists endpoints. `params` is the URL query of the explore page, so the procedure and the page have the same filters
   * and limits.
   */
  list: procedure.input(listInputSchema).query(async ({ ctx, input }): Promise<ExploreResult> => {
    const { params, ignored } = parseExploreParams(new URLSearchParams(input.params));
    if (ignored.length > 0)
      throw new TRPCError({ code: 'BAD_REQUEST', message: `Invalid values: ${ignored.join(', ')}.` });
    try {
      return await listEndpoints(ctx.store, params, params.after === null);
    } catch (error) {
      if (!(error instanceof InvalidCursorError)) throw error;
      const message = 'The cursor is not valid. Request the first page.';
      throw new TRPCError({ code: 'BAD_REQUEST', message, cause: error });
    }
  }),

  /** Suggests endpoints, hosts and tags for the text that a person types. */
  suggest: procedure.input(suggestInputSchema).query(async ({ ctx, input }): Promise<SearchSuggestions> => {
    const { endpoints, hosts, tags } = await ctx.store.suggest(input.text);
    return {
      endpoints: endpoints.map(
        ({ slug, resource, serviceName, grade, recommendation, amountUsd }): EndpointSuggestion => ({
          slug,
          resource,
          serviceName: serviceName === null ? null : toPlainText(serviceName, MAX_NAME_LENGTH),
          grade,
          recommendation,
          amountUsd,
        }),
      ),
      hosts,
      tags,
    };
  }),
});
