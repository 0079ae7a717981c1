import { DELIVERY_STATES, GRADES, RECOMMENDATIONS } from '@touchstone/contract';
import { scoreInputsSchema } from '@touchstone/trust';
import { z } from 'zod';
import { call, type Db } from '../client/client.ts';
import { createRowSchema } from '../client/rows.ts';
import { isoTimestampSchema } from '../client/values.ts';

const scoreSchema = createRowSchema({
  endpointId: z.string(),
  resource: z.string(),
  slug: z.string(),
  score: z.number(),
  grade: z.enum(GRADES),
  recommendation: z.enum(RECOMMENDATIONS),
  confidence: z.number(),
  lastProbedAt: isoTimestampSchema.nullable(),
  computedAt: isoTimestampSchema,
  errorFlags: z.number().int(),
  delivery: z.enum(DELIVERY_STATES).nullable(),
  inputs: scoreInputsSchema.nullable(),
});

/**
 * Public score of an endpoint, with times in ISO 8601 (UTC). `errorFlags` is the number of error flags. `inputs` are
 * the inputs of the score, for computing the error flags; null if the endpoint has no error flag.
 */
export type BulkScore = z.infer<typeof scoreSchema>;

/**
 * Returns the public scores of endpoints by endpoint id, with one database call. Endpoints that are unknown, not public
 * or not scored yet are left out.
 */
export async function readBulkScores(
  db: Db,
  endpointIds: readonly string[],
): Promise<ReadonlyMap<string, BulkScore>> {
  const rows = z.array(scoreSchema).parse(await call(db, 'bulk_scores', { endpointIds }));
  return new Map(rows.map((row) => [row.endpointId, row]));
}
