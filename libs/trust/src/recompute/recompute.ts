import { trustReportSchema, type TrustReport } from '@touchstone/contract';
import { findReportContradictions, findDifferences, appendToPath, type Difference } from './differences.ts';
import { computeAgeSeconds } from '../report/assemble-report.ts';
import { toReportDelivery } from '../report/report-delivery.ts';
import { readInputs, toReportStats } from '../report/report-inputs.ts';
import { parseIsoTimeOrNull } from '../report-values.ts';
import { toReportVerdict } from '../report/report-verdict.ts';
import { isLatestChallengePayable } from '../endpoint-state.ts';
import { score, SCORING_VERSION } from '../score.ts';

/** Result of recomputing a report. */
export type Recomputed =
  /** Every derived figure equals its recomputed value, and no raw figures contradict each other. */
  | { readonly outcome: 'agrees'; readonly report: TrustReport }
  /**
   * At least one figure differs. A difference in the score comes first, because the score is the first figure of a
   * report.
   */
  | {
      readonly outcome: 'differs';
      readonly report: TrustReport;
      readonly first: Difference;
      readonly differences: readonly Difference[];
    }
  /** The report uses another version of the score formula. `known` is the version that this library recomputes. */
  | { readonly outcome: 'other-version'; readonly report: TrustReport; readonly known: string }
  | { readonly outcome: 'no-report'; readonly faults: readonly ReportFault[] };

/** Violation of the report schema: path of the value, and a message about the expected value. */
export interface ReportFault {
  readonly path: string;
  readonly message: string;
}

/**
 * Recomputes the derived figures of a report from its raw figures, and compares them to the last digit. Derived figures
 * are the whole verdict, and other figures such as counts and ages. Also checks that raw figures do not contradict each
 * other. Agreement proves that the verdict follows from the raw figures. Only the signature proves who published the
 * raw figures.
 *
 * A report of another scoring version is not recomputed, because another formula can give other figures.
 *
 * @param value any value, such as untrusted parsed JSON
 */
export function recompute(value: unknown): Recomputed {
  const parsed = trustReportSchema.safeParse(value);
  if (!parsed.success) {
    const faults = parsed.error.issues.map(({ path, message }) => ({
      path: path.reduce<string>(appendToPath, '$'),
      message,
    }));
    return { outcome: 'no-report', faults };
  }
  const report = parsed.data;
  if (report.scoringVersion !== SCORING_VERSION) {
    return { outcome: 'other-version', report, known: SCORING_VERSION };
  }
  const said: Readonly<Record<string, unknown>> = report;
  const differences = [
    ...Object.entries(recomputeMembers(report)).flatMap(([name, computed]) =>
      findDifferences(appendToPath('$', name), said[name], computed),
    ),
    ...findReportContradictions(report),
  ];
  const [first] = differences;
  return first === undefined
    ? { outcome: 'agrees', report }
    : { outcome: 'differs', report, first, differences };
}

/**
 * Returns the members of a report that contain derived figures, with these figures recomputed: first the members of the
 * verdict, then the members that also contain raw figures.
 */
function recomputeMembers(report: TrustReport): Partial<TrustReport> {
  const { generatedAt, freshness, listing, advertised, stats, compliance, delivery } = report;
  const { avgLatencyMs, firstByte, latency, latencyVantage, lastProbedAt, firstSeen, payToDistinct30d } =
    stats;
  const inputs = readInputs(report);
  const ageSeconds = computeAgeSeconds(Date.parse(generatedAt), parseIsoTimeOrNull(freshness.probedAt));
  return {
    ...toReportVerdict(score(inputs)),
    freshness: { ...freshness, ageSeconds },
    listing: { ...listing, firstSeen },
    stats: toReportStats(inputs, {
      ...{ avgLatencyMs, firstByte, p99: latency?.p99 ?? null, latencyVantage, payToDistinct30d },
      termsAt: advertised?.observedAt ?? null,
      lastProbedAt: parseIsoTimeOrNull(lastProbedAt),
    }),
    delivery: delivery && toReportDelivery(inputs, delivery.record),
    compliance: compliance && { ...compliance, payable: isLatestChallengePayable(inputs) },
  };
}
