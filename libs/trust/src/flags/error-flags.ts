import { HOUR_MS, formatMinute, formatUsd } from '@touchstone/common';
import { capitalize, describeOutage, formatOtherNotPayableReason, toSafeValue } from '../cause-texts.ts';
import {
  computeAgeAtLastProbe,
  countChallenges,
  findRecentChanges,
  isDownForOneDay,
  isOftenUnpayable,
  MIN_UNPAYABLE,
  RECENT_PAYTO_DAYS,
  wasChallengedWithinOneDay,
  wasUnpayableForOneDay,
  WINDOW_DAYS,
} from '../endpoint-state.ts';
import { parseUsd } from '../numbers.ts';
import type { ScoreInputs } from '../types.ts';
import { PAID_NOT_DELIVERED } from './delivery-flags.ts';
import type { FlagDefinition, FlagDetection, FlagInputs } from './flag-rule.ts';
import { describePayToChange } from './payto-change.ts';

/** Minimum ratio of the price to its 30-day median for the flag `price-spike`. */
const SPIKE_FACTOR = 10n;
/**
 * Lower bound of the median in the comparison with the price: $0.001, in units of 10^-18 dollars. With this bound,
 * prices below $0.01 never raise `price-spike`.
 */
const MIN_MEDIAN = 10n ** 15n;

const FIX_COMPLIANCE = 'Fix the failed compliance checks of severity error.';

/** Detects a payTo change in the last seven days. */
function detectRecentPayToChange(facts: FlagInputs): FlagDetection | null {
  const changes = findRecentChanges(facts.inputs, 'payto_change', RECENT_PAYTO_DAYS);
  return describePayToChange(facts, changes, '; the endpoint may have been taken over');
}

function detectNotPayable({ inputs }: FlagInputs): FlagDetection | null {
  const { lastChallengedAt, lastPayableAt } = inputs;
  // An endpoint that is down sends no challenges and is reported by `down-now`, so this flag requires a recent
  // challenge.
  if (!wasChallengedWithinOneDay(inputs) || !wasUnpayableForOneDay(inputs)) return null;
  const period =
    lastPayableAt === null ? 'was ever payable' : `since ${formatMinute(lastPayableAt)} was payable`;
  return {
    since: lastPayableAt,
    evidence: { lastChallengedAt, lastPayableAt },
    reason: `No payment challenge ${period}${formatOtherNotPayableReason(inputs)}`,
  };
}

function detectDown({ inputs }: FlagInputs): FlagDetection | null {
  const outage = describeOutage(inputs);
  if (!isDownForOneDay(inputs) || outage === null) return null;
  const { downSince, lastFailure } = inputs;
  return {
    since: downSince,
    evidence: {
      hours: Math.floor((computeAgeAtLastProbe(inputs, downSince) ?? 0) / HOUR_MS),
      error: lastFailure?.error ?? null,
      httpStatus: lastFailure?.httpStatus ?? null,
    },
    reason: `${capitalize(outage)}.`,
  };
}

function detectPriceSpike({ inputs }: FlagInputs): FlagDetection | null {
  const { advertised, medianPriceUsd30d } = inputs;
  const price = parseUsd(advertised?.amountUsd);
  const median = parseUsd(medianPriceUsd30d);
  if (price === null || median === null) return null;
  const reference = median > MIN_MEDIAN ? median : MIN_MEDIAN;
  if (price < reference * SPIKE_FACTOR) return null;
  const [latest] = findRecentChanges(inputs, 'price_change', WINDOW_DAYS);
  const amountUsd = advertised?.amountUsd ?? null;
  return {
    since: latest?.at ?? null,
    evidence: { amountUsd, medianUsd30d: medianPriceUsd30d, before: latest?.before ?? null },
    reason:
      `The price is ${formatUsd(amountUsd ?? '0')}, at least ${String(SPIKE_FACTOR)} times its 30-day median of ` +
      `${formatUsd(medianPriceUsd30d ?? '0')}${latest === undefined ? '' : `, since ${formatMinute(latest.at)}`}.`,
  };
}

