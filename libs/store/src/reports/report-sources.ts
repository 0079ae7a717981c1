import { GRADES, RECOMMENDATIONS } from '@touchstone/contract';
import { z } from 'zod';
import { LISTING_SOURCES } from '../snapshots/snapshot.ts';
import { scoredSourceSchema, type ScoredSource } from '@touchstone/trust';
import { call, type Db } from '../client/client.ts';
import { createRowSchema } from '../client/rows.ts';

/**
 * Schema of at most 200 listed endpoints of the requested host: URL templates, and endpoints whose URL differs from the
 * requested URL only in the query. The requested endpoint and provisional adoptions are left out. The order depends on
 * the SQL function.
 */
export const relatedSchema = z.array(
  z.object({
    resource: z.string(),
    slug: z.string(),
    templated: z.boolean(),
    source: z.enum(LISTING_SOURCES),
    score: z.number(),
    grade: z.enum(GRADES),
    recommendation: z.enum(RECOMMENDATIONS),
    confidence: z.number(),
  }),
);

/** Endpoint whose URL may be another form of the requested URL. */
export type RelatedEndpoint = z.infer<typeof relatedSchema>[number];

/** Returns the data of reports by endpoint id. Endpoints that are not public or have no score are left out. */
export async function readReportSources(
  db: Db,
  endpointIds: readonly string[],
): Promise<ReadonlyMap<string, ScoredSource>> {
  const rows = z
    .array(z.object({ endpoint_id: z.string(), source: scoredSourceSchema }))
    .parse(await call(db, 'report_sources', { endpointIds }));
  return new Map(rows.map(({ endpoint_id, source }) => [endpoint_id, source]));
}

const closestSchema = relatedSchema.element.pick({ resource: true, slug: true }).nullable();

/** Returns an endpoint of a host whose URL is similar to a URL; null if no directory lists a scored endpoint of the host. */
export async function findClosestEndpoint(
  db: Db,
  { host, resource }: { readonly host: string; readonly resource: string },
): Promise<z.infer<typeof closestSchema>> {
  return closestSchema.parse(await call(db, 'closest_endpoint', { host, resource }));
}

const rankSchema = createRowSchema({
  role: z.enum(['best', 'median', 'worst']),
  endpointId: z.string(),
  /** Rank by the lower bound of the score range, then by score; 1 is the best. */
  rank: z.number().int(),
  population: z.number().int(),
  isConfident: z.boolean(),
});

/**
 * Returns the best, the median and the worst endpoint among the graded endpoints that a directory lists.
 * `samples` are these endpoints with their ranks; empty if there are none. `population` is the number of ranked
 * endpoints.
 * `isConfident` is true if only endpoints with a confidence of at least 0.3 are ranked. It is false if fewer than three
 * endpoints have this confidence; then all graded endpoints are ranked.
 */
export async function readSampleRanks(db: Db) {
  const samples = z.array(rankSchema).parse(await call(db, 'sample_ranks', {}));
  const [first] = samples;
  return {
    population: first?.population ?? 0,
    isConfident: first?.isConfident ?? false,
    samples: samples.map(({ role, endpointId, rank }) => ({ role, endpointId, rank })),
  };
}
