import { monitorEventLoopDelay } from 'node:perf_hooks';

/** How busy this process was over a batch. */
export interface Effort {
  /** Event-loop lag that 99 of 100 samples stayed below, milliseconds. */
  readonly lagMsP99: number;
  readonly lagMsMax: number;
  /** Processor time of the whole process, seconds. */
  readonly cpuSeconds: number;
  /** Processor time as a share of the time that passed: 1 is one core. */
  readonly cpuShare: number;
}

export interface LagMeter {
  /** The lag since the window before the last call began, milliseconds. */
  readonly recentLagMs: () => number;
  /** Ends the measurement. */
  readonly stop: () => Effort;
}

/** A sample is taken every so many milliseconds, and what Node reports of each includes them. */
const SAMPLE_MS = 10;

/** Above this lag a latency says more about this process than about the endpoint. */
export const LAG_LIMIT_MS = 20;

function startWindow() {
  const window = monitorEventLoopDelay({ resolution: SAMPLE_MS });
  window.enable();
  return window;
}

type Window = ReturnType<typeof startWindow>;

function lagMs(window: Window, read: (window: Window) => number): number {
  return window.count === 0 ? 0 : Math.max(0, read(window) / 1e6 - SAMPLE_MS);
}

const p99 = (window: Window): number => lagMs(window, (taken) => taken.percentile(99));

/**
 * Measures how late this process gets to what has happened. The 99th percentile decides and not the mean: an event loop
 * that stalls for 50 ms twice a second has a mean lag of 1 ms, while every fifth answer waits for it. Whole windows are
 * judged rather than each probe by its own time, because the longer a probe takes the likelier a stall falls into it,
 * and leaving those out would make slow endpoints look fast.
 */
export function startLagMeter(): LagMeter {
  const startedAt = performance.now();
  const cpu = process.cpuUsage();
  const whole = startWindow();
  let before: Window | null = null;
  let current = startWindow();
  return {
    recentLagMs: () => {
      const lag = Math.max(p99(current), before === null ? 0 : p99(before));
      current.disable();
      before = current;
      current = startWindow();
      return lag;
    },
    stop: () => {
      whole.disable();
      current.disable();
      const { user, system } = process.cpuUsage(cpu);
      const cpuSeconds = (user + system) / 1e6;
      const seconds = (performance.now() - startedAt) / 1000;
      return {
        lagMsP99: round(p99(whole)),
        lagMsMax: round(lagMs(whole, ({ max }) => max)),
        cpuSeconds: round(cpuSeconds),
        cpuShare: round(cpuSeconds / seconds),
      };
    },
  };
}

/** Two decimals are all that is worth writing down. */
function round(value: number): number {
  return Math.round(value * 100) / 100;
}