function detectNoncompliant({ inputs }: FlagInputs): FlagDetection | null {
  if (!isOftenUnpayable(inputs)) return null;
  const { last24h, lastPayableAt, latestCompliance } = inputs;
  const challenges = countChallenges(last24h.envelopes);
  const { unpayable } = last24h.envelopes;
  return {
    since: unpayable === challenges ? lastPayableAt : null,
    evidence: { challenges, unpayable, latestCompliance, lastPayableAt },
    reason: `${String(unpayable)} of ${String(challenges)} payment challenges of the last 24 hours could not be paid${describeLatest(inputs)}`,
  };
}

/** Describes whether the latest challenge can be paid, as the end of a sentence about several challenges. */
function describeLatest(inputs: ScoreInputs): string {
  const { last24h, lastChallengedAt, latestCompliance } = inputs;
  if (latestCompliance !== 'unpayable')
    return lastChallengedAt === null
      ? '.'
      : `; the latest, on ${formatMinute(lastChallengedAt)}, could be paid.`;
  const isMixed = last24h.envelopes.unpayable < countChallenges(last24h.envelopes);
  return `${isMixed ? ', including the latest' : ''}${formatOtherNotPayableReason(inputs)}`;
}

function detectFalseUsdc({ inputs: { advertised } }: FlagInputs): FlagDetection | null {
  if (advertised?.falseUsdc !== true) return null;
  const { network, payTo, falseUsdcAsset: asset } = advertised;
  const token = toSafeValue(asset);
  return {
    evidence: { network, asset, payTo },
    reason: `The advertised token${token === null ? '' : ` ${token}`} is named USDC but is not the canonical USDC of its network.`,
  };
}

/** Flags of severity error: a payer should not pay an endpoint with such a flag. */
export const ERROR_FLAGS: readonly FlagDefinition[] = [
  {
    slug: 'payto-changed-recently',
    explains: ['stability'],
    notForTemplates: true,
    trigger: `The payTo address changed within the last ${String(RECENT_PAYTO_DAYS)} days.`,
    message: `The payTo address changed in the last ${String(RECENT_PAYTO_DAYS)} days; the endpoint may have been taken over.`,
    fix: 'Keep one payTo address, and announce a change where buyers can verify it.',
    detect: detectRecentPayToChange,
  },
  {
    slug: 'asset-not-usdc',
    trigger: "The advertised token is named USDC but is not the network's canonical USDC.",
    message: "The advertised token is named USDC but is not the network's canonical USDC.",
    fix: "Advertise the network's canonical USDC contract, or give the token its own name.",
    detect: detectFalseUsdc,
  },
  {
    slug: 'not-payable',
    explains: ['no-payable-challenge', 'compliance', 'envelope-noncompliant'],
    trigger:
      'The endpoint sent payment challenges in the 24 hours before the last probe, and none of them could be paid: no reference client signs the payment, or the payment would not settle.',
    message: 'The payment challenges of the endpoint cannot be paid.',
    fix: FIX_COMPLIANCE,
    detect: detectNotPayable,
  },
  {
    slug: 'down-now',
    explains: ['no-payable-challenge'],
    trigger: 'The endpoint had been down for 24 hours or more at the last probe.',
    message: 'The endpoint had been down for 24 hours or more at the last probe.',
    fix: 'Restore the endpoint, or remove it from the directories.',
    detect: detectDown,
  },
  {
    slug: 'price-spike',
    notForTemplates: true,
    trigger: `The advertised price is at least ${String(SPIKE_FACTOR)} times the median of the last 30 days. A median below $0.001 counts as $0.001.`,
    message: `The price is at least ${String(SPIKE_FACTOR)} times its 30-day median.`,
    fix: 'Check the decimals of the amount, and raise prices in small steps.',
    detect: detectPriceSpike,
  },
  {
    slug: 'envelope-noncompliant',
    explains: ['compliance'],
    trigger: `More than half of the challenges of the last 24 hours could not be paid, or at least ${String(MIN_UNPAYABLE)} of them, including the latest: no reference client signs the payment, or the payment would fail or be lost.`,
    message:
      'Most of its payment challenges of the last 24 hours, or several and the latest, could not be paid.',
    fix: FIX_COMPLIANCE,
    detect: detectNoncompliant,
  },
  PAID_NOT_DELIVERED,
];
