import type { Difference } from './differences.ts';

/** Members of a report that every scoring version has. */
interface VerifiedReport {
  readonly resource: string;
  readonly generatedAt: string;
  readonly score: number;
  readonly grade: string;
  readonly recommendation: string;
  readonly scoringVersion: string;
  readonly signature: { readonly keyId: string } | null;
}

/** Result of recomputing a report. */
export type Recomputed =
  /** Every derived figure equals its recomputed value, and no raw figures contradict each other. */
  | { readonly outcome: 'agrees'; readonly report: VerifiedReport }
  /**
   * At least one figure differs. A difference in the score comes first, because the score is the first figure of a
   * report.
   */
  | {
      readonly outcome: 'differs';
      readonly report: VerifiedReport;
      readonly first: Difference;
      readonly differences: readonly Difference[];
    }
  /**
   * The report uses a version of the score formula that this library cannot recompute. `known` names the versions that
   * it can recompute.
   */
  | { readonly outcome: 'other-version'; readonly report: VerifiedReport; readonly known: string }
  | { readonly outcome: 'no-report'; readonly faults: readonly ReportFault[] };

/** Violation of the report schema: path of the value, and a message about the expected value. */
export interface ReportFault {
  readonly path: string;
  readonly message: string;
}
