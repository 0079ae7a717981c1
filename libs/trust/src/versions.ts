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
    version: '1.1.0',
    date: '2026-11-22',
    changes: [
      'A challenge is payable only if the payment would also settle. A wrong EIP-712 domain is not payable.',
      'The flag envelope-noncompliant is raised if more than half of the challenges of the last 24 hours could not be paid, or at least two of them and the latest. Before, it counted all errors of 30 days. Formal errors raise the new warning envelope-nonconforming.',
      'The new warning uptime-falling compares the last 24 hours and seven days with 30 days. The new warning network-changed-recently is raised for 14 days.',
      'The warnings uptime-low, uptime-falling, envelope-nonconforming and network-changed-recently exclude the recommendation to proceed.',
      'The flag uptime-low requires 20 scored probes.',
      'Latency is the time to the last byte of the response. Before, it was the time to the first byte.',
      'The projection repeats the last 24 hours. Before, it repeated the last probe.',
      'The economic part of the confidence is null if no network is advertised, and the share of the largest payer is null without payers. Before, both were 0.',
      'The reasons for a recommendation and the evidence of flags name causes and dates, and the values before and after a change.',
    ],
  },
  {
    version: '1.0.0',
    date: '2026-11-21',
    changes: [
      'First version: six components, four caps, and recommendations based on score, confidence and flags.',
    ],
  },
] as const satisfies readonly ScoringVersion[];

/** Current version of the whole score formula: components, weights, curves, caps, flags and recommendations. */
export const SCORING_VERSION: string = SCORING_VERSIONS[0].version;
