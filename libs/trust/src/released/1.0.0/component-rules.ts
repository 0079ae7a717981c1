import { DAY_MS } from '@touchstone/common';
import { clampShare, roundHalfUp } from '../../numbers/rounding.ts';
import { CURVES, evaluateCurve } from './curves.ts';
import {
  computeAgeMs,
  computeUptimeShare,
  countChallenges,
  toKnownSettlement,
  WINDOW_DAYS,
} from './endpoint-state.ts';
import { formatCount, formatPercent } from './format-figures.ts';
import type { ChangeKind, ComplianceVerdict, ComponentName } from './report-schema.ts';
import type { ComponentScore, ScoreInputs } from './types.ts';

/** Weight of each component; the sum is 100. */
const WEIGHTS: Readonly<Record<ComponentName, number>> = {
  uptime: 30,
  compliance: 25,
  stability: 15,
  activity: 15,
  age: 10,
  latency: 5,
};

/** Measurement of a component: its figures, its value with nine decimals, and its explanation. */
export interface Measured {
  readonly inputs: ComponentScore['inputs'];
  readonly value: number | null;
  readonly explain: () => string;
}

export interface ComponentRule {
  readonly component: ComponentName;
  readonly weight: number;
  /** Sentence that states when the component is not measured. */
  readonly unmeasured: string;
  readonly measure: (inputs: ScoreInputs) => Measured;
}

interface ComponentDefinition<F extends ComponentScore['inputs']> extends Omit<ComponentRule, 'measure'> {
  /** Reads the figures of the component from the score inputs. Figures that were not measured are null. */
  readonly read: (inputs: ScoreInputs) => F;
  /** Computes the component value, 0 to 1, from the figures. Returns null if the component is unmeasured. */
  readonly computeValue: (figures: F) => number | null;
  /** Explains the measured component value in one sentence. */
  readonly explain: (figures: F, inputs: ScoreInputs) => string;
  /** Explains in one sentence why the component has no value. By default, the sentence in `unmeasured` is used. */
  readonly explainUnmeasured?: (inputs: ScoreInputs) => string;
}

/** Creates the scoring rule of a component. Values are rounded to nine decimals, as a report contains them. */
function defineComponent<F extends ComponentScore['inputs']>({
  read,
  computeValue,
  explain,
  explainUnmeasured,
  ...rule
}: ComponentDefinition<F>): ComponentRule {
  return {
    ...rule,
    measure: (inputs) => {
      const figures = read(inputs);
      const exact = computeValue(figures);
      const value = exact === null ? null : Number(exact.toFixed(9));
      return {
        inputs: figures,
        value,
        explain: () =>
          value === null ? (explainUnmeasured?.(inputs) ?? rule.unmeasured) : explain(figures, inputs),
      };
    },
  };
}

/** Value of a payment challenge, 0 to 1, by its x402 compliance verdict. */
const COMPLIANCE_VALUES = {
  pass: 1,
  warnings: 0.9,
  errors: 0.5,
  unpayable: 0,
} as const satisfies Record<ComplianceVerdict, number>;

/** Computes the mean compliance value of the challenges, 0 to 1. Returns null if there are no challenges. */
function computeMeanCompliance(envelopes: ScoreInputs['envelopes']): number | null {
  const count = countChallenges({ envelopes });
  if (count <= 0) return null;
  const { pass, warnings, errors } = envelopes;
  const sum =
    pass * COMPLIANCE_VALUES.pass + warnings * COMPLIANCE_VALUES.warnings + errors * COMPLIANCE_VALUES.errors;
  return clampShare(sum / count);
}

