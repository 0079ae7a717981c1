import { z } from 'zod';
import { wholeNumber } from './whole-number.ts';

const querySchema = z.object({
  type: z.literal('http', 'must be http').default('http'),
  limit: wholeNumber(1, 1_000).default(100),
  offset: wholeNumber(0, 999_999_999).default(0),
});

export interface Page {
  readonly limit: number;
  readonly offset: number;
}

const rounded = (limit: number): number => Math.max(10, Math.round(limit / 10) * 10);

/**
 * The page that a query asks for, quantised as the real directory does it: `limit` is rounded to the nearest 10 and
 * `offset` falls back to the start of its page, so that only an aligned walk sees every item once.
 * @returns the page, or what is wrong with the query
 */
export const directoryPage = (query: URLSearchParams): Page | { readonly error: string } => {
  const parsed = querySchema.safeParse(Object.fromEntries(query));
  if (!parsed.success)
    return {
      error: parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`).join('; '),
    };
  const limit = rounded(parsed.data.limit);
  return { limit, offset: Math.floor(parsed.data.offset / limit) * limit };
};
