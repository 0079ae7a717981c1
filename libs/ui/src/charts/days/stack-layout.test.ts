import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { layOutSideLabels, layOutStack } from './stack-layout.ts';

const HEIGHT = 192;
const LINE_HEIGHT = 15;
const IDS = ['A', 'B', 'C', 'D', 'F', '?'];

const days = fc.array(
  fc
    .dictionary(fc.constantFrom(...IDS, 'unknown'), fc.integer({ min: 0, max: 100_000 }))
    .map((values) => ({ day: '2026-03-04', values })),
  { maxLength: 4 },
);

describe('layOutStack', () => {
  it('fills each bar from top to bottom in the order of the series, in proportion to the counts', () => {
    fc.assert(
      fc.property(days, (list) => {
        const bars = layOutStack(IDS, list, HEIGHT);
        expect(bars).toHaveLength(list.length);
        for (const [place, { total, segments }] of bars.entries()) {
          const values = list[place]?.values ?? {};
          expect(total).toBe(IDS.reduce((sum, id) => sum + (values[id] ?? 0), 0));
          expect(segments.map(({ id }) => id)).toEqual(total === 0 ? [] : IDS);
          let end = 0;
          for (const { id, count, share, y, height } of segments) {
            expect(count).toBe(values[id] ?? 0);
            expect(share).toBe(count / total);
            expect(height).toBeCloseTo((HEIGHT * count) / total);
            expect(y).toBeCloseTo(end);
            end = y + height;
          }
          if (total > 0) expect(end).toBeCloseTo(HEIGHT);
        }
      }),
    );
  });
});

describe('layOutSideLabels', () => {
  it('keeps labels inside the drawing, in order and apart', () => {
    fc.assert(
      fc.property(days, (list) => {
        for (const { segments } of layOutStack(IDS, list, HEIGHT)) {
          const labels = layOutSideLabels(segments, HEIGHT, LINE_HEIGHT);
          expect(labels.map(({ id }) => id)).toEqual(
            segments.filter(({ count }) => count > 0).map(({ id }) => id),
          );
          for (const [index, { y }] of labels.entries()) {
            expect(y).toBeGreaterThanOrEqual(LINE_HEIGHT / 2 - 1e-6);
            expect(y).toBeLessThanOrEqual(HEIGHT - LINE_HEIGHT / 2 + 1e-6);
            if (index > 0)
              expect(y - (labels[index - 1]?.y ?? NaN)).toBeGreaterThanOrEqual(LINE_HEIGHT - 1e-6);
          }
        }
      }),
    );
  });

  it('drops the smallest segments if there is no room for all labels', () => {
    const [bar] = layOutStack(IDS, [{ day: 'd', values: { A: 5, B: 1, C: 9, D: 7 } }], 2 * LINE_HEIGHT);
    const labels = layOutSideLabels(bar?.segments ?? [], 2 * LINE_HEIGHT, LINE_HEIGHT);
    expect(labels.map(({ id }) => id)).toEqual(['C', 'D']);
  });
});
