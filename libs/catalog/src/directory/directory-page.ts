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

/**
 * Response formats of directories: the format of the x402 specification, the format of the search route in that
 * specification, and a format with a `data` wrapper.
 */
const directoryResponse = z.union([
  z.object({ items, pagination }),
  z
    .object({ resources: items, pagination })
    .transform(({ resources, ...rest }) => ({ items: resources, ...rest })),
  z.object({ data: z.object({ items, pagination }) }).transform(({ data }) => data),
]);

/** One page of items from a discovery directory. */
export interface DirectoryPage {
  readonly items: readonly unknown[];
  /** Page size that the directory reports; null when the response does not contain it. */
  readonly limit: number | null;
  /** Total number of items that the directory reports; null when the response does not contain it. */
  readonly total: number | null;
  /** Hash that is equal for pages with the same items. */
  readonly digest: string;
}

/**
 * Serializes only the items of a page, so that a page that is repeated with another offset or date has the same digest.
 * JSON.stringify fails on very deep nesting; in that case the original text is returned.
 */
function serializeItems(listed: readonly unknown[], text: string): string {
  try {
    return JSON.stringify(listed);
  } catch {
    return text;
  }
}

/**
 * Parses a response of `GET /discovery/resources`. The list of items is required. Invalid counts become null.
 *
 * @param body - The body as parsed from JSON.
 * @param text - The body as received.
 * @returns The page; null when the response contains no list of items.
 */
export function parseDirectoryPage(body: unknown, text: string): DirectoryPage | null {
  const parsed = directoryResponse.safeParse(body);
  if (!parsed.success) return null;
  const { items: listed, pagination: counts } = parsed.data;
  const digest = createHash('sha256').update(serializeItems(listed, text)).digest('base64');
  return { items: listed, ...counts, digest };
}
