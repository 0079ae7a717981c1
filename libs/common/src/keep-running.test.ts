import { expect, it } from 'vitest';
import { computeRestartDelay, keepRunning, type RunningPart } from './keep-running.ts';

it('doubles the delay up to 60 s, and begins again after 30 seconds of running', () => {
  const delays = [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000];
  for (const [index, delay] of delays.entries()) {
    expect(computeRestartDelay(index === 0 ? null : (delays[index - 1] ?? 0), 0)).toBe(delay);
  }
  expect(computeRestartDelay(60_000, 29_999)).toBe(60_000);
  expect(computeRestartDelay(60_000, 30_000)).toBe(1_000);
});

/**
 * Runs a part of a service with a fake clock. `runs` has one entry for each start: the number of seconds until the part
 * ends, or an error that prevents the start. The part is stopped on purpose after the last run.
 */
async function simulate(runs: readonly (number | Error)[]) {
  const lines: string[] = [];
  const stopping = new AbortController();
  const left = [...runs];
  let now = 0;
  const begin = (): RunningPart => {
    const run = left.shift();
    if (run instanceof Error) throw run;
    return {
      // `ended` is a getter, because the clock must advance only when the caller awaits `ended`.
      get ended() {
        now += (run ?? 0) * 1_000;
        if (run === undefined) stopping.abort();
        return Promise.resolve('exit code 1');
      },
    };
  };
  await keepRunning(begin(), {
    start: () => Promise.resolve().then(begin),
    report: (text) => lines.push(`${now / 1_000} ${text}`),
    signal: stopping.signal,
    sleep: (ms) => Promise.resolve((now += ms)),
    now: () => now,
  });
  return lines;
}

it('restarts a part that ends, and reports each restart', async () => {
  expect(await simulate([10, 20, 600, 5])).toEqual([
    '11 stopped unexpectedly (exit code 1); restarted after 1 s',
    '33 stopped unexpectedly (exit code 1); restarted after 2 s',
    '634 stopped unexpectedly (exit code 1); restarted after 1 s',
    '641 stopped unexpectedly (exit code 1); restarted after 2 s',
  ]);
});

it('tries again when a restart fails', async () => {
  const failure = new Error('port 5432 is in use');
  expect(await simulate([10, failure, failure])).toEqual([
    '11 stopped unexpectedly (exit code 1), and its restart failed (port 5432 is in use)',
    '13 stopped unexpectedly (exit code 1), and its restart failed (port 5432 is in use)',
    '17 stopped unexpectedly (exit code 1); restarted after 4 s',
  ]);
});

it('reports once that a part is down, and keeps restarting it every 60 s', async () => {
  const lines = await simulate([...Array<number>(9).fill(0)]);
  expect(lines.filter((line) => line.includes('is down'))).toEqual([
    '63 is down: it failed 7 times in a row (exit code 1); it is restarted every 60 s',
  ]);
  expect(lines.slice(-2)).toEqual([
    '183 stopped unexpectedly (exit code 1); restarted after 60 s',
    '243 stopped unexpectedly (exit code 1); restarted after 60 s',
  ]);
});

it('does not restart a part that was stopped on purpose', async () => {
  expect(await simulate([])).toEqual([]);
});
