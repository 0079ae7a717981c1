import { readOperationalMetrics, type OperationalMetrics } from '@touchstone/store';
import { getSalesProblem } from '../../operations/paid-route.ts';
import { getConfig } from '../../platform/config/config.ts';
import { getSecretDatabase } from '../../platform/database/databases.ts';
import { shareResult } from '../../platform/process-value.ts';
import { readThroughCache } from '../../serving/page-cache/page-data.ts';
import { UNSTORED_TAG } from '../../serving/page-cache/page-lifetime.ts';

/** Maximum age of the figures, in milliseconds. All visitors share one query. */
const MAX_AGE_MS = 10_000;

/** State of the service at one time. */
export interface StatusReport {
  /** Time at which the figures were read, in milliseconds since the epoch. */
  readonly readAt: number;
  readonly metrics: Pick<OperationalMetrics, 'probes' | 'queues' | 'jobs'>;
  /** True if the service has an embedder for the search by meaning. */
  readonly hasEmbedder: boolean;
  /** True if purchases are possible. */
  readonly canSell: boolean;
}

/** Reads the state of the service. The page is never stored, because a stored page would hide a new outage. */
export function loadStatus(): Promise<StatusReport> {
  return readThroughCache(['status'], UNSTORED_TAG, () =>
    shareResult('status', MAX_AGE_MS, async () => {
      const readAt = Date.now();
      const [{ probes, queues, jobs }, salesProblem] = await Promise.all([
        readOperationalMetrics(getSecretDatabase(), readAt),
        getSalesProblem(),
      ]);
      return {
        readAt,
        metrics: { probes, queues, jobs },
        hasEmbedder: getConfig().embedder.kind !== 'none',
        canSell: salesProblem === null,
      };
    }),
  );
}
