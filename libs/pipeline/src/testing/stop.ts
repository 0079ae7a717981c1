/**
 * Stop of a simulated process. After the stop, every call of a wrapped function stays pending forever, as after a kill.
 */
export interface Stop {
  readonly isStopped: () => boolean;
  readonly stop: () => void;
  /** Wraps a function. After the stop, no call begins, and calls in flight never return. */
  readonly wrap: <Parameters extends unknown[], Result>(
    call: (...parameters: Parameters) => Promise<Result>,
  ) => (...parameters: Parameters) => Promise<Result>;
}

/** Creates the stop of a simulated process. */
export function createStop(): Stop {
  const stopping = new AbortController();
  const isStopped = (): boolean => stopping.signal.aborted;
  const forever = (): Promise<never> => new Promise(() => undefined);
  return {
    isStopped,
    stop: () => stopping.abort(),
    wrap:
      (call) =>
      async (...parameters) => {
        if (isStopped()) return forever();
        const result = await call(...parameters);
        return isStopped() ? forever() : result;
      },
  };
}
