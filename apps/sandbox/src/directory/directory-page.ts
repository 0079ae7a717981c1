import { z } from 'zod';
import { createWholeNumberSchema } from '../parsing/whole-number.ts';

const querySchema = z.object({
  type: z.literal('http', 'must be http').default('http'),
  limit: createWholeNumberSchema(1, 1_000).default(100),
  offset: createWholeNumberSchema(0, 999_999_999).default(0),
});

export interface DirectoryPage {
  readonly limit: number;
  readonly offset: number;
}

const roundLimit = (limit: number): number => Math.max(10, Math.round(limit / 10) * 10);

/**
 * Parses the page parameters of a query. As in the real directory, `limit` is rounded to the nearest 10 and `offset` to
 * the start of its page. A client therefore sees every item once only when its offsets are multiples of the limit.
 * @returns the page, or the error of the query
 */
export const parseDirectoryPage = (query: URLSearchParams): DirectoryPage | { readonly error: string } => {
  const parsed = querySchema.safeParse(Object.fromEntries(query));
  if (!parsed.success)
    return {
      error: parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`).join('; '),
    };
  const limit = roundLimit(parsed.data.limit);
  return { limit, offset: Math.floor(parsed.data.offset / limit) * limit };
};
