import { monitorEventLoopDelay } from 'node:perf_hooks';

export interface LagMeter {
  /**
   * Returns the 99th percentile of the event-loop lag over the current and the previous measuring window, in
   * milliseconds. Each call starts a new window.
   */
  readonly getRecentLagMs: () => number;
  /** Ends the measurement. Returns the 99th percentile of the event-loop lag since its start, in milliseconds. */
  readonly stop: () => number;
}

/**
 * Interval between two samples, in milliseconds. Node adds this interval to each measured delay, so the interval is
 * subtracted.
 */
const SAMPLE_MS = 10;

/**
 * Lag in milliseconds above which latencies are dropped. Such latencies would describe this process and not the
 * endpoint.
 */
export const MAX_LAG_MS = 20;

function startWindow() {
  const window = monitorEventLoopDelay({ resolution: SAMPLE_MS });
  window.enable();
  return window;
}

type Window = ReturnType<typeof startWindow>;

function readP99(window: Window): number {
  return window.count === 0 ? 0 : Math.max(0, window.percentile(99) / 1e6 - SAMPLE_MS);
}

/**
 * Starts to measure the lag of this process's event loop.
 *
 * The 99th percentile is used instead of the mean. An event loop that stalls for 50 ms twice a second has a mean lag of
 * 1 ms, but every response that arrives during a stall is measured too late.
 *
 * Latencies are kept or dropped for a whole window, not per probe. A slow probe is more likely to overlap a stall, so
 * dropping single latencies would make slow endpoints appear fast.
 */
export function startLagMeter(): LagMeter {
  const whole = startWindow();
  let before: Window | null = null;
  let current = startWindow();
  return {
    getRecentLagMs: () => {
      const lagMs = Math.max(readP99(current), before === null ? 0 : readP99(before));
      current.disable();
      before = current;
      current = startWindow();
      return lagMs;
    },
    stop: () => {
      whole.disable();
      current.disable();
      return Math.round(readP99(whole) * 100) / 100;
    },
  };
}
