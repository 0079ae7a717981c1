import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { createProgressWriter, progressLine } from './progress.ts';

const DAY = 24 * 60 * 60 * 1000;

describe('progressLine', () => {
  it('says the day, the probes and what is left', () => {
    const line = progressLine({
      from: 0,
      began: 0,
      livedUntil: 7 * DAY,
      to: 14 * DAY,
      probes: 21_504,
      tookMs: 30_000,
    });
    expect(line).toBe('██████████████░░░░░░░░░░░░░░ day 8 of 14 · 21,504 probes · 30 s left');
  });

  it('counts from the beginning when it goes on after an interruption', () => {
    const line = progressLine({
      from: 0,
      began: 6 * DAY,
      livedUntil: 7 * DAY,
      to: 14 * DAY,
      probes: 9,
      tookMs: 1000,
    });
    expect(line).toContain('day 8 of 14 · 9 probes · 7 s left');
  });

  it('always draws a bar of the same length', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), fc.nat(), (from, lived, to) => {
        const bar =
          progressLine({ from, began: from, livedUntil: lived, to, probes: 0, tookMs: 1 }).split(' ')[0] ??
          '';
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

  it('prints one line a mark where there is no terminal', () => {
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

  it('draws over itself on a terminal', () => {
    const { written, writer } = collect(true);
    writer.draw('a', 1);
    writer.draw('b', 1);
    expect(written).toEqual(['\r\u001b[2K  a', '\r\u001b[2K  b']);
  });
});
