import { componentRule } from './component-rule.ts';
import { valueAt } from './curve.ts';
import { CURVES } from './curves.ts';
import { challengeCount, uptimeShare } from '../endpoint-state.ts';
import { clampShare, counted, percent, roundHalfUp } from '../numbers/rounding.ts';
import type { ScoreInputs } from '../types.ts';
import { WEIGHTS } from './weights.ts';

/** What a challenge of each verdict counts. */
export const COMPLIANCE_VALUES = { pass: 1, warnings: 0.9, errors: 0.5, unpayable: 0 } as const;

/** Mean worth of the challenges, 0..1; null without any. */
function meanCompliance(envelopes: ScoreInputs['envelopes']): number | null {
  const count = challengeCount({ envelopes });
  if (count <= 0) return null;
  const { pass, warnings, errors } = envelopes;
  const sum =
    pass * COMPLIANCE_VALUES.pass + warnings * COMPLIANCE_VALUES.warnings + errors * COMPLIANCE_VALUES.errors;
  return clampShare(sum / count);
}

const UPTIME = componentRule({
  component: 'uptime',
  weight: WEIGHTS.uptime,
  measures:
    'Whether it answers: the share of the scored probes of 30 days that were up. Probes that failed through our own fault or were turned away are not scored.',
  formula: 'The curve at the share of scored probes that were up.',
  figures: {
    up: { unit: 'probes', is: 'Scored probes that were up.' },
    scored: { unit: 'probes', is: 'Probes that count in uptime.' },
    share: { unit: 'share, 0 to 1', is: 'The first divided by the second.' },
  },
  curves: { share: CURVES.uptime },
  unmeasured: 'No probe of the last 30 days counts in uptime.',
  read: (inputs) => {
    const share = uptimeShare(inputs);
    const { up, scored } = inputs.probes;
    return { up, scored, share: share === null ? null : roundHalfUp(share, 6) };
  },
  valueOf: ({ up, scored }) => {
    const share = uptimeShare({ probes: { up, scored } });
    return share === null ? null : valueAt(CURVES.uptime, share);
  },
  explain: ({ up, scored, share }) =>
    `Up in ${String(up)} of ${counted(scored, 'scored probe')} (${percent(share ?? 0)}).`,
});

const COMPLIANCE = componentRule({
  component: 'compliance',
  weight: WEIGHTS.compliance,
  measures: 'Whether its payment challenges keep to the protocol, over the challenges of 30 days.',
  formula:
    `The mean of the challenges: one that passes every check counts ${String(COMPLIANCE_VALUES.pass)}, ` +
    `one with warnings only ${String(COMPLIANCE_VALUES.warnings)}, one with errors that a reference client can ` +
    `still pay ${String(COMPLIANCE_VALUES.errors)}, and one it cannot pay ${String(COMPLIANCE_VALUES.unpayable)}.`,
  figures: {
    pass: { unit: 'challenges', is: 'Challenges that passed every check.' },
    warnings: { unit: 'challenges', is: 'Challenges with warnings only.' },
    errors: { unit: 'challenges', is: 'Challenges with errors that a reference client can still pay.' },
    unpayable: { unit: 'challenges', is: 'Challenges that no reference client can pay.' },
  },
  curves: {},
  unmeasured: 'No payment challenge was seen in the last 30 days.',
  read: ({ envelopes: { pass, warnings, errors, unpayable } }) => ({ pass, warnings, errors, unpayable }),
  valueOf: meanCompliance,
  explain: (envelopes) =>
    `Of ${counted(challengeCount({ envelopes }), 'challenge')} ${String(envelopes.pass)} passed every check, ` +
    `${String(envelopes.warnings)} had warnings, ${String(envelopes.errors)} errors, ` +
    `and ${String(envelopes.unpayable)} could not be paid.`,
});

const LATENCY = componentRule({
  component: 'latency',
  weight: WEIGHTS.latency,
  measures: 'How soon it answers, as seen from our vantage point over 30 days.',
  formula: 'The mean of the two curves, at the median and at the 95th percentile of the time to first byte.',
  figures: {
    p50: { unit: 'milliseconds', is: 'Median time to first byte.' },
    p95: { unit: 'milliseconds', is: '95th percentile of the time to first byte.' },
    n: { unit: 'answers', is: 'Answers that were timed.' },
  },
  curves: { p50: CURVES.latencyP50, p95: CURVES.latencyP95 },
  unmeasured: 'No answer was timed in the last 30 days.',
  read: ({ latency }) => ({ p50: latency?.p50 ?? null, p95: latency?.p95 ?? null, n: latency?.n ?? 0 }),
  valueOf: ({ p50, p95, n }) =>
    p50 === null || p95 === null || n <= 0
      ? null
      : (valueAt(CURVES.latencyP50, p50) + valueAt(CURVES.latencyP95, p95)) / 2,
  explain: ({ p50, p95 }) =>
    `First byte after ${String(p50 ?? 0)} ms in half and ${String(p95 ?? 0)} ms in 95 of 100 answers.`,
});

/** What is measured of the service itself, by probing. */
export const SERVICE_COMPONENTS = { uptime: UPTIME, compliance: COMPLIANCE, latency: LATENCY };
