import fc from 'fast-check';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { drawScratches, StreakBar } from './streak-bar.tsx';

/** Returns the x coordinates at which the horizontal lines of an SVG path end. */
function listEnds(path: string): number[] {
  return [...path.matchAll(/H([\d.]+)/g)].map(([, end]) => Number(end));
}

describe('drawScratches', () => {
  it('draws lines inside the drawing that never exceed the value', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -10, max: 110, noNaN: true }),
        fc.constantFrom(0, 1, 2),
        (length, grain: 0 | 1 | 2) => {
          const reach = Math.min(100, Math.max(0, length));
          for (const end of listEnds(drawScratches(length, grain))) {
            expect(end).toBeGreaterThanOrEqual(0);
            expect(end).toBeLessThanOrEqual(reach + 0.05);
          }
        },
      ),
    );
  });

  it('draws a line that nearly reaches the value', () => {
    expect(Math.max(...listEnds(drawScratches(80, 0)))).toBeGreaterThan(76);
  });

  it('is deterministic', () => {
    expect(drawScratches(64.2, 1)).toBe(drawScratches(64.2, 1));
  });
});

describe('StreakBar', () => {
  it('is hidden from screen readers', () => {
    expect(renderToStaticMarkup(<StreakBar length={50} grade="A" />)).toContain('aria-hidden="true"');
  });
});
