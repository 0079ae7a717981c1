import { DEADLINE_CODE, ProbeFailure, UNEXPECTED_CODE } from '../outcome/classify-outcome.ts';

export interface DeadlineControls<T> {
  readonly resolve: (value: T) => void;
  readonly reject: (error: unknown) => void;
  /** Sets a new deadline, in milliseconds from now. */
  readonly setDeadline: (ms: number) => void;
}

/**
 * Runs an event-driven operation until it resolves, rejects or exceeds its deadline. Later events are ignored.
 *
 * @param ms deadline in milliseconds from now
 * @param start starts the operation, which calls `resolve` or `reject` when it ends
 * @returns the value passed to `resolve`; rejects with the error passed to `reject`, or with a `ProbeFailure` at the
 * deadline
 */
export function runWithDeadline<T>(ms: number, start: (controls: DeadlineControls<T>) => void): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    const setDeadline = (newMs: number): void => {
      clearTimeout(timer);
      const expire = (): void =>
        reject(
          new ProbeFailure(DEADLINE_CODE, `not finished within ${Math.round(newMs)} ms`, { limitMs: newMs }),
        );
      timer = setTimeout(expire, Math.max(0, newMs));
    };
    const controls: DeadlineControls<T> = {
      resolve: (value) => {
        clearTimeout(timer);
        resolve(value);
      },
      reject: (error) => {
        clearTimeout(timer);
        reject(
          error instanceof Error
            ? error
            : new ProbeFailure(UNEXPECTED_CODE, 'the thrown value is not an Error'),
        );
      },
      setDeadline,
    };
    setDeadline(ms);
    try {
      start(controls);
    } catch (error) {
      controls.reject(error);
    }
  });
}
