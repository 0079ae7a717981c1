import { GRADES, RECOMMENDATIONS } from '@touchstone/contract';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { GradeMark, RecommendationChip, formatVerdict, getRecommendationText } from './verdict.tsx';

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
    expect(getRecommendationText(recommendation).meaning).toMatch(/^[A-Z].+\.$/);
});

it.each([
  ['A', 'avoid', 'Avoid · Grade A'],
  ['A', 'caution', 'Caution · Grade A'],
  ['A', 'proceed', 'Grade A'],
  ['?', 'free', 'Free'],
] as const)('formatVerdict of grade %s with %s is "%s"', (grade, recommendation, text) => {
  expect(formatVerdict({ grade, recommendation })).toBe(text);
});
