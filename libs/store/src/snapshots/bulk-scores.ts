import { GRADES, RECOMMENDATIONS } from '@touchstone/contract';
import { scoreInputsSchema } from '@touchstone/trust';
import { z } from 'zod';
import { unwrap, type Db } from '../client/client.ts';
import { isoTimestampSchema } from './snapshot.ts';

const rowSchema = z
  .object({
    endpoint_id: z.string(),
    resource: z.string(),
    slug: z.string(),
    score: z.number(),
    grade: z.enum(GRADES),
    recommendation: z.enum(RECOMMENDATIONS),
    confidence: z.number(),
    last_probed_at: isoTimestampSchema.nullable(),
    computed_at: isoTimestampSchema,
    error_flags: z.number().int(),
    inputs: scoreInputsSchema.nullable(),
  })
  .transform(({ endpoint_id, last_probed_at, computed_at, error_flags, ...row }) => ({
    ...row,
    endpointId: endpoint_id,
    lastProbedAt: last_probed_at,
    computedAt: computed_at,
    errorFlags: error_flags,
  }));

/**
 * Public score of an endpoint, with times in ISO 8601 (UTC). `errorFlags` is the number of error flags. `inputs` are the
 * inputs of the score, from which the error flags are computed. They are null without error flags.
 */
export type BulkScore = z.infer<typeof rowSchema>;

/**
 * Returns the public scores of endpoints by endpoint id, with one database call. Endpoints that are unknown, not public
 * or not scored yet are left out.
 */
export async function readBulkScores(
  db: Db,
  endpointIds: readonly string[],
): Promise<ReadonlyMap<string, BulkScore>> {
  const response = await db.rpc('bulk_scores', { p_endpoint_ids: [...endpointIds] });
  const rows = z.array(rowSchema).parse(unwrap('read the scores of endpoints', response));
  return new Map(rows.map((row) => [row.endpointId, row]));
}
