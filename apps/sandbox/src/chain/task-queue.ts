/** Creates a function that queues tasks and runs them one at a time. A failed task does not prevent later tasks. */
export function createTaskQueue() {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(task: () => Promise<T>): Promise<T> => {
    const result = last.then(task);
    last = result.catch(() => undefined);
    return result;
  };
}
