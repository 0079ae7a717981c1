/** Delayed call of a function. A later call replaces an earlier call that has not run yet. */
interface DelayedCall {
  /** Runs the action after the delay. Cancels an earlier action that has not run yet. */
  readonly schedule: (action: () => void) => void;
  /** Cancels the action if it has not run yet. */
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
