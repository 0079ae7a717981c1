import type { TrustReport } from '@touchstone/contract';
import { readReportSources, readSampleRanks, type Db } from '@touchstone/store';
import { toReport, type ReportOptions } from './to-report.ts';

export interface Preview {
  /** Graded, listed endpoints that the ranks are among. */
  readonly population: number;
  readonly samples: readonly {
    readonly role: 'best' | 'median' | 'worst';
    /** From 1, the best. */
    readonly populationRank: number;
    readonly report: TrustReport;
  }[];
}

/**
 * Complete reports on the best-scored, the median and the worst-scored endpoint; none where nothing is graded. They are
 * chosen among those of which enough is known, or while there are not three of those, among all that are graded.
 */
export async function previewReports(db: Db, options: ReportOptions): Promise<Preview> {
  const { population, samples } = await readSampleRanks(db);
  const sources = await readReportSources(db, [...new Set(samples.map(({ endpointId }) => endpointId))]);
  return {
    population,
    samples: samples.flatMap(({ role, endpointId, rank }) => {
      const source = sources.get(endpointId);
      return source === undefined ? [] : [{ role, populationRank: rank, report: toReport(source, options) }];
    }),
  };
}
