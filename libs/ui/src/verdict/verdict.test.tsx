import { GRADES, RECOMMENDATIONS } from '@touchstone/contract';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import {
  GradeMark,
  RecommendationChip,
  formatVerdict,
  getGradeVariant,
  describeRecommendation,
} from './verdict.tsx';

const listOutlines = (elements: readonly string[]) =>
  new Set(elements.map((html) => / d="([^"]+)"/.exec(html)?.[1]));

it('GradeMark is an image with the name and an outline of its grade, so that color is not the only difference', () => {
  const marks = GRADES.map((grade) => renderToStaticMarkup(<GradeMark grade={grade} />));
  expect(marks[1]).toContain('role="img" aria-label="Grade B"');
  expect(marks.at(-1)).toContain('aria-label="Ungraded"');
  expect(listOutlines(marks).size).toBe(GRADES.length);
});

it('RecommendationChip shows each recommendation as a word with a different icon and meaning', () => {
  const chips = RECOMMENDATIONS.map((recommendation) =>
    renderToStaticMarkup(<RecommendationChip recommendation={recommendation} />),
  );
  const words = chips.map((chip) => chip.replace(/<[^>]*>/g, '')).join(' ');
  expect(words).toBe('Proceed Caution Parameterize Avoid Unverified Free');
  expect(listOutlines(chips).size).toBe(RECOMMENDATIONS.length);
  for (const recommendation of RECOMMENDATIONS)
    expect(describeRecommendation(recommendation).meaning).toMatch(/^[A-Z].+\.$/);
});

it.each([
  ['A', 'avoid', 'Avoid · Grade A'],
  ['B', 'proceed', 'Proceed · Grade B'],
  ['?', 'free', 'Free'],
] as const)('formatVerdict of grade %s with %s is "%s"', (grade, recommendation, text) => {
  expect(formatVerdict({ grade, recommendation })).toBe(text);
});

it.each([
  ['avoid', 0.94, 'muted'],
  ['avoid', 0.29, 'hollow'],
  ['caution', 0.29, 'hollow'],
  ['proceed', 0.3, 'solid'],
] as const)('the grade beside %s with a confidence of %d is %s', (recommendation, confidence, style) => {
  expect(getGradeVariant({ recommendation, confidence })).toBe(style);
});

it('GradeMark has the color of its grade only in the variant solid', () => {
  const isGold = (variant: 'solid' | 'hollow' | 'muted') =>
    renderToStaticMarkup(<GradeMark grade="A" variant={variant} />).includes('fill-gold');
  expect([isGold('solid'), isGold('hollow'), isGold('muted')]).toEqual([true, false, false]);
});

it('the background of each recommendation is the same color on pages and in images', () => {
  for (const recommendation of RECOMMENDATIONS) {
    const { band, color } = describeRecommendation(recommendation);
    expect(band).toBe(`bg-[${color}]`);
  }
});
