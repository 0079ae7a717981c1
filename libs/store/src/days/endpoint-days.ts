import { z } from 'zod';
import { unwrap, type Db } from '../client/client.ts';

/** Figures of an endpoint on one UTC day that has probes. */
const endpointDaySchema = z.object({
  /** UTC day, YYYY-MM-DD. */
  day: z.iso.date(),
  /** Number of scheduled probes. */
  probes: z.number().int(),
  /** Number of probes that count for the uptime; `up` is the number of them that succeeded. */
  scored: z.number().int(),
  up: z.number().int(),
  /** Mean time to the last byte of the response, in whole milliseconds; null if not measured. */
  latencyMs: z.number().int().nullable(),
  /** Last price in US dollars that the endpoint advertised on this day; null without a price. */
  amountUsd: z.string().nullable(),
});
export type EndpointDay = z.infer<typeof endpointDaySchema>;

/**
 * Reads the days of an endpoint that have probes, oldest first: the 30 UTC days that end with the day of its snapshot.
 * The uptime and the mean latency of the snapshot have the same 30 days. The last day may contain some probes that are
 * newer than the snapshot. Without a public snapshot, there are no days.
 */
export async function readEndpointDays(db: Db, endpointId: string): Promise<readonly EndpointDay[]> {
  const days = unwrap(
    'read the days of an endpoint',
    await db.rpc('endpoint_days', { p_endpoint_id: endpointId }),
  );
  return z.array(endpointDaySchema).parse(days);
}
