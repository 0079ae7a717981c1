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

/** Response shapes in use: the specification, its search route, and one with a `data` wrapper. */
const directoryResponse = z.union([
  z.object({ items, pagination }),
  z
    .object({ resources: items, pagination })
    .transform(({ resources, ...rest }) => ({ items: resources, ...rest })),
  z.object({ data: z.object({ items, pagination }) }).transform(({ data }) => data),
]);

/** Page of a directory. */
export interface DirectoryPage {
  readonly items: readonly unknown[];
  /** Page size that the directory used; null when it is not given. */
  readonly limit: number | null;
  /** Total number of items reported by the directory; null when it is not given. */
  readonly total: number | null;
  /** Hash that is equal for pages with the same items. */
  readonly digest: string;
}

/**
 * Serializes only the items, so that a page repeated with another offset or date has the same digest. JSON.stringify
 * uses stack for every nesting level and JSON.parse does not, so a deeply nested item may fail; then the original
 * text is used.
 */
function serializeItems(listed: readonly unknown[], text: string): string {
  try {
    return JSON.stringify(listed);
  } catch {
    return text;
  }
}

/**
 * Parses a response of `GET /discovery/resources`. Only the list is required; invalid counts become null.
 *
 * @param body - The body as parsed from JSON.
 * @param text - The body as received.
 * @returns The page; null when it has no list of items.
 */
export function parseDirectoryPage(body: unknown, text: string): DirectoryPage | null {
  const parsed = directoryResponse.safeParse(body);
  if (!parsed.success) return null;
  const { items: listed, pagination: counts } = parsed.data;
  const digest = createHash('sha256').update(serializeItems(listed, text)).digest('base64');
  return { items: listed, ...counts, digest };
}
