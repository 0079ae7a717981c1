import { z } from 'zod';
import { call, type Db } from '../client/client.ts';

/** Maximum number of positions whose tags are read with one call. */
const MAX_POSITIONS = 10_000;

const pageExpirationsSchema = z.object({
  /** Latest position. The next call continues after this position. */
  latest: z.number().int(),
  /** Different tags of the changed pages; null if the tags are unknown, so that any page may have changed. */
  tags: z.array(z.string()).nullable(),
});
export type PageExpirations = z.infer<typeof pageExpirationsSchema>;

/** Records cache tags of changed pages for the other instances of the site. The tags are kept for two hours. */
export async function recordPageExpirations(db: Db, tags: readonly string[]): Promise<void> {
  await call(db, 'record_page_expirations', { tags });
}

/**
 * Reads the tags that were recorded after the position `after`. Reads only the latest position if `after` is null, too
 * far behind, or not a position of this database.
 */
export async function readPageExpirations(db: Db, after: number | null): Promise<PageExpirations> {
  const limit = MAX_POSITIONS;
  return pageExpirationsSchema.parse(await call(db, 'read_page_expirations', { limit, after }));
}
