import { maintainPartitions, pruneAged, pruneHostQueues, pruneSettlements } from '@touchstone/store';
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
  const pruned = { rollups: 0, scores: 0, challenges: 0, changes: 0, settlements: 0, sums: 0, hostQueues };
  for (;;) {
    const order = { keepFrom, limit: PRUNED_AT_ONCE };
    const step = { ...(await pruneAged(context.db, order)), ...(await pruneSettlements(context.db, order)) };
    pruned.rollups += step.rollups;
    pruned.scores += step.scores;
    pruned.challenges += step.challenges;
    pruned.changes += step.changes;
    pruned.settlements += step.settlements;
    pruned.sums += step.sums;
    if (Math.max(...Object.values(step)) < PRUNED_AT_ONCE) return { ...partitions, ...pruned };
  }
}
