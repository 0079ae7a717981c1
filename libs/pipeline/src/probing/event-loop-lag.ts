import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Load of this process during a batch. */
export interface ProcessLoad {
  /** 99th percentile of the event-loop lag, in milliseconds. */
  readonly lagMsP99: number;
  readonly lagMsMax: number;
  /** Processor time of the whole process, in seconds. */
  readonly cpuSeconds: number;
  /** Processor time divided by the elapsed time; 1 means one fully used core. */
  readonly cpuShare: number;
}

export interface LagMeter {
  /**
   * Returns the 99th percentile of the event-loop lag over the current and the previous measuring window, in
   * milliseconds. Each call starts a new window.
   */
  readonly getRecentLagMs: () => number;
  /** Ends the measurement. Returns the load since its start. */
  readonly stop: () => ProcessLoad;
}

/** Interval between two samples, in milliseconds. It is subtracted from each delay that Node reports. */
const SAMPLE_MS = 10;

/** Lag in milliseconds above which latencies are dropped: they would describe this process and not the endpoint. */
export const MAX_LAG_MS = 20;

function startWindow() {
  const window = monitorEventLoopDelay({ resolution: SAMPLE_MS });
  window.enable();
  return window;
}

type Window = ReturnType<typeof startWindow>;

function toLagMs(window: Window, read: (window: Window) => number): number {
  return window.count === 0 ? 0 : Math.max(0, read(window) / 1e6 - SAMPLE_MS);
}

const readP99 = (window: Window): number => toLagMs(window, (samples) => samples.percentile(99));

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
  const startedAt = performance.now();
  const cpu = process.cpuUsage();
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
      const { user, system } = process.cpuUsage(cpu);
      const cpuSeconds = (user + system) / 1e6;
      const seconds = (performance.now() - startedAt) / 1000;
      return {
        lagMsP99: roundToHundredths(readP99(whole)),
        lagMsMax: roundToHundredths(toLagMs(whole, ({ max }) => max)),
        cpuSeconds: roundToHundredths(cpuSeconds),
        cpuShare: roundToHundredths(cpuSeconds / seconds),
      };
    },
  };
}

function roundToHundredths(value: number): number {
  return Math.round(value * 100) / 100;
}
