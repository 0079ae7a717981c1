import pLimit from 'p-limit';

export interface TurnOptions {
  /** Tasks under way at the same time. */
  readonly atOnce: number;
  /** Tasks that may wait for their turn. */
  readonly mostWaiting: number;
}

/**
 * Has tasks wait for their turn instead of each other's time running out: what a task asks of others is asked when its
 * turn has come, however many came before it.
 *
 * @returns runs a task; null where too many wait already, and then it does not run
 */
export function createTurns({ atOnce, mostWaiting }: TurnOptions) {
  const limit = pLimit(atOnce);
  return <T>(task: () => Promise<T>): Promise<T> | null =>
    limit.pendingCount >= mostWaiting ? null : limit(task);
}
