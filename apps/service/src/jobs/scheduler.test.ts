import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { PipelineContext } from '@touchstone/pipeline';
import { repeatUntilDone, startScheduler } from './scheduler.ts';

const SECONDLY = '* * * * * *';
const context = {} as PipelineContext;

beforeEach(() => {
  vi.useFakeTimers({
    now: Date.UTC(2026, 0, 1, 12, 0, 0, 500),
    fakeNodeBuiltins: true,
    toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'],
  });
});
afterEach(() => vi.useRealTimers());

/** Advances the fake clock by at most five seconds until the promise settles. Returns its result. */
async function waitFor<Result>(promise: Promise<Result>): Promise<Result> {
  const state = { isSettled: false };
  const settle = (): void => {
    state.isSettled = true;
  };
  promise.then(settle, settle);
  for (let ms = 0; !state.isSettled && ms < 5_000; ms += 50) await vi.advanceTimersByTimeAsync(50);
  if (!state.isSettled) throw new Error('the promise is pending after five seconds');
  return promise;
}

function collectLog() {
  const lines: Record<string, unknown>[] = [];
  const log = pino({}, { write: (line: string) => lines.push(JSON.parse(line) as Record<string, unknown>) });
  return { lines, log };
}

describe('startScheduler', () => {
  it('continues after a failed run, and logs it', async () => {
    const { lines, log } = collectLog();
    let runs = 0;
    const run = () => Promise.reject(new Error(`attempt ${++runs}`));
    const scheduler = startScheduler([{ id: 'bad', title: 'A bad job', cron: SECONDLY, run }], context, log);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(runs).toBe(2);
    await waitFor(scheduler.stop());
    expect(lines[0]).toMatchObject({ level: 50, job: 'bad', err: { message: 'attempt 1' } });
    const after = runs;
    await vi.advanceTimersByTimeAsync(1_200);
    expect(runs).toBe(after);
  });

  it.each([3, -3])('runs jobs as scheduled after the clock jumped by %i hours and back', async (hours) => {
    const { log } = collectLog();
    let runs = 0;
    const run = () => Promise.resolve({ runs: ++runs });
    const scheduler = startScheduler([{ id: 'job', title: 'A job', cron: '* * * * *', run }], context, log);
    const jumpMs = hours * 3_600_000;
    await vi.advanceTimersByTimeAsync(60_000);
    for (const step of [jumpMs, -jumpMs]) {
      vi.setSystemTime(Date.now() + step);
      const before = runs;
      await vi.advanceTimersByTimeAsync(120_000);
      expect(runs - before).toBeGreaterThanOrEqual(2);
    }
    await waitFor(scheduler.stop());
  });

  it('never runs a job twice concurrently, and waits for it when it stops', async () => {
    const { lines, log } = collectLog();
    let running = 0;
    let maxRunning = 0;
    const run = async () => {
      maxRunning = Math.max(maxRunning, ++running);
      await sleep(1500);
      running -= 1;
      return { done: true };
    };
    const scheduler = startScheduler(
      [{ id: 'long', title: 'A long job', cron: SECONDLY, run }],
      context,
      log,
    );
    await vi.advanceTimersByTimeAsync(2_600);
    expect(running).toBe(1);
    expect(await waitFor(scheduler.stop().then(() => running))).toBe(0);
    expect(maxRunning).toBe(1);
    expect(lines[0]).toMatchObject({ job: 'long', done: true });
  });

  it('starts a job with everySeconds on time, also while a run lasts longer', async () => {
    const { log } = collectLog();
    const starts: number[] = [];
    const run = async () => {
      starts.push(Math.round(Date.now() / 1000) % 2);
      await sleep(3_000);
      return {};
    };
    const often = { id: 'often', title: 'A frequent job', cron: '0 0 1 1 *', everySeconds: 2, run };
    const scheduler = startScheduler([often], context, log);
    await vi.advanceTimersByTimeAsync(7_000);
    expect(starts.length).toBeGreaterThanOrEqual(3);
    expect(new Set(starts)).toEqual(new Set([0]));
    await waitFor(scheduler.stop());
  });

  it('has at most two concurrent runs of a job with everySeconds', async () => {
    const { log } = collectLog();
    const ending = new AbortController();
    let runs = 0;
    const run = async () => {
      runs += 1;
      await sleep(30_000, {}, { signal: ending.signal }).catch(() => undefined);
      return {};
    };
    const often = { id: 'often', title: 'A frequent job', cron: '0 0 1 1 *', everySeconds: 1, run };
    const scheduler = startScheduler([often], context, log);
    await vi.advanceTimersByTimeAsync(4_500);
    expect(runs).toBe(2);
    ending.abort();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(runs).toBeGreaterThan(2);
    await waitFor(scheduler.stop());
  });

  it('logs a run, except an empty one', async () => {
    const { lines, log } = collectLog();
    let runs = 0;
    const run = () => Promise.resolve({ claimed: (runs += 1) === 3 ? 7 : 0, recorded: 0 });
    const often = { id: 'often', title: 'A frequent job', cron: '0 0 1 1 *', everySeconds: 1, run };
    const scheduler = startScheduler([often], context, log);
    await vi.advanceTimersByTimeAsync(4_000);
    expect(runs).toBeGreaterThanOrEqual(4);
    await waitFor(scheduler.stop());
    expect(lines).toMatchObject([{ job: 'often', claimed: 7, recorded: 0 }]);
  });

  it('runs a job on request, but neither twice concurrently nor after stop', async () => {
    const { log } = collectLog();
    let runs = 0;
    const run = async () => {
      runs += 1;
      await sleep(100);
      return {};
    };
    const yearly = { id: 'rare', title: 'A rare job', cron: '0 0 1 1 *', run };
    const scheduler = startScheduler([yearly], context, log);
    await waitFor(Promise.all([scheduler.runNow('rare'), scheduler.runNow('rare')]));
    expect(runs).toBe(1);
    const current = scheduler.runNow('rare');
    await waitFor(scheduler.stop());
    expect(runs).toBe(2);
    await current;
    await scheduler.runNow('rare');
    expect(runs).toBe(2);
  });

  it('stops within seconds while a long run continues', async () => {
    const { log } = collectLog();
    const ending = new AbortController();
    const run = () => sleep(30_000, {}, { signal: ending.signal }).catch(() => ({}));
    const scheduler = startScheduler(
      [{ id: 'slow', title: 'A slow job', cron: '0 0 1 1 *', run }],
      context,
      log,
    );
    const current = scheduler.runNow('slow');
    const startedAt = performance.now();
    await waitFor(scheduler.stop());
    expect(performance.now() - startedAt).toBeLessThanOrEqual(2_000);
    ending.abort();
    await current;
  });
});

/**
 * Repeats work until it succeeds. The first `failures` runs fail. Returns the result, the delays and the printed lines.
 */
async function repeat(failures: number, stopAfter = Infinity) {
  const stopping = new AbortController();
  const delays: number[] = [];
  const lines: string[] = [];
  const result = await repeatUntilDone(
    () => {
      if (delays.length >= stopAfter) stopping.abort();
      if (delays.length < failures) throw new Error('the database is restarted');
      return Promise.resolve('done');
    },
    {
      part: 'schedule',
      print: (part, text) => lines.push(`${part} ${text}`),
      log: pino({ enabled: false }),
      signal: stopping.signal,
      pause: (ms) => Promise.resolve(delays.push(ms)),
    },
  );
  return { result, delays, lines };
}

describe('repeatUntilDone', () => {
  it('repeats work with increasing delays, and prints one line', async () => {
    expect(await repeat(3)).toEqual({
      result: 'done',
      delays: [1_000, 2_000, 4_000],
      lines: ['schedule was interrupted (the database is restarted); it continues with increasing delays'],
    });
  });

  it('ends when the service is stopped', async () => {
    await expect(repeat(Infinity, 2)).rejects.toThrow('the database is restarted');
  });
});
