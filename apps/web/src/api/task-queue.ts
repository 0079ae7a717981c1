import pLimit from 'p-limit';

export interface TaskQueueOptions {
  /** Maximum number of tasks that run at the same time. */
  readonly maxConcurrent: number;
  /** Maximum number of waiting tasks. */
  readonly maxWaiting: number;
}

/**
 * Creates a queue that limits the number of concurrent tasks. The time that a task waits does not count for timeouts
 * inside the task.
 *
 * @returns Function that queues a task. If the queue is full, the function returns null and does not run the task.
 */
export function createTaskQueue({ maxConcurrent, maxWaiting }: TaskQueueOptions) {
  const limit = pLimit(maxConcurrent);
  return <T>(task: () => Promise<T>): Promise<T> | null =>
    limit.pendingCount >= maxWaiting ? null : limit(task);
}
