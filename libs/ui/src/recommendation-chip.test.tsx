import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { RecommendationChip } from './recommendation-chip.tsx';
import { recommendationWords, type Recommendation } from './verdict.ts';

const ALL: readonly Recommendation[] = ['proceed', 'caution', 'parameterize', 'avoid', 'unverified', 'free'];

describe('RecommendationChip', () => {
  it('says each recommendation in a word, with a sign of its own', () => {
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

  it('has a sentence on what each one means', () => {
    for (const recommendation of ALL)
      expect(recommendationWords(recommendation).meaning).toMatch(/^[A-Z].+\.$/);
  });
});
