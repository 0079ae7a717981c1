import { pino } from 'pino';
import { expect, it } from 'vitest';
import { repeatUntilDone } from './repeat-until-done.ts';

const log = pino({ enabled: false });

/** Repeats work that fails a number of times. Returns its result, the delays and the printed lines. */
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
      log,
      signal: stopping.signal,
      pause: (ms) => Promise.resolve(delays.push(ms)),
    },
  );
  return { result, delays, lines };
}

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
