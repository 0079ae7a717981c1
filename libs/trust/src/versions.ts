/** Version of the score formula. */
export interface ScoringVersion {
  readonly version: string;
  /** Day on which the version came into force, YYYY-MM-DD. */
  readonly date: string;
  /** Differences from the previous version of the formula, one sentence each. */
  readonly changes: readonly string[];
}

/** All versions of the score formula, latest first. */
export const SCORING_VERSIONS = [
  {
    version: '1.0.0',
    date: '2026-11-22',
    changes: [
      'First version: six components, four caps, and recommendations based on score, confidence and flags.',
    ],
  },
] as const satisfies readonly ScoringVersion[];

/** Current version of the whole score formula: components, weights, curves, caps, flags and recommendations. */
export const SCORING_VERSION: string = SCORING_VERSIONS[0].version;
