import { CONFIDENCE } from '../confidence.ts';
import { isOutOfSight, uptimeShare } from '../endpoint-state.ts';
import type { FlagFacts, FlagRule, Sighting } from './flag-rule.ts';
import { MONEY_FLAGS } from './money-flags.ts';
import { percent, roundHalfUp } from '../numbers/rounding.ts';
import { ageMs, DAY_MS } from '../window.ts';
import type { ScoreInputs } from '../types.ts';

const LOW_UPTIME = 0.95;
const SLOW_P50_MS = 2_000;
const SLOW_P95_MS = 5_000;
const DOMINANT_SHARE = 0.9;
/** Part of the probes from which on an odd answer is a habit. */
const HABIT_SHARE = 0.1;

type Detect = FlagRule['detect'];

function habit(of: 'blocked' | 'redirected'): Detect {
  return ({ inputs: { probes } }) => {
    const isHabit = probes[of] > 0 && probes[of] >= probes.total * HABIT_SHARE;
    return isHabit ? { evidence: { probes: probes.total, [of]: probes[of] } } : null;
  };
}

function detectUptimeLow({ inputs }: FlagFacts): Sighting | null {
  const share = uptimeShare(inputs);
  if (share === null || share >= LOW_UPTIME) return null;
  return { evidence: { uptimePercent: roundHalfUp(share * 100, 1), probes: inputs.probes.scored } };
}

function detectSlow({ inputs: { latency } }: FlagFacts): Sighting | null {
  if (latency === null || latency.n <= 0) return null;
  const isSlow = latency.p50 >= SLOW_P50_MS || latency.p95 >= SLOW_P95_MS;
  return isSlow ? { evidence: { latencyMsP50: latency.p50, latencyMsP95: latency.p95 } } : null;
}

/** Settlements, where all that is advertised was read: what is missing may be anybody's. */
function allSettlements({ inputs: { settlement } }: FlagFacts): ScoreInputs['settlement'] {
  return settlement?.partial === true ? null : settlement;
}

function detectNoSettlements(facts: FlagFacts): Sighting | null {
  const settlement = allSettlements(facts);
  return settlement !== null && settlement.payers30d <= 0
    ? { evidence: { volumeUsd30d: settlement.volumeUsd30d } }
    : null;
}

function detectSinglePayer(facts: FlagFacts): Sighting | null {
  const settlement = allSettlements(facts);
  if (settlement === null || settlement.payers30d <= 0) return null;
  const { payers30d, topPayerShare } = settlement;
  return payers30d === 1 || topPayerShare >= DOMINANT_SHARE
    ? { evidence: { payers30d, topPayerShare } }
    : null;
}

