import { maintainPartitions } from '@touchstone/store';
import { DAY_MS, RETENTION_DAYS, type PipelineContext } from './context.ts';

/** Makes the partitions of the next three days ahead and drops those that are older than what is kept. */
export function maintain(context: PipelineContext): Promise<{ made: number; dropped: number }> {
  const now = context.now();
  return maintainPartitions(context.db, {
    from: now,
    to: now + 3 * DAY_MS,
    keepFrom: now - RETENTION_DAYS * DAY_MS,
  });
}
