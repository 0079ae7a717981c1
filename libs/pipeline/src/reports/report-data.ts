import { canonicalize } from '@touchstone/catalog';
import type { TrustReport } from '@touchstone/contract';
import { getRedirectTarget, type Probe } from '@touchstone/probe';
import { readBulkScores, readReportSources } from '@touchstone/store';
import { score, type ReportFreshness, type ScoredSource } from '@touchstone/trust';
import { formatEndpointPage } from '../pages.ts';
import { createOperationProblem, type ReportProblem } from '../problem.ts';
import { scoreEndpoints } from '../scoring/score-batch.ts';
import { toLiveFreshness } from './live-freshness.ts';
import type { LiveObservation } from './live-probe.ts';
import type { ReportContext } from './report-context.ts';

/** Data from which a report is made: the stored data of the endpoint, and the time and kind of its last probe. */
export interface ReportData {
  readonly kind: 'report-data';
  readonly source: ScoredSource;
  readonly freshness: ReportFreshness;
  /** Endpoint that differs only by its query or by filled-in placeholders; absent or null without such an endpoint. */
  readonly related?: TrustReport['related'];
}

/**
 * Scores an endpoint now, in the same way as the scoring job, and reads the stored data for its report.
 *
 * @returns null when the endpoint is no longer in the catalog
 * @throws Error when the endpoint cannot be scored
 */
export async function scoreAndReadSource(
  context: ReportContext,
  endpointId: string,
): Promise<ScoredSource | null> {
  const { failures } = await scoreEndpoints(context, [endpointId], context.now());
  const [failure] = failures;
  if (failure !== undefined) throw new Error(`${endpointId} could not be scored: ${failure.reason}`);
  return (await readReportSources(context.db, [endpointId])).get(endpointId) ?? null;
}

/**
 * Scores an endpoint after its live probe was recorded, and returns the data for its report.
 *
 * @param before stored data before the live probe; null if there was none
 */
export async function readReportData(
  context: ReportContext,
  live: LiveObservation,
  before: ScoredSource | null,
): Promise<ReportData | ReportProblem> {
  const { endpointId } = live.observed.observation;
  const source = await scoreAndReadSource(context, endpointId);
  if (source === null) return createRemovedProblem();
  const target = await describeRedirectTarget(context, live.probe, endpointId);
  const isPriceVarying =
    before !== null && score(before.inputs).flags.some(({ slug }) => slug === 'price-varies');
  return {
    kind: 'report-data',
    source,
    freshness: toLiveFreshness(live, {
      before: before && { ...before, isPriceVarying },
      after: source,
      target,
    }),
  };
}

/**
 * Returns a sentence with the page and the recommendation of the endpoint to which a probe was redirected; null if the
 * catalog lacks this endpoint.
 */
export async function describeRedirectTarget(
  { db, baseUrl }: ReportContext,
  probe: Probe,
  endpointId: string,
): Promise<string | null> {
  const target = canonicalize(getRedirectTarget(probe) ?? '');
  if (!target.ok || target.id === endpointId) return null;
  const found = (await readBulkScores(db, [target.id])).get(target.id);
  if (found === undefined) return null;
  const page = formatEndpointPage(found.slug, baseUrl);
  return `The catalog contains the target of the redirect, with the recommendation ${found.recommendation} (${page}).`;
}

export function createRemovedProblem(): ReportProblem {
  return createOperationProblem(
    'not-probeable',
    'The operator of this endpoint requested that it not be monitored.',
  );
}
