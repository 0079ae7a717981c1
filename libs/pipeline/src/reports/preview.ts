import type { TrustReport } from '@touchstone/contract';
import { readReportSources, readSampleRanks, type Db } from '@touchstone/store';
import { assembleReport, CONFIDENCE, type ReportOptions } from '@touchstone/trust';

export interface Preview {
  /** Number of endpoints in the ranking. */
  readonly population: number;
  /** The same number as `population`, under the name that other clients read. */
  readonly populationSize: number;
  /** Sentence that says which endpoints are in the ranking. */
  readonly populationRule: string;
  readonly samples: readonly {
    readonly role: 'best' | 'median' | 'worst';
    /** Rank by the lower bound of the score range, then by score; 1 is the best. */
    readonly populationRank: number;
    readonly report: TrustReport;
  }[];
}

const LEFT_OUT =
  'Endpoints without a grade, delisted endpoints and endpoints that no directory has listed are left out';
const CONFIDENT_RULE = `${LEFT_OUT}, as are endpoints with a confidence below ${CONFIDENCE.low.toFixed(2)}.`;
const GRADED_RULE = `${LEFT_OUT}. Endpoints of any confidence are included, because fewer than three have one of ${CONFIDENCE.low.toFixed(2)} or more.`;

/**
 * Creates complete reports on the best, the median and the worst endpoint. There are no reports when no endpoint has a
 * grade. Only endpoints with sufficient confidence are considered. If fewer than three endpoints have sufficient
 * confidence, all endpoints with a grade are considered.
 */
export async function createPreview(db: Db, options: ReportOptions): Promise<Preview> {
  const { population, isConfident, samples } = await readSampleRanks(db);
  const sources = await readReportSources(db, [...new Set(samples.map(({ endpointId }) => endpointId))]);
  return {
    population,
    populationSize: population,
    populationRule: isConfident ? CONFIDENT_RULE : GRADED_RULE,
    samples: samples.flatMap(({ role, endpointId, rank }) => {
      const source = sources.get(endpointId);
      return source === undefined
        ? []
        : [{ role, populationRank: rank, report: assembleReport(source, options) }];
    }),
  };
}
