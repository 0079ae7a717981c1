import { canonicalize, type CanonicalResource } from '@touchstone/catalog';
import {
  BULK_SCHEMA_TYPE,
  BULK_SCHEMA_VERSION,
  NOT_IN_CATALOG,
  toSchemaUrl,
  type Bulk,
} from '@touchstone/contract';
import { readBulkScores, type BulkScore, type Db } from '@touchstone/store';
import { score, toDisplayResource } from '@touchstone/trust';
import { formatEndpointPage } from '../pages.ts';
import { createOperationProblem, type OperationProblem } from '../problem.ts';
import { toOtherScheme } from '../reports/find-related.ts';

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
 * Creates the stored scores of many endpoints. The results have the order of the request. A text that is not the URL of
 * an endpoint counts as not found. Makes one database call, and another one if URLs are not found.
 *
 * @param resources URLs in any spelling; duplicates are allowed
 * @returns a problem if no endpoint is found. The request must not be charged then.
 * @throws StoreError when the database fails. The request must not be charged then.
 */
export async function createBulk(
  { db, baseUrl, now }: BulkContext,
  resources: readonly string[],
): Promise<BulkOutcome> {
  const requested = resources.map((resource) => {
    const canonical = canonicalize(resource);
    return { resource, canonical: canonical.ok ? canonical : null };
  });
  const find = await readScores(
    db,
    requested.map(({ canonical }) => canonical),
  );
  const missing = requested.flatMap(({ canonical }) => (find(canonical) === null ? [canonical] : []));
  const others = missing.map((canonical) => canonical && toOtherScheme(canonical));
  const findOther = await readScores(db, others);
  const results = requested.map(({ resource, canonical }) => {
    const stored = find(canonical);
    if (stored !== null) return toResult(resource, stored, baseUrl);
    const other = findOther(canonical && toOtherScheme(canonical));
    return { ...NOT_IN_CATALOG, resource, schemeVariant: other && toDisplayResource(other.resource) };
  });
  const found = results.filter((result) => result.found).length;
  if (found === 0) return createNoneFound(results);
  const body: Bulk = {
    $schema: toSchemaUrl(BULK_SCHEMA_TYPE, baseUrl),
    schemaVersion: BULK_SCHEMA_VERSION,
    schemaType: BULK_SCHEMA_TYPE,
    generatedAt: new Date(now()).toISOString(),
    count: results.length,
    found,
    results,
  };
  return { kind: 'result', body };
}

type BulkOutcome = { readonly kind: 'result'; readonly body: Bulk } | OperationProblem<'unknown-resource'>;

/** Reads the scores of URLs, and returns a function that finds the score of one of these URLs. */
async function readScores(
  db: Db,
  urls: readonly (CanonicalResource | null)[],
): Promise<(url: CanonicalResource | null) => BulkScore | null> {
  const ids = [...new Set(urls.flatMap((url) => url?.id ?? []))];
  const scores = ids.length === 0 ? new Map<string, BulkScore>() : await readBulkScores(db, ids);
  return (url) => {
    const stored = url === null ? undefined : scores.get(url.id);
    // Two URLs can have the same id.
    return stored !== undefined && stored.resource === url?.resource ? stored : null;
  };
}

/** Creates the problem of a request without a known URL. */
function createNoneFound(results: readonly Result[]): OperationProblem<'unknown-resource'> {
  const isAddable = results.some(({ resource }) => /^https:/i.test(resource));
  const detail = [
    'None of these endpoints is in the catalog.',
    ...(isAddable ? ['Buy a trust report on an https endpoint to add it to the catalog.'] : []),
    ...describeVariants(results.flatMap(({ schemeVariant }) => schemeVariant ?? [])),
  ].join(' ');
  return createOperationProblem('unknown-resource', detail);
}

/** Names the first URL of the catalog that differs from a requested URL by its scheme, and counts the others. */
function describeVariants([first, ...others]: readonly string[]): readonly string[] {
  if (first === undefined) return [];
  return others.length === 0
    ? [`The catalog contains ${first}, which differs only by its scheme, http or https. Request that URL.`]
    : [
        `The catalog contains ${first} and ${others.length} more of these endpoints with the other scheme, http or https. Request those URLs.`,
      ];
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
    delivery: stored.delivery,
    probed_at: lastProbedAt,
    computed_at: computedAt,
    endpointPage: formatEndpointPage(slug, baseUrl),
    schemeVariant: null,
  };
}

/** Returns the slugs of the error flags. */
function toErrorFlags({ inputs }: BulkScore): Result['error_flags'] {
  if (inputs === null) return [];
  const { flags } = score(inputs);
  return flags.filter(({ severity }) => severity === 'error').map(({ slug }) => slug);
}
