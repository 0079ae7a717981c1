import { DAY_MS } from '@touchstone/common';
import { JOBS } from '@touchstone/pipeline';
import { Cron } from 'croner';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createProgressWriter, formatProgress, SANDBOX_JOBS } from './run-sandbox.ts';

it('reads the directory every five minutes in the sandbox, and runs all other jobs as scheduled', () => {
  const discovery = SANDBOX_JOBS.find(({ id }) => id === 'discover');
  const runs = new Cron(discovery?.cron ?? '', { timezone: 'UTC' }).nextRuns(3, '2026-11-23T10:02:00Z');
  expect(runs.map((at) => at.toISOString().slice(11, 16))).toEqual(['10:05', '10:10', '10:15']);
  const others = JOBS.filter(({ id }) => id !== 'discover');
  expect(SANDBOX_JOBS.filter(({ id }) => id !== 'discover')).toEqual(others);
  expect(SANDBOX_JOBS).toHaveLength(JOBS.length);
});

describe('formatProgress', () => {
  it('formats the day, the probes and the remaining time', () => {
    const line = formatProgress({
      from: 0,
      resumedAt: 0,
      recordedUntil: 7 * DAY_MS,
      to: 14 * DAY_MS,
      probes: 21_504,
      tookMs: 30_000,
    });
    expect(line).toBe('██████████████░░░░░░░░░░░░░░ day 8 of 14 · 21,504 probes · 30 s left');
  });

  it('counts days from the epoch after an interruption', () => {
    const line = formatProgress({
      from: 0,
      resumedAt: 6 * DAY_MS,
      recordedUntil: 7 * DAY_MS,
      to: 14 * DAY_MS,
      probes: 9,
      tookMs: 1000,
    });
    expect(line).toContain('day 8 of 14 · 9 probes · 7 s left');
  });

  it('always formats a bar of the same length', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), fc.nat(), (from, lived, to) => {
        const bar =
          formatProgress({ from, resumedAt: from, recordedUntil: lived, to, probes: 0, tookMs: 1 }).split(
            ' ',
          )[0] ?? '';
        expect(bar).toHaveLength(28);
      }),
    );
  });
});

describe('createProgressWriter', () => {
  const collect = (isTTY: boolean) => {
    const written: string[] = [];
    const out = { isTTY, write: (text: string) => written.push(text) > 0 };
    return { written, writer: createProgressWriter(out) };
  };

  it('prints one line per mark without a terminal', () => {
    const { written, writer } = collect(false);
    for (const [line, mark] of [
      ['a', 1],
      ['b', 1],
      ['c', 2],
    ] as const)
      writer.draw(line, mark);
    writer.end();
    expect(written).toEqual(['  a\n', '  c\n']);
  });

  it('redraws the line on a terminal', () => {
    const { written, writer } = collect(true);
    writer.draw('a', 1);
    writer.draw('b', 1);
    expect(written).toEqual(['\r\u001b[2K  a', '\r\u001b[2K  b']);
  });
});
