import type { TrustReport } from '@touchstone/contract';
import type { Difference } from './differences.ts';

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
