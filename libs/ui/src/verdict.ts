/** A trust grade; `?` is ungraded. */
export type Grade = 'A' | 'B' | 'C' | 'D' | 'F' | '?';

export type Recommendation = 'proceed' | 'caution' | 'parameterize' | 'avoid' | 'unverified' | 'free';

/** Every grade, best first. */
export const GRADES: readonly Grade[] = ['A', 'B', 'C', 'D', 'F', '?'];

/** The least score of each grade, as the score formula of version 1.0.0 sets it. */
export const GRADE_FLOORS = { A: 80, B: 65, C: 50, D: 35, F: 0 } as const;

interface RecommendationWords {
  readonly label: string;
  /** What a payer should take from it, in one or two sentences. */
  readonly meaning: string;
}

const RECOMMENDATIONS: Readonly<Record<Recommendation, RecommendationWords>> = {
  proceed: {
    label: 'Proceed',
    meaning: 'It scores 65 or more on enough observations, and nothing measured warns about money.',
  },
  caution: {
    label: 'Caution',
    meaning:
      'Something measured speaks against it, or too little has been measured yet. Look before you pay.',
  },
  parameterize: {
    label: 'Parameterize',
    meaning: 'The URL is a template. Put real values in; the measurements apply to the resolved URL.',
  },
  avoid: {
    label: 'Avoid',
    meaning: 'It raises an error flag or scores below 35. Do not pay it as it is now.',
  },
  unverified: {
    label: 'Unverified',
    meaning: 'What matters for paying it could not be measured, so it carries no grade.',
  },
  free: {
    label: 'Free',
    meaning: 'It answers plain requests with data and has never asked for payment, so it carries no grade.',
  },
};

/** A recommendation in words. */
export function recommendationWords(recommendation: Recommendation): RecommendationWords {
  return RECOMMENDATIONS[recommendation];
}
