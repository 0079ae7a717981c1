import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { RECOMMENDATIONS } from '@touchstone/contract';
import { RecommendationChip } from './recommendation-chip.tsx';
import { getRecommendationText } from './verdict.ts';

describe('RecommendationChip', () => {
  it('shows each recommendation as a word with a different icon', () => {
    const chips = RECOMMENDATIONS.map((recommendation) =>
      renderToStaticMarkup(<RecommendationChip recommendation={recommendation} />),
    );
    expect(chips.map((chip) => chip.replace(/<[^>]*>/g, ''))).toEqual([
      'Proceed',
      'Caution',
      'Parameterize',
      'Avoid',
      'Unverified',
      'Free',
    ]);
    expect(new Set(chips.map((chip) => / d="([^"]+)"/.exec(chip)?.[1])).size).toBe(RECOMMENDATIONS.length);
  });

  it('has a sentence that explains each recommendation', () => {
    for (const recommendation of RECOMMENDATIONS)
      expect(getRecommendationText(recommendation).meaning).toMatch(/^[A-Z].+\.$/);
  });
});
