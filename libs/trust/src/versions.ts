/** A version of the formula. */
export interface ScoringVersion {
  readonly version: string;
  /** The day it came into force, YYYY-MM-DD. */
  readonly date: string;
  /** Differences from the previous version, one sentence each. */
  readonly changes: readonly string[];
}

/** All versions of the formula, latest first. */
export const SCORING_VERSIONS = [
  {
    version: '1.0.0',
    date: '2026-11-21',
    changes: [
      'First version: six components, four caps, and recommendations based on score, confidence and flags.',
    ],
  },
] as const satisfies readonly ScoringVersion[];

/** Version of the whole formula: components, weights, curves, caps, flags and recommendations. */
export const SCORING_VERSION: string = SCORING_VERSIONS[0].version;
