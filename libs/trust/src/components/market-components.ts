import type { ChangeKind } from '@touchstone/contract';
import { DAY_MS, formatCount, formatPercent, formatUsd } from '@touchstone/common';
import { capitalize } from '../cause-texts.ts';
import {
  countChanges,
  isPayToVarying,
  MAX_SHARERS_COUNTED,
  toKnownSettlement,
  computeAgeMs,
  WINDOW_DAYS,
} from '../endpoint-state.ts';
import { clampShare, roundHalfUp } from '../numbers.ts';
import type { ScoreInputs } from '../types.ts';
import { defineComponent } from './component-rule.ts';
import { CURVES, evaluateCurve } from './curves.ts';

/**
 * Cost of each kind of change of payment terms, on the day of the change. The cost then falls linearly to zero over 30
 * days. The stability value is 1 minus the costs of all changes.
 */
export const CHANGE_COSTS: Readonly<Record<ChangeKind, number>> = {
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

/** Formats the number of changes of each kind, such as `1 price change, 2 payTo changes in the last 30 days.` */
function explainChanges(inputs: ScoreInputs): string {
  const assetNetworkChanges = countChanges(inputs, 'asset_network_change');
  if (inputs.templated) {
    return (
      'The URL is a template, so its price and payTo may vary. ' +
      `${formatCount(assetNetworkChanges, 'asset or network change')} in the last ${String(WINDOW_DAYS)} days.`
    );
  }
  const counts = [
    [countChanges(inputs, 'price_change'), 'price change'],
    [countChanges(inputs, 'payto_change'), 'payTo change'],
    [assetNetworkChanges, 'asset or network change'],
  ] as const;
  const changed = counts.filter(([count]) => count > 0).map(([count, noun]) => formatCount(count, noun));
  const isVarying = inputs.payToVariation !== undefined;
  const unchanged = `No change of price, ${isVarying ? '' : 'payTo, '}asset or network`;
  const summary = changed.length === 0 ? unchanged : changed.join(', ');
  // The last change of a variation can be a payTo change that counts.
  const others = countChanges(inputs, 'payto_change') > 0 ? 'Other changes' : 'Changes';
  const note = isVarying ? ` ${others} while the payTo varied cost nothing.` : '';
  return `${summary} in the last ${String(WINDOW_DAYS)} days.${note}`;
}

const STABILITY = defineComponent({
  component: 'stability',
  weight: 15,
  measures: 'Stability of the payment terms in its challenges: price, payTo, asset and network.',
  formula:
    `1 minus ${String(CHANGE_COSTS.price_change)} for each price change, ${String(CHANGE_COSTS.payto_change)} for each ` +
    `payTo change and ${String(CHANGE_COSTS.asset_network_change)} for each asset or network change. The cost of a change ` +
    `falls linearly to zero over ${String(WINDOW_DAYS)} days. The value is never below 0. Price and payTo changes of a ` +
    'template cost nothing, and neither do changes of a payTo that has three values or three changes within a day. If ' +
    'it then stays the same for a day and is another payTo than before, the last change counts.',
  figures: {
    priceChanges: { unit: 'changes', is: 'Price changes in the last 30 days.' },
    payToChanges: { unit: 'changes', is: 'Changes of the payTo address in the last 30 days.' },
    assetNetworkChanges: { unit: 'changes', is: 'Changes of asset or network in the last 30 days.' },
    lost: { unit: 'share, 0 or more', is: 'Current cost of all these changes, reduced by their age.' },
  },
  curves: {},
  unmeasured: 'No payment challenge was ever received, so there are no payment terms to compare.',
  read: (inputs) => ({
    priceChanges: countChanges(inputs, 'price_change'),
    payToChanges: countChanges(inputs, 'payto_change'),
    assetNetworkChanges: countChanges(inputs, 'asset_network_change'),
    // Payment terms that only a directory lists are not measured, because the endpoint never sent them in a challenge.
    lost: inputs.everChallenged || inputs.changes.length > 0 ? sumChangeCosts(inputs) : null,
  }),
  computeValue: ({ lost }) => (lost === null ? null : clampShare(1 - lost)),
  explain: (_, inputs) => explainChanges(inputs),
});

/** Returns the reason why settlements are unknown, for the case that applies to the endpoint. */
function explainUnknownSettlements(inputs: ScoreInputs): string {
  const { advertised, networksRead, payToVariation, lastChallengedAt } = inputs;
  if (advertised === null) return 'The endpoint advertises no wallet, so there are no payments to read.';
  if (isPayToVarying(payToVariation ?? null, lastChallengedAt))
    return 'Payments are not read while the payTo varies.';
  return (networksRead ?? 0) > 0
    ? 'No payment was found, but not all of its wallets take USDC on a chain that was read completely.'
    : 'Payments are not measured: none of its wallets takes USDC on a chain that was read completely.';
}

/** Describes the endpoints that share the wallets, as a sentence after a volume; an empty text without such endpoints. */
function explainSharing({ payToSharedWith = 0, payToSharedOnHost = 0 }: ScoreInputs): string {
  const sharers = [
    ...(payToSharedOnHost > 0 ? [formatSharers(payToSharedOnHost, 'other endpoint', 'this host')] : []),
    ...(payToSharedWith > 0 ? [formatSharers(payToSharedWith, 'endpoint', 'other hosts')] : []),
  ];
  if (sharers.length === 0) return '';
  const verb = payToSharedWith + payToSharedOnHost === 1 ? 'advertises' : 'advertise';
  return ` ${capitalize(sharers.join(' and '))} ${verb} the same payTo address, so this volume may include payments to them.`;
}

function formatSharers(count: number, noun: string, host: string): string {
  return `${count >= MAX_SHARERS_COUNTED ? 'at least ' : ''}${formatCount(count, noun)} of ${host}`;
}

type ActivityFigures = Readonly<
  Record<'volumeUsd30d' | 'returnedUsd30d' | 'payers30d' | 'topPayerShare', number | null>
>;

/** Formats the volume that stayed, the volume that went back, the payers, and the sharing of wallets, as sentences. */
function explainActivity(figures: ActivityFigures, inputs: ScoreInputs): string {
  const isPaid = (figures.volumeUsd30d ?? 0) > 0 || (figures.returnedUsd30d ?? 0) > 0;
  return `${explainPayments(figures, inputs)}${isPaid ? explainSharing(inputs) : ''}`;
}

function explainPayments(figures: ActivityFigures, { settlement }: ScoreInputs): string {
  const { volumeUsd30d: kept, returnedUsd30d: returned, payers30d, topPayerShare } = figures;
  const payers = payers30d ?? 0;
  const isPartial = settlement?.partial === true;
  const atLeast = isPartial ? 'at least ' : '';
  const period = `in the last ${String(WINDOW_DAYS)} days`;
  const toWallets = `to the advertised wallets ${period}`;
  if ((returned ?? 0) <= 0) {
    if (payers <= 0) return `No payments from other wallets ${period}.`;
    const share = payers === 1 ? '' : `; the largest payer paid ${formatPercent(topPayerShare ?? 0)}`;
    return `${formatCount(payers, 'payer')} settled ${atLeast}${formatUsd(kept ?? 0)} ${toWallets}${share}.`;
  }
  const total = `${atLeast}${formatUsd((kept ?? 0) + (returned ?? 0))}`;
  const back = payers <= 0 && !isPartial ? 'all' : formatUsd(returned ?? 0);
  const sentBack = `The payers settled ${total} ${toWallets}, and ${back} of it was sent back to them.`;
  if (payers <= 0) return sentBack;
  const share = payers === 1 ? '' : `, the largest of them ${formatPercent(topPayerShare ?? 0)}`;
  return `${sentBack} ${formatCount(payers, 'payer')} paid what stayed${share}.`;
}

const ACTIVITY = defineComponent({
  component: 'activity',
  weight: 15,
  measures: 'USDC settlements to all advertised wallets in the last 30 days, read from the chains.',
  formula:
    'The mean of two curve values: that of the volume that stayed, multiplied by 1 minus the share of the largest payer, ' +
    'and that of the number of payers.',
  figures: {
    volumeUsd30d: {
      unit: 'US dollars',
      is: 'Volume settled to its wallets that stayed, without transfers between these wallets.',
    },
    returnedUsd30d: {
      unit: 'US dollars',
      is: 'Volume that its wallets, or wallets that they funded, sent back to the payers.',
    },
    payers30d: {
      unit: 'payers',
      is: 'Distinct addresses that paid at least one of its wallets and did not get everything back.',
    },
    topPayerShare: {
      unit: 'share, 0 to 1',
      is: 'Share of the largest payer in the volume that stayed; null without payers.',
    },
  },
  curves: { volumeUsd30d: CURVES.volume, payers30d: CURVES.payers },
  unmeasured:
    'The endpoint advertises no wallet, no advertised wallet takes USDC on a chain that was read completely, or only some of them do and received no payment.',
  read: (inputs) => {
    const known = toKnownSettlement(inputs);
    const { volumeUsd30d = null, payers30d = null, topPayerShare = null } = known ?? {};
    return { volumeUsd30d, returnedUsd30d: known && (known.returnedUsd30d ?? 0), payers30d, topPayerShare };
  },
  computeValue: ({ volumeUsd30d, payers30d, topPayerShare }) => {
    if (volumeUsd30d === null || payers30d === null) return null;
    // The largest payer may be the seller, so the volume value is reduced by the share of that payer.
    const volume = evaluateCurve(CURVES.volume, volumeUsd30d) * (1 - clampShare(topPayerShare ?? 0));
    return clampShare(volume / 2 + evaluateCurve(CURVES.payers, payers30d) / 2);
  },
  explain: explainActivity,
  explainUnmeasured: explainUnknownSettlements,
});

const AGE = defineComponent({
  component: 'age',
  weight: 10,
  measures: 'Days since the endpoint was first seen.',
  formula: 'The value of the age curve. Age counts only if another component was measured.',
  figures: { days: { unit: 'days', is: 'Days since the endpoint was first seen, with four decimals.' } },
  curves: { days: CURVES.age },
  unmeasured: 'No other component was measured, and age alone does not count.',
  read: ({ now, firstSeen }) => ({ days: roundHalfUp(computeAgeMs(now, firstSeen) / DAY_MS, 4) }),
  computeValue: ({ days }) => evaluateCurve(CURVES.age, days),
  explain: ({ days }) =>
    days < 1 ? 'First seen less than 1 day ago.' : `First seen ${formatCount(Math.floor(days), 'day')} ago.`,
});

/** Components measured from changes of payment terms, on-chain settlements and the age of the endpoint. */
export const MARKET_COMPONENTS = { stability: STABILITY, activity: ACTIVITY, age: AGE };
