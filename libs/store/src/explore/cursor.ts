import { z } from 'zod';
import { EXPLORE_SORTS, InvalidCursorError, type ExploreSort } from './explore-types.ts';

/** Position of a row in an order: the value of the order, and the endpoint id for rows with the same value. */
interface ExplorePosition {
  readonly sort: ExploreSort;
  readonly key: number;
  readonly endpointId: string;
}

/** Maximum length of a cursor in characters. */
const MAX_CURSOR_CHARS = 200;

const cursorSchema = z.tuple([z.enum(EXPLORE_SORTS), z.number(), z.string().regex(/^[a-z2-7]{10}$/)]);

export function formatCursor({ sort, key, endpointId }: ExplorePosition): string {
  return Buffer.from(JSON.stringify([sort, key, endpointId])).toString('base64url');
}

/**
 * Parses a cursor of `formatCursor`.
 * @throws InvalidCursorError when the cursor is malformed or belongs to another order.
 */
export function parseCursor(cursor: string, sort: ExploreSort): ExplorePosition {
  const parsed = cursorSchema.safeParse(decode(cursor));
  if (!parsed.success || parsed.data[0] !== sort) throw new InvalidCursorError();
  const [, key, endpointId] = parsed.data;
  return { sort, key, endpointId };
}

/** Returns the JSON value of a cursor; undefined if it is not JSON. */
function decode(cursor: string): unknown {
  if (cursor.length > MAX_CURSOR_CHARS) return undefined;
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}
