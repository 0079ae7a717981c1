import { DEADLINE_CODE, ProbeFailure, UNEXPECTED_CODE } from '../outcome/failure.ts';

export interface DeadlineControls<T> {
  readonly done: (value: T) => void;
  readonly fail: (error: unknown) => void;
  /** Replaces the deadline: so many milliseconds from now. */
  readonly setDeadline: (ms: number) => void;
}

/**
 * Runs one step that ends by its own events or by its deadline, whichever is first. What comes later is ignored.
 *
 * @param ms - Milliseconds until the deadline.
 * @param start - Starts the step and calls `done` or `fail` when it is over.
 * @returns What `done` was given. Rejects with what `fail` was given, or with a `ProbeFailure` at the deadline.
 */
export function runWithDeadline<T>(ms: number, start: (settle: DeadlineControls<T>) => void): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    const extend = (later: number): void => {
      clearTimeout(timer);
      const expire = (): void =>
        reject(new ProbeFailure(DEADLINE_CODE, `not done within ${Math.round(later)} ms`));
      timer = setTimeout(expire, Math.max(0, later));
    };
    const settle: DeadlineControls<T> = {
      done: (value) => {
        clearTimeout(timer);
        resolve(value);
      },
      fail: (error) => {
        clearTimeout(timer);
        reject(
          error instanceof Error ? error : new ProbeFailure(UNEXPECTED_CODE, 'what was thrown is no error'),
        );
      },
      setDeadline: extend,
    };
    extend(ms);
    try {
      start(settle);
    } catch (error) {
      settle.fail(error);
    }
  });
}
