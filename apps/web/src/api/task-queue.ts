import pLimit from 'p-limit';

export interface TaskQueueOptions {
  /** Maximum number of tasks that run at the same time. */
  readonly maxConcurrent: number;
  /** Maximum number of waiting tasks. */
  readonly maxWaiting: number;
}

/**
 * Creates a queue that limits concurrent tasks. The timeouts inside a task start only when the task starts.
 *
 * @returns A function that queues a task. It returns null, without running the task, if the queue is full.
 */
export function createTaskQueue({ maxConcurrent, maxWaiting }: TaskQueueOptions) {
  const limit = pLimit(maxConcurrent);
  return <T>(task: () => Promise<T>): Promise<T> | null =>
    limit.pendingCount >= maxWaiting ? null : limit(task);
}
