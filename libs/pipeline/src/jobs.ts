import type { PipelineContext } from './context.ts';
import { checkClaims } from './claims/check-claims.ts';
import { discover } from './discovery/discover.ts';
import { maintain } from './maintenance/maintain.ts';
import { reconcile } from './payments/reconcile.ts';
import { probeDue, RECHECK_INTERVAL_SECONDS, recheckMisses } from './probing/probe-due.ts';
import { buyPurchases } from './purchases/buy-purchases.ts';
import { deleteUnpaidAdoptions } from './reports/adopt.ts';
import { scoreChanged } from './scoring/score-changed.ts';
import { refreshSearch } from './search/refresh-search.ts';
import { settle } from './settlement/settle.ts';
import { recordStatistics } from './statistics/record-statistics.ts';
import { advanceWatches } from './watches/advance-watches.ts';
import { DELIVERY_INTERVAL_SECONDS, deliverEvents } from './watches/deliver-events.ts';

export interface Job {
  readonly id: string;
  readonly title: string;
  /** Standard cron expression, UTC. */
  readonly cron: string;
  /**
   * Interval for the in-process scheduler, in seconds. A job has this interval if it must run more than once a minute.
   * Runs of such a job may overlap.
   */
  readonly everySeconds?: number;
  /** Runs the job once. The scheduler logs the result for the operator. */
  readonly run: (context: PipelineContext) => Promise<object>;
}

/** All jobs of the service, for the in-process scheduler and for Inngest. */
export const JOB = {
  discover: { id: 'discover', title: 'Read the directories', cron: '7 * * * *', run: discover },
  probe: {
    id: 'probe',
    title: 'Probe due endpoints',
    cron: '* * * * *',
    run: (context) => probeDue(context),
  },
  recheck: {
    id: 'recheck',
    title: 'Recheck misses',
    cron: '* * * * *',
    everySeconds: RECHECK_INTERVAL_SECONDS,
    run: recheckMisses,
  },
  score: { id: 'score', title: 'Score changed endpoints', cron: '* * * * *', run: scoreChanged },
  search: { id: 'search', title: 'Refresh the search', cron: '* * * * *', run: refreshSearch },
  statistics: { id: 'statistics', title: 'Record statistics', cron: '11 * * * *', run: recordStatistics },
  settle: { id: 'settle', title: 'Read settlements', cron: '*/5 * * * *', run: settle },
  reconcile: { id: 'reconcile', title: 'Reconcile payments', cron: '*/2 * * * *', run: reconcile },
  adoptions: {
    id: 'adoptions',
    title: 'Delete unpaid adoptions',
    cron: '* * * * *',
    run: deleteUnpaidAdoptions,
  },
  deliver: {
    id: 'deliver',
    title: 'Deliver events of watches',
    cron: '* * * * *',
    everySeconds: DELIVERY_INTERVAL_SECONDS,
    run: (context) => deliverEvents(context),
  },
  watches: { id: 'watches', title: 'Expire watches', cron: '* * * * *', run: advanceWatches },
  claims: { id: 'claims', title: 'Check claims of hosts', cron: '*/10 * * * *', run: checkClaims },
  purchases: { id: 'purchases', title: 'Buy from endpoints', cron: '*/10 * * * *', run: buyPurchases },
  maintain: { id: 'maintain', title: 'Maintain partitions', cron: '41 3 * * *', run: maintain },
} as const satisfies Record<string, Job>;

/** All jobs as a list, for schedulers that run every job. */
export const JOBS: readonly Job[] = Object.values(JOB);
