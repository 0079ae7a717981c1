import type { TrustReport } from '@touchstone/contract';
import { readReportSources, readSampleRanks, type Db } from '@touchstone/store';
import { toReport, type ReportOptions } from './to-report.ts';

export interface Preview {
  /** Number of listed endpoints with a grade, which are ranked by score. */
  readonly population: number;
  readonly samples: readonly {
    readonly role: 'best' | 'median' | 'worst';
    /** Rank by score; 1 is the best. */
    readonly populationRank: number;
    readonly report: TrustReport;
  }[];
}

/**
 * Creates complete reports on the endpoints with the best, the median and the worst score, or none when no endpoint has
 * a grade. Only endpoints with sufficient confidence are considered. If there are fewer than three of them, all
 * endpoints with a grade are considered.
 */
export async function createPreview(db: Db, options: ReportOptions): Promise<Preview> {
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
