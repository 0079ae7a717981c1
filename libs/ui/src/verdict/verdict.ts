import type { Recommendation } from '@touchstone/contract';

/** Minimum score of each grade, from version 1.0.0 of the score formula. */
export const GRADE_MIN_SCORES = { A: 80, B: 65, C: 50, D: 35, F: 0 } as const;

interface RecommendationText {
  readonly label: string;
  /** Advice for a payer, in one to three sentences. */
  readonly meaning: string;
}

const RECOMMENDATION_TEXTS: Readonly<Record<Recommendation, RecommendationText>> = {
  proceed: {
    label: 'Proceed',
    meaning:
      'The score is 65 or more with enough observations, and no warning concerns money or availability.',
  },
  caution: {
    label: 'Caution',
    meaning:
      'Some measurements raise a warning, or there are not enough measurements yet. Check the endpoint before you pay.',
  },
  parameterize: {
    label: 'Parameterize',
    meaning:
      'The URL is a template. Replace its placeholders with real values. The measurements apply to the resolved URL.',
  },
  avoid: {
    label: 'Avoid',
    meaning: 'The endpoint has an error flag or a score below 35. Do not pay it at present.',
  },
  unverified: {
    label: 'Unverified',
    meaning: 'The endpoint could not be measured well enough for a grade.',
  },
  free: {
    label: 'Free',
    meaning: 'The endpoint returns data without payment and has never requested payment, so it has no grade.',
  },
};

/** Returns the label and the meaning of a recommendation. */
export function getRecommendationText(recommendation: Recommendation): RecommendationText {
  return RECOMMENDATION_TEXTS[recommendation];
}
