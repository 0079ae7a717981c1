import {
  maintainPartitions,
  pruneAged,
  pruneHostQueues,
  prunePayments,
  pruneRateLimits,
  pruneSettlements,
} from '@touchstone/store';
import { DAY_MS, RETENTION_DAYS, type PipelineContext } from './context.ts';

const PRUNED_AT_ONCE = 5000;

export interface MaintainSummary {
  /** Day partitions made and dropped. */
  readonly made: number;
  readonly dropped: number;
  /** Daily rollups, daily scores, challenges and changes deleted. */
  readonly rollups: number;
  readonly scores: number;
  readonly challenges: number;
  readonly changes: number;
  /** Settlements and their daily sums deleted. */
  readonly settlements: number;
  readonly sums: number;
  /** Queues of hosts without endpoints deleted. */
  readonly hostQueues: number;
  /** Results of payments forgotten, payments that came to nothing deleted, and windows of rate limits that ended. */
  readonly results: number;
  readonly payments: number;
  readonly windows: number;
}

/**
 * Makes the partitions of the next three days ahead, drops those that are older than what is kept, and deletes what
 * else is as old, in steps that hold no lock for long.
 */
export async function maintain(context: PipelineContext): Promise<MaintainSummary> {
  const now = context.now();
  const keepFrom = now - RETENTION_DAYS * DAY_MS;
  const partitions = await maintainPartitions(context.db, { from: now, to: now + 3 * DAY_MS, keepFrom });
  const hostQueues = await pruneHostQueues(context.db);
  const pruned = { ...NOTHING_PRUNED, hostQueues };
  for (;;) {
    const step = await pruneStep(context.db, { now, keepFrom, limit: PRUNED_AT_ONCE });
    for (const kind of PRUNED_KINDS) pruned[kind] += step[kind];
    if (Math.max(...Object.values(step)) < PRUNED_AT_ONCE) return { ...partitions, ...pruned };
  }
}

const NOTHING_PRUNED = {
  rollups: 0,
  scores: 0,
  challenges: 0,
  changes: 0,
  settlements: 0,
  sums: 0,
  results: 0,
  payments: 0,
  windows: 0,
};
type Pruned = Record<keyof typeof NOTHING_PRUNED, number>;
// The names of an object that is written out above.
const PRUNED_KINDS = Object.keys(NOTHING_PRUNED) as (keyof Pruned)[];

interface Step {
  readonly now: number;
  readonly keepFrom: number;
  readonly limit: number;
}

async function pruneStep(db: PipelineContext['db'], { now, keepFrom, limit }: Step): Promise<Pruned> {
  return {
    ...(await pruneAged(db, { keepFrom, limit })),
    ...(await pruneSettlements(db, { keepFrom, limit })),
    ...(await prunePayments(db, { now, limit })),
    windows: await pruneRateLimits(db, { now, limit }),
  };
}
