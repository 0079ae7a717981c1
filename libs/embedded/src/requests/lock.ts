/** Runs work when all earlier work has ended. */
export type Lock = <T>(work: () => Promise<T>) => Promise<T>;

/** Creates a lock. Work runs one after the other, in the order of the calls. */
export function createLock(): Lock {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };
}
