/** Runs tasks one after another, in the order of their arrival. */
export interface Queue {
  readonly run: <T>(task: () => Promise<T>) => Promise<T>;
  /** Resolves when all tasks so far have ended. */
  readonly waitUntilIdle: () => Promise<void>;
}

/** Creates an empty queue. A task that fails does not stop the next one. */
export function createQueue(): Queue {
  let last: Promise<unknown> = Promise.resolve();
  return {
    run: (task) => {
      const result = last.then(task);
      last = result.catch(() => undefined);
      return result;
    },
    waitUntilIdle: async () => {
      await last;
    },
  };
}
