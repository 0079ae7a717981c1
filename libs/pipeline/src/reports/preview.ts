import type { TrustReport } from '@touchstone/contract';
import { readReportSources, readSampleRanks, type Db } from '@touchstone/store';
import { toReport, type ReportOptions } from './to-report.ts';

export interface Preview {
  /** Number of graded, listed endpoints that are ranked. */
  readonly population: number;
  readonly samples: readonly {
    readonly role: 'best' | 'median' | 'worst';
    /** Rank from 1, the best. */
    readonly populationRank: number;
    readonly report: TrustReport;
  }[];
}

/**
 * Creates complete reports on the best-scored, the median and the worst-scored endpoint, or none when no endpoint is
 * graded. They are chosen among the endpoints with sufficient confidence, or among all graded ones if there are fewer than
 * three of those.
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
