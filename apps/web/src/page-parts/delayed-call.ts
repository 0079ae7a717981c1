/** Function call that runs after a delay, unless a later call replaces it. */
interface DelayedCall {
  /** Runs the action after the delay. An earlier action that still waits is dropped. */
  readonly schedule: (action: () => void) => void;
  /** Drops the action if it still waits. */
  readonly cancel: () => void;
}

/** Creates a delayed call. The delay is in milliseconds. */
export function createDelayedCall(delayMs: number): DelayedCall {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const cancel = (): void => {
    clearTimeout(timer);
  };
  return {
    schedule: (action) => {
      cancel();
      timer = setTimeout(action, delayMs);
    },
    cancel,
  };
}