/** Warnings about the service, and about how much is known of it. */
const SERVICE_FLAGS: readonly FlagRule[] = [
  {
    slug: 'first-contact',
    severity: 'warning',
    trigger: 'It was first seen less than a day ago.',
    message: 'It has only just been seen for the first time.',
    fix: 'None needed; this passes within a day.',
    detect: ({ inputs: { now, firstSeen } }) =>
      ageMs(now, firstSeen) < DAY_MS ? { since: firstSeen, evidence: { firstSeen } } : null,
  },
  {
    slug: 'low-confidence',
    severity: 'warning',
    trigger: `Confidence is below ${CONFIDENCE.low.toFixed(2)}.`,
    message: 'Too little was observed to rely on the score.',
    fix: 'None needed; confidence grows with every probe.',
    detect: ({ inputs, confidence }) =>
      confidence < CONFIDENCE.low ? { evidence: { confidence, probes: inputs.probes.scored } } : null,
  },
  {
    slug: 'not-seen-lately',
    severity: 'warning',
    barsProceed: true,
    trigger:
      'The last probe that counts in uptime is more than 24 hours old, whatever kept others from counting.',
    message: 'Nobody could see for a day or longer whether it still is what it was.',
    fix: 'Let unpaid requests through to the payment challenge; where the fault is ours, none is needed.',
    detect: ({ inputs: { now, lastProbedAt } }) =>
      lastProbedAt !== null && isOutOfSight({ now, lastProbedAt })
        ? { since: lastProbedAt, evidence: { lastProbedAt } }
        : null,
  },
  {
    slug: 'uptime-low',
    severity: 'warning',
    trigger: `Fewer than ${percent(LOW_UPTIME)} of the scored probes of 30 days were up.`,
    message: 'It is often down.',
    fix: 'Find out what fails; each miss is in the history of the endpoint.',
    detect: detectUptimeLow,
  },
  {
    slug: 'slow',
    severity: 'warning',
    trigger: `The median latency is ${String(SLOW_P50_MS)} ms or more, or the 95th percentile ${String(SLOW_P95_MS)} ms or more.`,
    message: 'It takes long to answer.',
    fix: 'Answer the unpaid request at once; it needs no work to be done.',
    detect: detectSlow,
  },
  {
    slug: 'no-settlements',
    severity: 'warning',
    trigger: 'Payments to everything it advertises were read, and nobody paid in 30 days.',
    message: 'Nobody has paid it in 30 days.',
    fix: 'None needed; the first sale settles it.',
    detect: detectNoSettlements,
  },
  {
    slug: 'single-payer',
    severity: 'warning',
    trigger: `Payments to everything it advertises were read, and there was one payer in 30 days, or one that brought ${percent(DOMINANT_SHARE)} of the volume or more.`,
    message: 'Nearly all of its sales are to one payer, who may be the seller.',
    fix: 'None needed; further payers settle it.',
    detect: detectSinglePayer,
  },
  {
    slug: 'legacy-version',
    severity: 'warning',
    trigger: 'It advertises version 1 of the protocol.',
    message: 'It speaks version 1 of the protocol, which newer clients may drop.',
    fix: 'Send a version 2 challenge in the PAYMENT-REQUIRED header.',
    detect: ({ inputs: { advertised } }) =>
      advertised?.protocolVersion === 1 ? { evidence: { protocolVersion: 1 } } : null,
  },
  {
    slug: 'missing-resource-info',
    severity: 'warning',
    trigger: 'The latest challenge does not say which resource it is for.',
    message: 'Its challenge does not say what is bought.',
    fix: 'Send a resource object with url, description and mimeType.',
    detect: ({ inputs: { lastChallenge } }) =>
      lastChallenge?.resourceInfoMissing === true ? { evidence: {} } : null,
  },
  {
    slug: 'delisted',
    severity: 'warning',
    trigger: 'It is no longer in the directory it was found in.',
    message: 'The directory no longer lists it.',
    fix: 'Have it listed again: one settled payment does in most directories.',
    detect: ({ inputs: { listed } }) => (listed ? null : { evidence: {} }),
  },
  {
    slug: 'template-unresolved',
    severity: 'warning',
    trigger: 'The resource is a template, and no value to fill it in with is known.',
    message: 'The address has a placeholder that could not be filled in, so it was never probed.',
    fix: 'Give examples of the path parameters in the discovery extension.',
    detect: ({ inputs: { templated, probes } }) =>
      templated && probes.scored <= 0 ? { evidence: { probes: probes.total } } : null,
  },
  {
    slug: 'blocked',
    severity: 'warning',
    trigger: `${percent(HABIT_SHARE)} of the probes of 30 days or more were turned away (403, 429, a bot page).`,
    message: 'It turns away automated clients.',
    fix: 'Let unpaid requests through to the payment challenge.',
    detect: habit('blocked'),
  },
  {
    slug: 'redirects',
    severity: 'warning',
    trigger: `${percent(HABIT_SHARE)} of the probes of 30 days or more were redirected.`,
    message: 'It redirects, and clients may lose method, body or payment on the way.',
    fix: 'List the address that answers itself.',
    detect: habit('redirected'),
  },
  {
    slug: 'no-description',
    severity: 'warning',
    trigger: 'Neither the directory nor the challenge describes it.',
    message: 'Nothing says what it does.',
    fix: 'Describe the resource in the challenge.',
    detect: ({ inputs: { description } }) => ((description ?? '').trim() === '' ? { evidence: {} } : null),
  },
];

/** Flags a payer should know of. */
export const WARNING_FLAGS: readonly FlagRule[] = [...MONEY_FLAGS, ...SERVICE_FLAGS];
