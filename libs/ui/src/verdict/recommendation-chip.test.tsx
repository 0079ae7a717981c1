import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { RecommendationChip } from './recommendation-chip.tsx';
import { getRecommendationText, type Recommendation } from './verdict.ts';

const ALL: readonly Recommendation[] = ['proceed', 'caution', 'parameterize', 'avoid', 'unverified', 'free'];

describe('RecommendationChip', () => {
  it('shows each recommendation as a word with a different icon', () => {
    const chips = ALL.map((recommendation) =>
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
    expect(new Set(chips.map((chip) => / d="([^"]+)"/.exec(chip)?.[1])).size).toBe(ALL.length);
  });

  it('has a sentence that explains each recommendation', () => {
    for (const recommendation of ALL)
      expect(getRecommendationText(recommendation).meaning).toMatch(/^[A-Z].+\.$/);
  });
});
