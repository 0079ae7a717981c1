import { formatTimestamp } from '@touchstone/common';
import {
  DEFAULT_SCORE_DELTA,
  GRADES,
  MAX_COUNTED_ALTERNATIVES,
  MAX_WITHIN_DELTA,
  RECOMMENDATIONS,
} from '@touchstone/contract';
import { z } from 'zod';
import { call, callForRow, type Db } from '../client/client.ts';

const gradeSchema = z.enum(GRADES);
const scoredGradeSchema = gradeSchema.exclude(['?']);

const matchSchema = z.object({
  endpointId: z.string(),
  slug: z.string(),
  resource: z.string(),
  /** Score, grade and confidence; null if the grade is `?`. */
  score: z.number().nullable(),
  grade: scoredGradeSchema.nullable(),
  confidence: z.number().nullable(),
  /** Cosine similarity from 0.5 to 1 with four decimals. */
  similarity: z.number(),
  description: z.string().nullable(),
});
/** Endpoint that matches the embedding of a query. */
export type StoredMatch = z.infer<typeof matchSchema>;

/**
 * Schema of a flag. False if more than 5 % of the texts of the catalog have no embedding of the requested vector space.
 */
const isCompleteSchema = z.boolean();

const matchesSchema = z.object({ isComplete: isCompleteSchema, matches: z.array(matchSchema) });

const alternativesSchema = z.object({
  /** Subject: the endpoint to replace; null if it has no public snapshot. */
  subject: z
    .object({
      endpointId: z.string(),
      slug: z.string(),
      resource: z.string(),
      serviceName: z.string().nullable(),
      description: z.string().nullable(),
      score: z.number(),
      grade: gradeSchema,
      recommendation: z.enum(RECOMMENDATIONS),
    })
    .nullable(),
  /** False if the text of the subject has no stored embedding. Then there are no alternatives. */
  isEmbedded: z.boolean(),
  isComplete: isCompleteSchema,
  /** Number of alternatives whose score is at least the score of the subject, at most {@link MAX_WITHIN_DELTA}. */
  withinDelta: z.number().int(),
  alternatives: z.array(
    z.object({
      endpointId: z.string(),
      slug: z.string(),
      resource: z.string(),
      score: z.number(),
      grade: scoredGradeSchema,
      recommendation: z.enum(RECOMMENDATIONS).exclude(['avoid']),
      confidence: z.number(),
      similarity: z.number(),
      amountUsd: z.string().nullable(),
      network: z.string().nullable(),
    }),
  ),
});
/** Alternatives to an endpoint, best first. */
export type StoredAlternatives = z.infer<typeof alternativesSchema>;

/**
 * Returns at most `limit` listed endpoints for the embedding of a query. The order is by similarity in whole percentage
 * points, then by score. Of equal endpoints, described endpoints come first, then smaller ids. The similarity is at
 * least 0.5. Of the endpoints of a host with the same text, only the best is returned. Only embeddings of the vector space `model` are compared.
 */
export async function searchByEmbedding(
  db: Db,
  query: {
    readonly model: string;
    readonly embedding: readonly number[];
    /** Embedding of the query in full words. Of the two similarities, the better counts. */
    readonly expansion?: readonly number[] | null;
    readonly limit: number;
  },
): Promise<z.infer<typeof matchesSchema>> {
  const embedding = formatVector(query.embedding);
  const expansion = query.expansion ? formatVector(query.expansion) : null;
  return matchesSchema.parse(await call(db, 'search_by_embedding', { ...query, embedding, expansion }));
}

export interface AlternativesQuery {
  readonly model: string;
  /** Id of the subject: the endpoint to replace. */
  readonly endpointId: string;
  /** Minimum difference of an alternative's score from the score of the subject, in points. */
  readonly minScoreDelta: number;
  readonly limit: number;
}

/**
 * Returns a subject and at most `limit` alternatives in the order of searchByEmbedding. An alternative is a listed and
 * graded endpoint of another host whose text has the same job and a similarity of at least 0.4. Its recommendation is
 * not `avoid`.
 */
export async function readAlternatives(db: Db, query: AlternativesQuery): Promise<StoredAlternatives> {
  return alternativesSchema.parse(
    await call(db, 'alternatives_to', { ...query, maxWithin: MAX_WITHIN_DELTA }),
  );
}

/** Formats a vector as the text input of pgvector. */
function formatVector(vector: readonly number[]): string {
  return `[${vector.join(',')}]`;
}

/**
 * Counts the better alternatives of up to `limit` endpoints, for at most two seconds. Fewer endpoints than `limit` may
 * be counted in this time.
 * Selects endpoints whose verdict changed after their last count, and endpoints without a count in the last
 * `maxAgeSeconds`. Endpoints whose text has no embedding yet are left out. The minimum score difference is the default
 * of the operation that returns alternatives.
 * @returns The number of counted endpoints, and the ids of the endpoints whose number of better alternatives changed.
 */
export async function countAlternatives(
  db: Db,
  query: {
    readonly now: number;
    readonly model: string;
    readonly maxAgeSeconds: number;
    readonly limit: number;
  },
): Promise<{ readonly counted: number; readonly changed: readonly string[] }> {
  return callForRow(db, 'count_alternatives', {
    ...query,
    now: formatTimestamp(query.now),
    minScoreDelta: DEFAULT_SCORE_DELTA,
    max: MAX_COUNTED_ALTERNATIVES,
  });
}