const UPTIME = defineComponent({
  component: 'uptime',
  weight: WEIGHTS.uptime,
  unmeasured: 'No probe in the last 30 days was scored.',
  read: (inputs) => {
    const share = computeUptimeShare(inputs);
    const { up, scored } = inputs.probes;
    return { up, scored, share: share === null ? null : roundHalfUp(share, 6) };
  },
  computeValue: ({ up, scored }) => {
    const share = computeUptimeShare({ probes: { up, scored } });
    return share === null ? null : evaluateCurve(CURVES.uptime, share);
  },
  explain: ({ up, scored, share }) =>
    `${String(up)} of ${formatCount(scored, 'scored probe')} succeeded (${formatPercent(share ?? 0)}).`,
});

const COMPLIANCE = defineComponent({
  component: 'compliance',
  weight: WEIGHTS.compliance,
  unmeasured: 'No payment challenge was received in the last 30 days.',
  read: ({ envelopes: { pass, warnings, errors, unpayable } }) => ({ pass, warnings, errors, unpayable }),
  computeValue: computeMeanCompliance,
  explain: (envelopes) =>
    `Of ${formatCount(countChallenges({ envelopes }), 'challenge')}, ${String(envelopes.pass)} passed every check, ` +
    `${String(envelopes.warnings)} had only warnings, ${String(envelopes.errors)} had errors but could be paid, ` +
    `and ${String(envelopes.unpayable)} could not be paid.`,
});

const LATENCY = defineComponent({
  component: 'latency',
  weight: WEIGHTS.latency,
  unmeasured: 'No response time was measured in the last 30 days.',
  read: ({ latency }) => ({ p50: latency?.p50 ?? null, p95: latency?.p95 ?? null, n: latency?.n ?? 0 }),
  computeValue: ({ p50, p95, n }) =>
    p50 === null || p95 === null || n <= 0
      ? null
      : (evaluateCurve(CURVES.latencyP50, p50) + evaluateCurve(CURVES.latencyP95, p95)) / 2,
  explain: ({ p50, p95 }) =>
    `The first byte arrives within ${String(p50 ?? 0)} ms in 50 % and within ${String(p95 ?? 0)} ms in 95 % of responses.`,
});

/**
 * Cost of each kind of change of payment terms, on the day of the change. The cost then falls linearly to zero over 30
 * days. The stability value is 1 minus the costs of all changes.
 */
const CHANGE_COSTS: Readonly<Record<ChangeKind, number>> = {
  price_change: 0.15,
  payto_change: 0.5,
  asset_network_change: 0.3,
};

/**
 * Returns the total current cost of all changes of payment terms in the last 30 days. Price and payTo changes of a URL
 * template cost nothing, because both may vary from item to item.
 */
function sumChangeCosts({ now, changes, templated }: ScoreInputs): number {
  const costs = changes.map(({ kind, at }) => {
    if (templated && kind !== 'asset_network_change') return 0;
    return CHANGE_COSTS[kind] * clampShare(1 - computeAgeMs(now, at) / (WINDOW_DAYS * DAY_MS));
  });
  return roundHalfUp(
    costs.reduce((sum, cost) => sum + cost, 0),
    6,
  );
}

function countChanges(changes: ScoreInputs['changes'], kind: ChangeKind): number {
  return changes.filter((change) => change.kind === kind).length;
}

/** Formats the number of changes of each kind, such as `1 price change, 2 payTo changes in the last 30 days.` */
function explainChanges(
  {
    priceChanges,
    payToChanges,
    assetNetworkChanges,
  }: { readonly priceChanges: number; readonly payToChanges: number; readonly assetNetworkChanges: number },
  templated: boolean,
): string {
  if (templated) {
    return (
      'The URL is a template, so its price and payTo may vary. ' +
      `${formatCount(assetNetworkChanges, 'asset or network change')} in the last ${String(WINDOW_DAYS)} days.`
    );
  }
  const counts = [
    [priceChanges, 'price change'],
    [payToChanges, 'payTo change'],
    [assetNetworkChanges, 'asset or network change'],
  ] as const;
  const changed = counts.filter(([count]) => count > 0).map(([count, noun]) => formatCount(count, noun));
  return changed.length === 0
    ? `No change of price, payTo, asset or network in the last ${String(WINDOW_DAYS)} days.`
    : `${changed.join(', ')} in the last ${String(WINDOW_DAYS)} days.`;
}

