import { readFileSync } from 'node:fs';
import { GRADES, RECOMMENDATIONS } from '@touchstone/contract';
import { checkSchema } from '@touchstone/contract/operations/check/response';
import { describe, expect, it } from 'vitest';
import { BADGE_SIZE, CHECK_BADGE_SIZE, createBadge, createCheckBadge } from './create-badge.ts';

const read = (path: string): string =>
  readFileSync(new URL(`../../../../../libs/ui/src/${path}`, import.meta.url), 'utf8');

const listColors = (svg: string): string[] => svg.match(/#[0-9a-f]{6}/g) ?? [];

/** Returns the relative luminance of a color (WCAG 2.2). */
function computeLuminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function computeContrast(one: string, other: string): number {
  const [low = 0, high = 0] = [computeLuminance(one), computeLuminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

describe('createBadge', () => {
  it('shows recommendation and grade, and has the score and the recommendation in its title', () => {
    const svg = createBadge({ grade: 'A', score: 87.4, recommendation: 'proceed' });
    expect(svg).toContain(
      '<title id="title">Touchstone: recommendation Proceed, Grade A, trust score 87.4 of 100</title>',
    );
    expect(svg).toContain('>Proceed · Grade A</text>');
  });

  it('is red for every grade of an endpoint to avoid', () => {
    for (const grade of GRADES)
      expect(createBadge({ grade, score: 90, recommendation: 'avoid' })).toContain('fill="#9d2719"');
  });

  it('names an endpoint without a grade', () => {
    expect(createBadge({ grade: '?', score: 20, recommendation: 'unverified' })).toContain(
      '>Unverified</text>',
    );
  });

  it('has readable texts and the colors of the site for every grade and recommendation', () => {
    const site = read('theme.css') + read('verdict/verdict.tsx');
    for (const grade of GRADES) {
      for (const recommendation of RECOMMENDATIONS) {
        const svg = createBadge({ grade, score: 50, recommendation });
        const [stone = '', plate = '', edge = '', name = '', text = ''] = listColors(svg);
        expect(computeContrast(plate, text)).toBeGreaterThan(4.5);
        expect(computeContrast(stone, name)).toBeGreaterThan(4.5);
        for (const page of ['#ffffff', '#0d1117']) expect(computeContrast(edge, page)).toBeGreaterThan(3);
        for (const color of listColors(svg)) expect(site).toContain(color);
      }
    }
  });

  it('has the same size for every grade and recommendation, and its text is inside the right part', () => {
    const { width, height } = BADGE_SIZE;
    for (const grade of GRADES) {
      for (const recommendation of RECOMMENDATIONS) {
        const svg = createBadge({ grade, score: 60, recommendation });
        expect(svg).toContain(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"`);
        const left = Number(/<path d="M(\d+) 0h/.exec(svg)?.[1]);
        const texts = [...svg.matchAll(/<text x="([\d.]+)" y="14" textLength="(\d+)"/g)];
        const [start = NaN, length = NaN] = (texts[1] ?? []).slice(1).map(Number);
        expect(start).toBeGreaterThanOrEqual(left + 8);
        expect(start + length).toBeLessThanOrEqual(width - 8);
      }
    }
  });
});

describe('createCheckBadge', () => {
  const CHECK = { faults: [], checkedAt: '2026-11-27T12:00:00.000Z' };

  it('shows the outcome with its day, inside the right part', () => {
    for (const outcome of checkSchema.shape.outcome.options) {
      const svg = createCheckBadge({ ...CHECK, outcome });
      expect(svg).toContain(' · 2026-11-27</text>');
      const [, start = NaN, length = NaN] = (
        /.*<text x="([\d.]+)" y="14" textLength="(\d+)"/.exec(svg) ?? []
      ).map(Number);
      expect(start + length).toBeLessThanOrEqual(CHECK_BADGE_SIZE.width - 8);
    }
    expect(createCheckBadge({ ...CHECK, outcome: 'lost' })).toContain('fill="#9d2719"');
    expect(createCheckBadge(null)).toContain('>No check today</text>');
  });
});
