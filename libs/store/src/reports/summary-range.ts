import { GRADES, RECOMMENDATIONS } from '@touchstone/contract';
import { payOnSchema } from '@touchstone/trust';
import { z } from 'zod';
import { call, type Db } from '../client/client.ts';
import { isoTimestampSchema } from '../client/values.ts';

const walletSchema = z.object({ network: z.string(), payTo: z.string() });

const rangeSchema = z.object({
  endpoints: z.array(
    z.object({
      resource: z.string(),
      endpointId: z.string(),
      templated: z.boolean(),
      /** Source of the listing; null if the endpoint describes no URL but its own. */
      listing: z.enum(['directory', 'adopted']).nullable(),
      score: z.number(),
      grade: z.enum(GRADES),
      recommendation: z.enum(RECOMMENDATIONS),
      confidence: z.number(),
      lastProbedAt: isoTimestampSchema.nullable(),
      amountUsd: z.string().nullable(),
      lowestPriceUsd30d: z.string().nullable(),
      highestPriceUsd30d: z.string().nullable(),
      payOn: z.array(payOnSchema),
      /** Wallets of the latest payment options, with the observations as in the source of a summary. */
      current: z.array(
        walletSchema.extend({
          varies: z.boolean(),
          changedAt: isoTimestampSchema.nullable(),
          before: z.string().nullable(),
        }),
      ),
      /** Other wallets that were observed before one of the latest 100 changes. */
      earlier: z.array(walletSchema),
    }),
  ),
  omittedHosts: z.array(z.string()),
  optOuts: z.array(z.object({ host: z.string(), optedOutAt: isoTimestampSchema })),
});

/** Endpoints of the hosts in a range, strictest first, the hosts that are left out, and the opt-outs of all these hosts. */
export type SummaryRange = z.infer<typeof rangeSchema>;

/**
 * Returns the endpoints of the hosts in a range with one database call.
 *
 * @param prefix first 1 to 3 hexadecimal digits of the SHA-256 hash of the hosts
 * @param limit maximum number of endpoints; the hosts with the most endpoints are left out above it
 */
export async function readSummaryRange(db: Db, prefix: string, limit: number): Promise<SummaryRange> {
  return rangeSchema.parse(await call(db, 'endpoint_summaries', { prefix, limit }));
}