const STABILITY = defineComponent({
  component: 'stability',
  weight: WEIGHTS.stability,
  unmeasured: 'No payment challenge was ever received, so there are no payment terms to compare.',
  read: (inputs) => ({
    priceChanges: countChanges(inputs.changes, 'price_change'),
    payToChanges: countChanges(inputs.changes, 'payto_change'),
    assetNetworkChanges: countChanges(inputs.changes, 'asset_network_change'),
    // Payment terms that only a directory lists are not measured, because the endpoint never sent them in a challenge.
    lost: inputs.everChallenged || inputs.changes.length > 0 ? sumChangeCosts(inputs) : null,
  }),
  computeValue: ({ lost }) => (lost === null ? null : clampShare(1 - lost)),
  explain: (figures, { templated }) => explainChanges(figures, templated),
});

/** Returns the reason why settlements are unknown, for the case that applies to the endpoint. */
function explainUnknownSettlements({ advertised, settlement }: ScoreInputs): string {
  if (advertised === null) return 'The endpoint advertises no wallet, so there are no settlements to read.';
  return settlement === null
    ? 'The chains of its wallets were not read.'
    : 'No payment was found, and the chains of its wallets could only be read in part.';
}

const ACTIVITY = defineComponent({
  component: 'activity',
  weight: WEIGHTS.activity,
  unmeasured:
    'The endpoint advertises no wallet, the chains of its wallets were not read, or they could only be read in part and no payment was found.',
  read: (inputs) => {
    const { volumeUsd30d = null, payers30d = null, topPayerShare = null } = toKnownSettlement(inputs) ?? {};
    return { volumeUsd30d, payers30d, topPayerShare };
  },
  computeValue: ({ volumeUsd30d, payers30d, topPayerShare }) => {
    if (volumeUsd30d === null || payers30d === null || topPayerShare === null) return null;
    // The largest payer may be the seller, so the volume value is reduced by the share of that payer.
    const volume = evaluateCurve(CURVES.volume, volumeUsd30d) * (1 - clampShare(topPayerShare));
    return clampShare(volume / 2 + evaluateCurve(CURVES.payers, payers30d) / 2);
  },
  explain: ({ volumeUsd30d, payers30d, topPayerShare }, { settlement }) => {
    const payers = payers30d ?? 0;
    if (payers <= 0) return 'No payments from other wallets in the last 30 days.';
    const volume = `${settlement?.partial === true ? 'At least ' : ''}${(volumeUsd30d ?? 0).toFixed(2)} US dollars`;
    const share =
      payers === 1 ? '' : ` The largest payer paid ${formatPercent(topPayerShare ?? 0)} of the volume.`;
    return `${volume} from ${formatCount(payers, 'payer')} settled in the last 30 days.${share}`;
  },
  explainUnmeasured: explainUnknownSettlements,
});

const AGE = defineComponent({
  component: 'age',
  weight: WEIGHTS.age,
  unmeasured: 'No other component was measured, and age alone does not count.',
  read: ({ now, firstSeen }) => ({ days: roundHalfUp(computeAgeMs(now, firstSeen) / DAY_MS, 4) }),
  computeValue: ({ days }) => evaluateCurve(CURVES.age, days),
  explain: ({ days }) =>
    days < 1 ? 'First seen less than 1 day ago.' : `First seen ${formatCount(Math.floor(days), 'day')} ago.`,
});

/** Scoring rules of all components, in the order of a report. */
export const COMPONENT_RULES: readonly ComponentRule[] = [
  UPTIME,
  COMPLIANCE,
  STABILITY,
  ACTIVITY,
  AGE,
  LATENCY,
];
