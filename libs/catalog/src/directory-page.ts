import { createHash } from 'node:crypto';
import { z } from 'zod';

const count = z
  .union([
    z.number(),
    z
      .string()
      .regex(/^\d{1,15}$/)
      .transform(Number),
  ])
  .pipe(z.number().int().nonnegative())
  .nullable()
  .catch(null);

const pagination = z.object({ limit: count, total: count }).catch({ limit: null, total: null });

const items = z.array(z.unknown());

/** The shapes in use: of the specification, of its search route, and one in an envelope of its own. */
const answer = z.union([
  z.object({ items, pagination }),
  z
    .object({ resources: items, pagination })
    .transform(({ resources, ...rest }) => ({ items: resources, ...rest })),
  z.object({ data: z.object({ items, pagination }) }).transform(({ data }) => data),
]);

export interface DirectoryPage {
  readonly items: readonly unknown[];
  /** The page size the directory worked with, where it says so. */
  readonly limit: number | null;
  /** How many items the directory says it has. */
  readonly total: number | null;
  /** The same for pages with the same items. */
  readonly digest: string;
}

/**
 * The text of the items alone where it can be written: a directory that repeats its items under another offset or
 * another date still repeats itself. Writing JSON takes stack for every level and reading it does not, so one
 * item may be nested too deeply to be written again; such a page is compared as it came.
 */
function comparable(listed: readonly unknown[], text: string): string {
  try {
    return JSON.stringify(listed);
  } catch {
    return text;
  }
}

/**
 * Reads an answer of `GET /discovery/resources`. Only the list is required; what is not a count is no count.
 *
 * @param body - The body as parsed from JSON.
 * @param text - The same as it came.
 * @returns The page, or null when there is no list of items in it.
 */
export function readDirectoryPage(body: unknown, text: string): DirectoryPage | null {
  const parsed = answer.safeParse(body);
  if (!parsed.success) return null;
  const { items: listed, pagination: counts } = parsed.data;
  const digest = createHash('sha256').update(comparable(listed, text)).digest('base64');
  return { items: listed, ...counts, digest };
}
