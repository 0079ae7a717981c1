import { formatTimestamp } from '@touchstone/common';
import { computePercentile } from '@touchstone/trust';
import { z } from 'zod';
import { call, unwrap, type Db } from '../client/client.ts';
import { createRowSchema } from '../client/rows.ts';
import { isoTimestampSchema } from '../client/values.ts';
import { ecosystemSchema, type Snapshot } from '../snapshots/snapshot.ts';

const count = z.number().int();

/** Figures of all public snapshots at one time. */
const figuresSchema = z.object({
  ...ecosystemSchema.omit({ adopted: true, probes30d: true, lastProbedAt: true }).shape,
  /**
   * Number of listed endpoints that accept each network. The 30 most frequent networks have their CAIP-2 id, the numbers
   * of the other networks are added up as `other`, and endpoints without a network are counted as `none`.
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
   * Number of listed endpoints whose latest probe failed, by the cause of the failure in kebab case, such as `http-410`. The
   * cause is `unknown` if no cause of the failure is stored.
   */
  causes: z.record(z.string(), count),
  /** Number of endpoints of each of the 30 most frequent tags. Tags are claims of providers. */
  tags: z.record(z.string(), count),
});

const ecosystemDaySchema = createRowSchema({
  day: z.iso.date(),
  computedAt: isoTimestampSchema,
  figures: figuresSchema,
}).transform(({ figures, ...row }) => ({ ...row, ...figures }));

/** Figures of all public snapshots at their latest computation on one UTC day. `day` has the format YYYY-MM-DD. */
export type EcosystemDay = z.infer<typeof ecosystemDaySchema>;

/** Maximum number of days that are read with one call. */
const MAX_DAYS = 365;

/** Reads the latest `days` recorded days, oldest first. At most 365 days are read. Days without a record are left out. */
export async function readEcosystemDays(db: Db, days: number): Promise<readonly EcosystemDay[]> {
  const response = await db
    .from('ecosystem_days')
    .select('day, computed_at, figures')
    .order('day', { ascending: false })
    .limit(Math.min(days, MAX_DAYS));
  return z.array(ecosystemDaySchema).parse(unwrap('read the ecosystem days', response)).reverse();
}

/**
 * Computes the figures of all public snapshots and stores them for the UTC day of `now`, in milliseconds since the
 * epoch.
 * @returns false if later figures of the same day are stored already. The stored figures then stay unchanged.
 */
export async function recordEcosystemDay(db: Db, now: number): Promise<boolean> {
  return call(db, 'record_ecosystem_day', { now: formatTimestamp(now) });
}

/**
 * Computes the statistics of all public snapshots again and stores them, because pages read only the stored statistics.
 * Returns true if the statistics changed.
 */
export async function refreshEcosystem(db: Db): Promise<boolean> {
  return call(db, 'refresh_ecosystem', {});
}

/** Figures of an endpoint on one UTC day that has probes. */
const endpointDaySchema = z
  .object({
    /** UTC day, YYYY-MM-DD. */
    day: z.iso.date(),
    /** Number of scheduled probes. */
    probes: z.number().int(),
    /** Number of probes that count for the uptime; `up` is the number of these probes that succeeded. */
    scored: z.number().int(),
    up: z.number().int(),
    /** Histogram of the time to the last byte of the response; null without a complete response. */
    histogram: z.array(z.number()).nullable(),
    /** Last price in US dollars that the endpoint advertised on this day; null without a price. */
    amountUsd: z.string().nullable(),
  })
  .transform(({ histogram, ...day }) => ({
    ...day,
    /** Percentiles of the time to the last byte, in whole milliseconds; null if not measured. */
    latencyMsP50: histogram && computePercentile(histogram, 0.5),
    latencyMsP95: histogram && computePercentile(histogram, 0.95),
  }));
export type EndpointDay = z.infer<typeof endpointDaySchema>;

/**
 * Reads the days of an endpoint that have probes, oldest first: the 30 UTC days that end with the day of its snapshot.
 * The uptime and the latency of the snapshot cover the same 30 days. The last day may contain some probes that are
 * newer than the snapshot. Without a public snapshot, there are no days.
 */
export async function readEndpointDays(db: Db, endpointId: string): Promise<readonly EndpointDay[]> {
  return z.array(endpointDaySchema).parse(await call(db, 'endpoint_days', { endpointId }));
}

/** Snapshot with the daily uptime of the endpoint, for lists of endpoints. */
export type ListedSnapshot = Snapshot & {
  /**
   * Percentage of the scored probes that succeeded on each of the 30 UTC days that end with the day of the snapshot,
   * oldest first; null for a day without a scored probe.
   */
  readonly uptimeDays: readonly (number | null)[];
};

const uptimeDaysSchema = z.record(z.string(), z.array(z.number().nullable()));

/** Adds the daily uptime to at most 100 public snapshots with one query. */
export async function addUptimeDays(
  db: Db,
  snapshots: readonly Snapshot[],
): Promise<readonly ListedSnapshot[]> {
  if (snapshots.length === 0) return [];
  const endpointIds = snapshots.map(({ endpointId }) => endpointId);
  const days = uptimeDaysSchema.parse(await call(db, 'uptime_days', { endpointIds }));
  return snapshots.map((snapshot) => ({ ...snapshot, uptimeDays: days[snapshot.endpointId] ?? [] }));
}
