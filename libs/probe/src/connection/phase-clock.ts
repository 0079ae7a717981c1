import type { Phase, PhaseTimings } from '../types.ts';

/** Times the phases of one request, one after the other, with a monotonic clock. */
export interface PhaseClock {
  /** The phase that is running. */
  readonly phase: Phase;
  readonly phases: PhaseTimings;
  /** Milliseconds from the start to the first byte of the answer; null before it. */
  readonly latencyMs: number | null;
  /** Milliseconds since the start. */
  readonly elapsedMs: () => number;
  /** Ends the running phase and starts another. */
  readonly enter: (next: Phase) => void;
  /** Ends the last phase. A phase that was running when the request failed is never ended. */
  readonly finish: () => void;
}

/** Starts the clock in the phase `resolve`. */
export function startPhaseClock(): PhaseClock {
  const startedAt = performance.now();
  const phases: Record<Phase, number | null> = {
    resolve: null,
    connect: null,
    tls: null,
    processing: null,
    transfer: null,
  };
  let phase: Phase = 'resolve';
  let since = startedAt;
  let latencyMs: number | null = null;
  const finish = (): void => {
    const now = performance.now();
    phases[phase] = now - since;
    since = now;
  };
  return {
    get phase() {
      return phase;
    },
    get latencyMs() {
      return latencyMs;
    },
    phases,
    elapsedMs: () => performance.now() - startedAt,
    finish,
    enter: (next) => {
      finish();
      phase = next;
      if (next === 'transfer') latencyMs = since - startedAt;
    },
  };
}
