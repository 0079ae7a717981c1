interface LockOptions {
  /** True for a task that runs before all waiting tasks that are not urgent. */
  readonly isUrgent?: boolean;
}

/** Runs `work` when no other task runs. */
export type Lock = <T>(work: () => Promise<T>, options?: LockOptions) => Promise<T>;

/** Maximum number of urgent tasks that run one after the other while another task waits. */
const MAX_URGENT_IN_A_ROW = 8;

/**
 * Creates a lock. The lock runs one task at a time: urgent tasks first, and tasks of the same kind in the order of the
 * calls. After `MAX_URGENT_IN_A_ROW` urgent tasks, one task that is not urgent runs, so that no task waits forever.
 */
export function createLock(): Lock {
  const urgent: (() => void)[] = [];
  const others: (() => void)[] = [];
  let isHeld = false;
  let urgentInARow = 0;

  function startNext(): void {
    const isTurnOfOthers = urgent.length === 0 || (others.length > 0 && urgentInARow >= MAX_URGENT_IN_A_ROW);
    urgentInARow = isTurnOfOthers ? 0 : urgentInARow + 1;
    const start = (isTurnOfOthers ? others : urgent).shift();
    isHeld = start !== undefined;
    start?.();
  }

  return async (work, { isUrgent = false } = {}) => {
    if (isHeld) await new Promise<void>((start) => (isUrgent ? urgent : others).push(start));
    isHeld = true;
    try {
      return await work();
    } finally {
      startNext();
    }
  };
}
