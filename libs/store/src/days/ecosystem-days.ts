import { GRADES, RECOMMENDATIONS } from '@touchstone/contract';
import { z } from 'zod';
import { unwrap, type Db } from '../client/client.ts';
import { formatDay, formatTimestamp } from '../client/timestamps.ts';
import { isoTimestampSchema } from '../snapshots/snapshot.ts';

const count = z.number().int();

/** Figures of all public snapshots at one time. */
const figuresSchema = z.object({
  endpoints: count,
  /** Number of endpoints that a directory lists. */
  listed: count,
  delisted: count,
  /** Number of endpoints that were probed and whose latest probe succeeded. */
  reachable: count,
  /** Number of endpoints whose latest challenge passed the compliance checks, also with warnings. */
  compliant: count,
  /** Number of different hosts. */
  providers: count,
  grades: z.record(z.enum(GRADES), count),
  recommendations: z.record(z.enum(RECOMMENDATIONS), count),
  /**
   * Number of listed endpoints by their main network. The 30 most frequent networks have their CAIP-2 id, other networks
   * are counted together as `other`, and endpoints without a network as `none`.
   */
  networks: z.record(z.string(), count),
  /**
   * Percentiles of the prices per call of listed endpoints, in US dollars. Free endpoints and URL templates are left
   * out. Null without a price.
   */
  prices: z
    .object({ count, p10: z.string(), p25: z.string(), p50: z.string(), p75: z.string(), p90: z.string() })
    .nullable(),
  /**
   * Number of endpoints whose latest probe failed, by the cause of the failure in kebab case, such as `http-410`. The
   * cause is `unknown` if the last failure has none.
   */
  causes: z.record(z.string(), count),
  /** Number of endpoints of each of the 30 most frequent tags. Tags are claims of providers. */
  tags: z.record(z.string(), count),
});

const ecosystemDayRowSchema = z
  .object({ day: z.iso.date(), computed_at: isoTimestampSchema, figures: figuresSchema })
  .transform(({ day, computed_at, figures }) => ({ day, computedAt: computed_at, ...figures }));

/** Figures of all public snapshots on one UTC day, as last computed on this day. `day` has the format YYYY-MM-DD. */
export type EcosystemDay = z.infer<typeof ecosystemDayRowSchema>;

/** Maximum number of days that are read with one call. */
const MAX_DAYS = 365;

/** Reads the latest `days` recorded days, oldest first. At most 365 days are read. Days without a record are left out. */
export async function readEcosystemDays(db: Db, days: number): Promise<readonly EcosystemDay[]> {
  const response = await db
    .from('ecosystem_days')
    .select('day, computed_at, figures')
    .order('day', { ascending: false })
    .limit(Math.min(days, MAX_DAYS));
  return z.array(ecosystemDayRowSchema).parse(unwrap('read the ecosystem days', response)).reverse();
}

/**
 * Computes the figures of all public snapshots and stores them for the UTC day of `now`, in milliseconds since the epoch.
 * @returns false if later figures of this day are already stored, so that nothing was stored
 */
export async function recordEcosystemDay(db: Db, now: number): Promise<boolean> {
  const response = await db.rpc('record_ecosystem_day', { p_now: formatTimestamp(now) });
  return unwrap('record the ecosystem day', response);
}

/** Deletes the figures of days before `keepFrom`, in milliseconds since the epoch. Returns the number of deleted days. */
export async function pruneEcosystemDays(db: Db, keepFrom: number): Promise<number> {
  const response = await db.rpc('prune_ecosystem_days', { p_keep_from: formatDay(keepFrom) });
  return unwrap('prune ecosystem days', response);
}
