/** Creates a function that runs tasks one by one, in the order of its calls. A failed task does not stop the next ones. */
export const createTaskQueue = () => {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(task: () => Promise<T>): Promise<T> => {
    const result = last.then(task);
    last = result.catch(() => undefined);
    return result;
  };
};
