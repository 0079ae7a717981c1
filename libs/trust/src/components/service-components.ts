import { formatCount, formatMs, formatPercent } from '@touchstone/common';
import { formatProbeCounts, type ComplianceResult } from '@touchstone/contract';
import { computeUptimeShare, countChallenges, toProbeCounts } from '../endpoint-state.ts';
import { clampShare, roundHalfUp } from '../numbers.ts';
import type { ScoreInputs } from '../types.ts';
import { defineComponent } from './component-rule.ts';
import { CURVES, evaluateCurve } from './curves.ts';

/** Value of a payment challenge, 0 to 1, by its x402 compliance result. */
export const COMPLIANCE_VALUES = {
  pass: 1,
  warnings: 0.9,
  errors: 0.5,
  unpayable: 0,
} as const satisfies Record<ComplianceResult, number>;

/** Computes the mean compliance value of the challenges, 0 to 1. Returns null if there are no challenges. */
function computeMeanCompliance(envelopes: ScoreInputs['envelopes']): number | null {
  const count = countChallenges(envelopes);
  if (count <= 0) return null;
  const { pass, warnings, errors } = envelopes;
  const sum =
    pass * COMPLIANCE_VALUES.pass + warnings * COMPLIANCE_VALUES.warnings + errors * COMPLIANCE_VALUES.errors;
  return clampShare(sum / count);
}

/** Formats the number of challenges by compliance result, such as `1,102 of 1,431 challenges had no error or warning that concerns payment; 329 had only warnings.` */
function explainCompliance(envelopes: ScoreInputs['envelopes']): string {
  const { pass, warnings, errors, unpayable } = envelopes;
  const others = [
    [warnings, 'had only warnings'],
    [errors, 'had errors but could be paid'],
    [unpayable, 'could not be paid'],
  ] as const;
  const found = others
    .filter(([count]) => count > 0)
    .map(([count, text]) => `; ${formatCount(count)} ${text}`);
  return `${formatCount(pass)} of ${formatCount(countChallenges(envelopes), 'challenge')} had no error or warning that concerns payment${found.join('')}.`;
}

const UPTIME = defineComponent({
  component: 'uptime',
  weight: 30,
  measures:
    'Share of the scored probes in the last 30 days that succeeded. Probes that were blocked, or that failed because of this service, are not scored.',
  formula: 'The value of the uptime curve at the share of scored probes that succeeded.',
  figures: {
    up: { unit: 'probes', is: 'Scored probes that succeeded.' },
    scored: { unit: 'probes', is: 'Probes that count toward uptime.' },
    share: { unit: 'share, 0 to 1', is: 'Share of the scored probes that succeeded.' },
  },
  curves: { share: CURVES.uptime },
  unmeasured: 'No probe in the last 30 days was scored.',
  read: (inputs) => {
    const share = computeUptimeShare(inputs.probes);
    const { up, scored } = inputs.probes;
    return { up, scored, share: share === null ? null : roundHalfUp(share, 6) };
  },
  computeValue: ({ up, scored }) => {
    const share = computeUptimeShare({ up, scored });
    return share === null ? null : evaluateCurve(CURVES.uptime, share);
  },
  explain: ({ up, scored, share }, inputs) =>
    `${formatCount(up)} of ${formatCount(scored, 'scored probe')} succeeded (${formatPercent(share ?? 0)}).${explainBlocked(inputs)}`,
  explainUnmeasured: (inputs) => `No probe in the last 30 days was scored.${explainBlocked(inputs)}`,
});

/** Returns a sentence with the numbers of probes if some of them were blocked; otherwise an empty text. */
function explainBlocked(inputs: ScoreInputs): string {
  return inputs.probes.blocked <= 0 ? '' : ` ${formatProbeCounts(toProbeCounts(inputs))}.`;
}

const COMPLIANCE = defineComponent({
  component: 'compliance',
  weight: 25,
  measures: 'Compliance of the payment challenges in the last 30 days with the x402 protocol.',
  formula:
    `The mean over the challenges: a challenge without an error or warning that concerns payment counts ${String(COMPLIANCE_VALUES.pass)}, ` +
    `one with only warnings ${String(COMPLIANCE_VALUES.warnings)}, one with formal errors that cost no payment ` +
    `${String(COMPLIANCE_VALUES.errors)}, and one that could not be paid ${String(COMPLIANCE_VALUES.unpayable)}. ` +
    'A challenge can be paid if a reference client signs the payment and the token contract accepts it.',
  figures: {
    pass: {
      unit: 'challenges',
      is: 'Challenges without an error or warning that concerns payment. Checks about discovery do not count.',
    },
    warnings: { unit: 'challenges', is: 'Challenges with only warnings.' },
    errors: { unit: 'challenges', is: 'Challenges with formal errors that cost no payment.' },
    unpayable: { unit: 'challenges', is: 'Challenges that could not be paid.' },
  },
  curves: {},
  unmeasured: 'No payment challenge was received in the last 30 days.',
  read: ({ envelopes: { pass, warnings, errors, unpayable } }) => ({ pass, warnings, errors, unpayable }),
  computeValue: computeMeanCompliance,
  explain: explainCompliance,
});

const LATENCY = defineComponent({
  component: 'latency',
  weight: 5,
  measures:
    'Time to the last byte of the response in the last 30 days, measured from the vantage point of this service.',
  formula: 'The mean of two curve values: that of the median and that of the 95th percentile.',
  figures: {
    p50: { unit: 'milliseconds', is: 'Median time to the last byte of the response.' },
    p95: { unit: 'milliseconds', is: '95th percentile of this time.' },
    n: { unit: 'responses', is: 'Responses whose time was measured.' },
  },
  curves: { p50: CURVES.latencyP50, p95: CURVES.latencyP95 },
  unmeasured: 'No response time was measured in the last 30 days.',
  read: ({ latency }) => ({ p50: latency?.p50 ?? null, p95: latency?.p95 ?? null, n: latency?.n ?? 0 }),
  computeValue: ({ p50, p95, n }) =>
    p50 === null || p95 === null || n <= 0
      ? null
      : (evaluateCurve(CURVES.latencyP50, p50) + evaluateCurve(CURVES.latencyP95, p95)) / 2,
  explain: ({ p50, p95 }) =>
    `50 % of the responses were complete within ${formatMs(p50 ?? 0)}, 95 % within ${formatMs(p95 ?? 0)}.`,
});

/** Components measured by probing the endpoint. */
export const SERVICE_COMPONENTS = { uptime: UPTIME, compliance: COMPLIANCE, latency: LATENCY };
