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

function roundLimit(limit: number): number {
  return Math.max(10, Math.round(limit / 10) * 10);
}

/**
 * Parses the page parameters of a query string. Like the real directory, the function rounds `limit` to a multiple of
 * 10, and `offset` down to a multiple of `limit`. A client receives every item exactly once only when its offsets are
 * multiples of `limit`.
 * @returns the page, or an error message for an invalid query
 */
export function parseDirectoryPage(query: URLSearchParams): DirectoryPage | { readonly error: string } {
  const parsed = querySchema.safeParse(Object.fromEntries(query));
  if (!parsed.success)
    return {
      error: parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`).join('; '),
    };
  const limit = roundLimit(parsed.data.limit);
  return { limit, offset: Math.floor(parsed.data.offset / limit) * limit };
}
