import { canonicalize } from '@touchstone/catalog';
import {
  BULK_SCHEMA_TYPE,
  BULK_SCHEMA_VERSION,
  NOT_IN_CATALOG,
  toSchemaUrl,
  type Bulk,
} from '@touchstone/contract';
import { readBulkScores, type BulkScore, type Db } from '@touchstone/store';
import { score } from '@touchstone/trust';
import { formatEndpointPage } from '../pages.ts';

type Result = Bulk['results'][number];

/** External dependencies of bulk scores. */
export interface BulkContext {
  readonly db: Db;
  /** Base URL of the service that sells the scores. */
  readonly baseUrl: string;
  /** Returns the current time in milliseconds since the epoch. */
  readonly now: () => number;
}

/**
 * Creates the stored scores of many endpoints with one database call. The results have the order of the request. A text
 * that is not the URL of an endpoint counts as not found.
 *
 * @param resources URLs in any spelling; duplicates are allowed
 * @returns null if no endpoint is found. The request must not be charged then.
 * @throws StoreError when the database fails. The request must not be charged then.
 */
export async function createBulk(
  { db, baseUrl, now }: BulkContext,
  resources: readonly string[],
): Promise<Bulk | null> {
  const requested = resources.map((resource) => ({ resource, canonical: canonicalize(resource) }));
  const ids = requested.flatMap(({ canonical }) => (canonical.ok ? [canonical.id] : []));
  const scores = ids.length === 0 ? new Map<string, never>() : await readBulkScores(db, [...new Set(ids)]);
  const results = requested.map(({ resource, canonical }) => {
    const stored = canonical.ok ? scores.get(canonical.id) : undefined;
    // Two URLs can have the same id.
    const isFound = stored !== undefined && canonical.ok && stored.resource === canonical.resource;
    return isFound ? toResult(resource, stored, baseUrl) : { ...NOT_IN_CATALOG, resource };
  });
  const found = results.filter((result) => result.found).length;
  if (found === 0) return null;
  return {
    $schema: toSchemaUrl(BULK_SCHEMA_TYPE, baseUrl),
    schemaVersion: BULK_SCHEMA_VERSION,
    schemaType: BULK_SCHEMA_TYPE,
    generatedAt: new Date(now()).toISOString(),
    count: results.length,
    found,
    results,
  };
}

function toResult(resource: string, stored: BulkScore, baseUrl: string): Result {
  const { grade, recommendation, confidence, lastProbedAt, computedAt, slug } = stored;
  return {
    resource,
    found: true,
    score: stored.score,
    grade,
    recommendation,
    confidence,
    error_flags: toErrorFlags(stored),
    probed_at: lastProbedAt,
    computed_at: computedAt,
    endpointPage: formatEndpointPage(slug, baseUrl),
  };
}

/** Returns the slugs of the error flags. */
function toErrorFlags({ inputs }: BulkScore): Result['error_flags'] {
  if (inputs === null) return [];
  const { flags } = score(inputs);
  return flags.filter(({ severity }) => severity === 'error').map(({ slug }) => slug);
}
