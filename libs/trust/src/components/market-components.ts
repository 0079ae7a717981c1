import { componentRule } from './component-rule.ts';
import { valueAt } from './curve.ts';
import { CURVES } from './curves.ts';
import { knownSettlement } from '../endpoint-state.ts';
import { clampShare, counted, percent, roundHalfUp } from '../numbers/rounding.ts';
import { ageMs, DAY_MS, WINDOW_DAYS } from '../window.ts';
import type { ChangeKind, ScoreInputs } from '../types.ts';
import { WEIGHTS } from './weights.ts';

/** What a change takes away on its day; it fades in a straight line to nothing over the window. */
export const CHANGE_COSTS: Readonly<Record<ChangeKind, number>> = {
  price_change: 0.15,
  payto_change: 0.5,
  asset_network_change: 0.3,
};

/** What the changes of the window take away now; those of price and payTo of a template take nothing. */
function lostToChanges({ now, changes, templated }: ScoreInputs): number {
  const lost = changes.map(({ kind, at }) => {
    if (templated && kind !== 'asset_network_change') return 0;
    return CHANGE_COSTS[kind] * clampShare(1 - ageMs(now, at) / (WINDOW_DAYS * DAY_MS));
  });
  return roundHalfUp(
    lost.reduce((sum, cost) => sum + cost, 0),
    6,
  );
}

function countOf(changes: ScoreInputs['changes'], kind: ChangeKind): number {
  return changes.filter((change) => change.kind === kind).length;
}

const STABILITY = componentRule({
  component: 'stability',
  weight: WEIGHTS.stability,
  measures: 'Whether the terms of its challenges stay the same: price, payTo, asset and network.',
  formula:
    `1 less ${String(CHANGE_COSTS.price_change)} for each change of price, ${String(CHANGE_COSTS.payto_change)} of payTo ` +
    `and ${String(CHANGE_COSTS.asset_network_change)} of asset or network, each fading in a straight line to nothing over ` +
    `${String(WINDOW_DAYS)} days; not below 0. Price and payTo of a template may vary freely.`,
  figures: {
    priceChanges: { unit: 'changes', is: 'Changes of the price in 30 days.' },
    payToChanges: { unit: 'changes', is: 'Changes of the payTo address in 30 days.' },
    assetNetworkChanges: { unit: 'changes', is: 'Changes of asset or network in 30 days.' },
    lost: { unit: 'share, 0 and up', is: 'What all of them take away, faded by their age.' },
  },
  curves: {},
  unmeasured:
    'It never presented a payment challenge, so there are no terms that could have stayed the same.',
  read: (inputs) => ({
    priceChanges: countOf(inputs.changes, 'price_change'),
    payToChanges: countOf(inputs.changes, 'payto_change'),
    assetNetworkChanges: countOf(inputs.changes, 'asset_network_change'),
    // A listing alone is no measurement: what it names was never asked for by the endpoint itself.
    lost: inputs.everChallenged || inputs.changes.length > 0 ? lostToChanges(inputs) : null,
  }),
  valueOf: ({ lost }) => (lost === null ? null : clampShare(1 - lost)),
  explain: (_, { changes, templated }) =>
    templated
      ? 'A template: price and payTo may vary, only changes of asset and network count.'
      : `The advertised terms changed ${changes.length === 1 ? 'once' : `${String(changes.length)} times`} in 30 days.`,
});

const ACTIVITY = componentRule({
  component: 'activity',
  weight: WEIGHTS.activity,
  measures:
    'Whether others pay it: settlements in USDC to all wallets it advertises, read from the chains over 30 days.',
  formula:
    'Half the curve of the volume, scaled by the share that the largest payer did not bring, and half the curve of the payers.',
  figures: {
    volumeUsd30d: {
      unit: 'US dollars',
      is: 'Volume settled to its wallets, less what they paid each other.',
    },
    payers30d: { unit: 'payers', is: 'Distinct addresses that paid any of them.' },
    topPayerShare: { unit: 'share, 0 to 1', is: 'Part of the volume that the largest payer brought.' },
  },
  curves: { volumeUsd30d: CURVES.volume, payers30d: CURVES.payers },
  unmeasured: 'The payments of its wallets could not be read, or not all of them, and none was seen.',
  read: (inputs) => {
    const { volumeUsd30d = null, payers30d = null, topPayerShare = null } = knownSettlement(inputs) ?? {};
    return { volumeUsd30d, payers30d, topPayerShare };
  },
  valueOf: ({ volumeUsd30d, payers30d, topPayerShare }) => {
    if (volumeUsd30d === null || payers30d === null || topPayerShare === null) return null;
    // One payer may be the seller; volume counts by the part the largest payer did not bring.
    const volume = valueAt(CURVES.volume, volumeUsd30d) * (1 - clampShare(topPayerShare));
    return clampShare(volume / 2 + valueAt(CURVES.payers, payers30d) / 2);
  },
  explain: ({ volumeUsd30d, payers30d, topPayerShare }, { settlement }) =>
    `${settlement?.partial === true ? 'At least ' : ''}${(volumeUsd30d ?? 0).toFixed(2)} US dollars from ${counted(payers30d ?? 0, 'payer')} settled in 30 days, ` +
    `the largest of them with ${percent(topPayerShare ?? 0)}.`,
});

const AGE = componentRule({
  component: 'age',
  weight: WEIGHTS.age,
  measures: 'How long it has been known, since it was first seen.',
  formula: 'The curve at its days. It counts only where another component was measured.',
  figures: { days: { unit: 'days', is: 'Days since it was first seen, with four decimals.' } },
  curves: { days: CURVES.age },
  unmeasured: 'Nothing else was measured, and its age alone says nothing of it.',
  read: ({ now, firstSeen }) => ({ days: roundHalfUp(ageMs(now, firstSeen) / DAY_MS, 4) }),
  valueOf: ({ days }) => valueAt(CURVES.age, days),
  explain: ({ days }) => `First seen ${counted(Math.floor(days), 'day')} ago.`,
});

/** What is measured of its standing: its terms over time, its buyers, its age. */
export const MARKET_COMPONENTS = { stability: STABILITY, activity: ACTIVITY, age: AGE };
