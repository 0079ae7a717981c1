import { readReportSources, type ReportSource } from '@touchstone/store';
import type { ReportFacts } from '@touchstone/trust';
import type { Sight } from './live-probe.ts';
import type { ReportContext, ReportProblem } from './report-context.ts';
import { scoreEndpoints } from './score-batch.ts';

/** What a report is made of: what is stored of the endpoint, and how recent that is. */
export interface Findings {
  readonly kind: 'findings';
  readonly source: ReportSource;
  readonly freshness: ReportFacts['freshness'];
  /** Takes an adoption back that this depends on; left out where there is none. */
  readonly undo?: () => Promise<void>;
}

export function problem(code: ReportProblem['code'], detail: string): ReportProblem {
  return { kind: 'problem', code, detail };
}

/**
 * Scores an endpoint at once, as the job would, and reads what its report is assembled from.
 *
 * @returns null where it was removed meanwhile
 * @throws Error when it cannot be scored
 */
export async function scoredSource(context: ReportContext, endpointId: string): Promise<ReportSource | null> {
  const { failures } = await scoreEndpoints(context, [endpointId], context.now());
  const [failure] = failures;
  if (failure !== undefined) throw new Error(`${endpointId} could not be scored: ${failure.reason}`);
  return (await readReportSources(context.db, [endpointId])).get(endpointId) ?? null;
}

/** Where the report can be made, what it is made of after a live probe. */
export async function findingsOf(
  context: ReportContext,
  { at, tookMs, observed }: Sight,
): Promise<Findings | ReportProblem> {
  const source = await scoredSource(context, observed.observation.endpointId);
  if (source === null) return removed();
  const freshness = { live: true, notLiveReason: null, probedAt: at, liveProbeMs: tookMs };
  return { kind: 'findings', source, freshness };
}

export function removed(): ReportProblem {
  return problem('not-probeable', 'Whoever runs this endpoint asked for it not to be watched.');
}
