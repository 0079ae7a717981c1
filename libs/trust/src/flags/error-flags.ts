import { HOUR_MS } from '@touchstone/common';
import {
  computeAgeAtLastProbe,
  countChallenges,
  findRecentChanges,
  isDownForOneDay,
  RECENT_PAYTO_DAYS,
  wasChallengedWithinOneDay,
  wasUnpayableForOneDay,
} from '../endpoint-state.ts';
import { parseUsd } from '../numbers/usd.ts';
import type { FlagDetection, FlagInputs, FlagRule } from './flag-rule.ts';

/** Minimum ratio of the price to its 30-day median for the flag `price-spike`. */
const SPIKE_FACTOR = 10n;
/**
 * Lower bound of the median in the comparison with the price: $0.001, in units of 10^-18 dollars. With this bound,
 * prices below $0.01 never raise `price-spike`.
 */
const MIN_MEDIAN = 10n ** 15n;

const FIX_COMPLIANCE = 'Fix the failed compliance checks of severity error.';

function detectPayToChange({ inputs }: FlagInputs): FlagDetection | null {
  const [latest, ...earlier] = findRecentChanges(inputs, 'payto_change', RECENT_PAYTO_DAYS);
  if (latest === undefined) return null;
  return {
    since: latest,
    evidence: { changes: earlier.length + 1, payTo: inputs.advertised?.payTo ?? null },
  };
}

function detectNotPayable({ inputs }: FlagInputs): FlagDetection | null {
  const { lastChallengedAt, lastPayableAt } = inputs;
  // An endpoint that is down sends no challenges and is reported by `down-now`, so this flag requires a recent
  // challenge.
  if (!wasChallengedWithinOneDay(inputs) || !wasUnpayableForOneDay(inputs)) return null;
  return { since: lastPayableAt, evidence: { lastChallengedAt, lastPayableAt } };
}

function detectDown({ inputs }: FlagInputs): FlagDetection | null {
  if (!isDownForOneDay(inputs)) return null;
  const { downSince } = inputs;
  return {
    since: downSince,
    evidence: { hours: Math.floor((computeAgeAtLastProbe(inputs, downSince) ?? 0) / HOUR_MS) },
  };
}

function detectPriceSpike({ inputs: { advertised, medianPriceUsd30d } }: FlagInputs): FlagDetection | null {
  const price = parseUsd(advertised?.amountUsd);
  const median = parseUsd(medianPriceUsd30d);
  if (price === null || median === null) return null;
  const reference = median > MIN_MEDIAN ? median : MIN_MEDIAN;
  if (price < reference * SPIKE_FACTOR) return null;
  return { evidence: { amountUsd: advertised?.amountUsd ?? null, medianUsd30d: medianPriceUsd30d } };
}

function detectNoncompliant({ inputs }: FlagInputs): FlagDetection | null {
  const { errors, unpayable } = inputs.envelopes;
  const challenges = countChallenges(inputs);
  return (errors + unpayable) * 2 > challenges ? { evidence: { challenges, errors, unpayable } } : null;
}

/** Flags of severity error: a payer should not pay an endpoint that has one of them. */
export const ERROR_FLAGS: readonly FlagRule[] = [
  {
    slug: 'payto-changed-recently',
    severity: 'error',
    notForTemplates: true,
    trigger: `The payTo address changed within the last ${String(RECENT_PAYTO_DAYS)} days.`,
    message: `The payTo address changed in the last ${String(RECENT_PAYTO_DAYS)} days; the endpoint may have been taken over.`,
    fix: 'Keep one payTo address, and announce a change where buyers can verify it.',
    detect: detectPayToChange,
  },
  {
    slug: 'asset-not-usdc',
    severity: 'error',
    trigger: "The advertised token is named USDC but is not the network's canonical USDC.",
    message: "The advertised token is named USDC but is not the network's canonical USDC.",
    fix: "Advertise the network's canonical USDC contract, or give the token its own name.",
    detect: ({ inputs: { advertised } }) =>
      advertised?.falseUsdc === true
        ? { evidence: { network: advertised.network, payTo: advertised.payTo } }
        : null,
  },
  {
    slug: 'not-payable',
    severity: 'error',
    trigger:
      'The endpoint sent payment challenges in the 24 hours before the last probe, and a reference client could pay none of them.',
    message: 'No reference client can pay its payment challenges.',
    fix: FIX_COMPLIANCE,
    detect: detectNotPayable,
  },
  {
    slug: 'down-now',
    severity: 'error',
    trigger: 'The endpoint had been down for 24 hours or more at the last probe.',
    message: 'The endpoint had been down for 24 hours or more at the last probe.',
    fix: 'Restore the endpoint, or remove it from the directories.',
    detect: detectDown,
  },
  {
    slug: 'price-spike',
    severity: 'error',
    notForTemplates: true,
    trigger: `The advertised price is at least ${String(SPIKE_FACTOR)} times the median of the last 30 days. A median below $0.001 counts as $0.001.`,
    message: `The price is at least ${String(SPIKE_FACTOR)} times its 30-day median.`,
    fix: 'Check the decimals of the amount, and raise prices in small steps.',
    detect: detectPriceSpike,
  },
  {
    slug: 'envelope-noncompliant',
    severity: 'error',
    trigger: 'More than half of the challenges in the last 30 days had errors or could not be paid.',
    message: 'More than half of its payment challenges violate the x402 protocol.',
    fix: FIX_COMPLIANCE,
    detect: detectNoncompliant,
  },
];
