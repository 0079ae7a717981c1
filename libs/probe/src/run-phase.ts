import { deadlineCode, ProbeFailure, unexpectedCode } from './failure.ts';

export interface Settle<T> {
  readonly done: (value: T) => void;
  readonly fail: (error: unknown) => void;
  /** Replaces the deadline: so many milliseconds from now. */
  readonly extend: (ms: number) => void;
}

/**
 * Runs one step that ends by its own events or by its deadline, whichever is first. What comes later is ignored.
 *
 * @param ms - Milliseconds until the deadline.
 * @param start - Starts the step and calls `done` or `fail` when it is over.
 * @returns What `done` was given. Rejects with what `fail` was given, or with a `ProbeFailure` at the deadline.
 */
export function runPhase<T>(ms: number, start: (settle: Settle<T>) => void): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    const extend = (later: number): void => {
      clearTimeout(timer);
      const expire = (): void =>
        reject(new ProbeFailure(deadlineCode, `not done within ${Math.round(later)} ms`));
      timer = setTimeout(expire, Math.max(0, later));
    };
    const settle: Settle<T> = {
      done: (value) => {
        clearTimeout(timer);
        resolve(value);
      },
      fail: (error) => {
        clearTimeout(timer);
        reject(
          error instanceof Error ? error : new ProbeFailure(unexpectedCode, 'what was thrown is no error'),
        );
      },
      extend,
    };
    extend(ms);
    try {
      start(settle);
    } catch (error) {
      settle.fail(error);
    }
  });
}
