import fc from 'fast-check';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { scratches, Streak } from './streak.tsx';

/** Where the scratches of a path end. */
function endsOf(path: string): number[] {
  return [...path.matchAll(/H([\d.]+)/g)].map(([, end]) => Number(end));
}

describe('scratches', () => {
  it('stay on the stone and never reach further than the value', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -10, max: 110, noNaN: true }),
        fc.constantFrom(0, 1, 2),
        (length, grain: 0 | 1 | 2) => {
          const reach = Math.min(100, Math.max(0, length));
          for (const end of endsOf(scratches(length, grain))) {
            expect(end).toBeGreaterThanOrEqual(0);
            expect(end).toBeLessThanOrEqual(reach + 0.05);
          }
        },
      ),
    );
  });

  it('reach almost as far as the value', () => {
    expect(Math.max(...endsOf(scratches(80, 0)))).toBeGreaterThan(76);
  });

  it('are the same each time', () => {
    expect(scratches(64.2, 1)).toBe(scratches(64.2, 1));
  });
});

describe('Streak', () => {
  it('is a drawing that is not announced', () => {
    expect(renderToStaticMarkup(<Streak length={50} grade="A" />)).toContain('aria-hidden="true"');
  });
});
