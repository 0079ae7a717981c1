import {
  ageAtLastProbe,
  challengeCount,
  changesWithin,
  isCharging,
  isDownForADay,
  RECENT_PAYTO_DAYS,
  wasUnpayableForADay,
} from '../endpoint-state.ts';
import type { FlagFacts, FlagRule, Sighting } from './flag-rule.ts';
import { HOUR_MS } from '../window.ts';
import { parseUsd } from '../numbers/usd.ts';

const SPIKE_FACTOR = 10n;
/** In units of 10^-18 dollars. Below a tenth of a cent ten times as much is no loss; from nothing, any price would be a spike. */
const LEAST_MEDIAN = 10n ** 15n;

function detectPayToChange({ inputs }: FlagFacts): Sighting | null {
  const [latest, ...earlier] = changesWithin(inputs, 'payto_change', RECENT_PAYTO_DAYS);
  if (latest === undefined) return null;
  return {
    since: latest,
    evidence: { changes: earlier.length + 1, payTo: inputs.advertised?.payTo ?? null },
  };
}

function detectNotPayable({ inputs }: FlagFacts): Sighting | null {
  const { lastChallengedAt, lastPayableAt } = inputs;
  // An endpoint that is down asks for nothing; that is another flag.
  if (!isCharging(inputs) || !wasUnpayableForADay(inputs)) return null;
  return { since: lastPayableAt, evidence: { lastChallengedAt, lastPayableAt } };
}

function detectDown({ inputs }: FlagFacts): Sighting | null {
  if (!isDownForADay(inputs)) return null;
  const { downSince } = inputs;
  return {
    since: downSince,
    evidence: { hours: Math.floor((ageAtLastProbe(inputs, downSince) ?? 0) / HOUR_MS) },
  };
}

function detectPriceSpike({ inputs: { advertised, medianPriceUsd30d } }: FlagFacts): Sighting | null {
  const price = parseUsd(advertised?.amountUsd);
  const median = parseUsd(medianPriceUsd30d);
  if (price === null || median === null) return null;
  const usual = median > LEAST_MEDIAN ? median : LEAST_MEDIAN;
  if (price < usual * SPIKE_FACTOR) return null;
  return { evidence: { amountUsd: advertised?.amountUsd ?? null, medianUsd30d: medianPriceUsd30d } };
}

function detectNoncompliant({ inputs }: FlagFacts): Sighting | null {
  const { errors, unpayable } = inputs.envelopes;
  const challenges = challengeCount(inputs);
  return (errors + unpayable) * 2 > challenges ? { evidence: { challenges, errors, unpayable } } : null;
}

/** Flags a payer should stop at. */
export const ERROR_FLAGS: readonly FlagRule[] = [
  {
    slug: 'payto-changed-recently',
    severity: 'error',
    notForTemplates: true,
    trigger: `The payTo address changed within the last ${String(RECENT_PAYTO_DAYS)} days.`,
    message: 'Payments go to another address than a week ago; it may have been taken over.',
    fix: 'Keep one payTo address, and announce a change where buyers can verify it.',
    detect: detectPayToChange,
  },
  {
    slug: 'asset-not-usdc',
    severity: 'error',
    trigger: "The advertised asset calls itself USDC and is not the network's canonical USDC.",
    message: 'The token it asks for only calls itself USDC.',
    fix: 'Advertise the canonical USDC contract of the network, or the token by its own name.',
    detect: ({ inputs: { advertised } }) =>
      advertised?.falseUsdc === true
        ? { evidence: { network: advertised.network, payTo: advertised.payTo } }
        : null,
  },
  {
    slug: 'not-payable',
    severity: 'error',
    trigger:
      'It asked to be paid within the 24 hours before the last probe, and never in them as a reference client can pay.',
    message: 'It asks to be paid in a way no reference client can pay.',
    fix: 'Correct the failed compliance checks of severity error.',
    detect: detectNotPayable,
  },
  {
    slug: 'down-now',
    severity: 'error',
    trigger: 'It had been down for 24 hours or more at the last probe.',
    message: 'It has not answered for a day or longer.',
    fix: 'Bring the endpoint back, or take it out of the directories.',
    detect: detectDown,
  },
  {
    slug: 'price-spike',
    severity: 'error',
    notForTemplates: true,
    trigger: `The advertised price is ${String(SPIKE_FACTOR)} times the median of the last 30 days or more. A median below $0.001 counts as $0.001.`,
    message: 'It asks ten times what it used to, or more.',
    fix: 'Check the decimals of the amount; raise prices in steps buyers can follow.',
    detect: detectPriceSpike,
  },
  {
    slug: 'envelope-noncompliant',
    severity: 'error',
    trigger: 'More than half of the challenges of the last 30 days had errors or could not be paid.',
    message: 'Most of its payment challenges break the protocol.',
    fix: 'Correct the failed compliance checks of severity error.',
    detect: detectNoncompliant,
  },
];
