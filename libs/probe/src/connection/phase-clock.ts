import type { Phase, PhaseTimings } from '../types.ts';

/** Monotonic clock that measures the consecutive phases of one request. */
export interface PhaseClock {
  /** The current phase. */
  readonly phase: Phase;
  readonly phases: PhaseTimings;
  /** Milliseconds from the start of the request to the first byte of the response; null before the first byte. */
  readonly latencyMs: number | null;
  /** Returns the milliseconds since the start of the request. */
  readonly elapsedMs: () => number;
  /** Ends the current phase and starts another one. */
  readonly enter: (next: Phase) => void;
  /** Ends the last phase. It is called only after success, so the duration of a failed phase stays null. */
  readonly finish: () => void;
}

/** Starts a clock in the phase `resolve`. */
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
  let phaseStartedAt = startedAt;
  let latencyMs: number | null = null;
  const finish = (): void => {
    const now = performance.now();
    phases[phase] = now - phaseStartedAt;
    phaseStartedAt = now;
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
      if (next === 'transfer') latencyMs = phaseStartedAt - startedAt;
    },
  };
}
