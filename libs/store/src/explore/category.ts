import { z } from 'zod';
import { call, type Db } from '../client/client.ts';
import { addUptimeDays, type ListedSnapshot } from '../days/days.ts';
import { snapshotRowSchema } from '../snapshots/snapshot.ts';

const count = z.number().int();

const figuresSchema = z.object({
  /** Number of listed endpoints with the tag, of their hosts, and of those with the recommendation `proceed`. */
  endpoints: count,
  hosts: count,
  proceed: count,
  /** Lowest and highest advertised price of these endpoints in US dollars; null without a price. */
  lowestPriceUsd: z.string().nullable(),
  highestPriceUsd: z.string().nullable(),
});

const rowsSchema = z.object({ rows: z.array(z.object({ snapshot: snapshotRowSchema })) });

/** Figures of the listed endpoints with a tag, and the best of these endpoints. */
export type CategoryEndpoints = z.infer<typeof figuresSchema> & {
  /** Endpoints in the order `score` of the explore page. */
  readonly snapshots: readonly ListedSnapshot[];
};

/**
 * Reads the figures and the best `limit` listed endpoints of a tag, at most 50. One query reads both, so they agree.
 */
export async function readCategory(db: Db, tag: string, limit: number): Promise<CategoryEndpoints> {
  const response = await call(db, 'category', { tag, limit });
  const { rows } = rowsSchema.parse(response);
  const snapshots = await addUptimeDays(
    db,
    rows.map(({ snapshot }) => snapshot),
  );
  return { ...figuresSchema.parse(response), snapshots };
}
