import { HOUR_MS } from '@touchstone/common';
import { roundHalfUp } from '../../numbers/rounding.ts';
import { parseUsd } from '../../numbers/usd.ts';
import {
  computeAgeAtLastProbe,
  computeUptimeShare,
  countChallenges,
  findRecentChanges,
  isDownForOneDay,
  isFree,
  isPayableAtLastProbe,
  RECENT_PAYTO_DAYS,
  wasChallengedWithinOneDay,
  wasUnpayableForOneDay,
  WINDOW_DAYS,
} from './endpoint-state.ts';
import type { ChangeKind } from './report-schema.ts';
import type { Flag, ScoreInputs } from './types.ts';

/** Inputs of a flag rule: the score inputs and the confidence computed from them. */
export interface FlagInputs {
  readonly inputs: ScoreInputs;
  /** 0..1, as published. */
  readonly confidence: number;
}

/** Evidence for a raised flag. */
interface FlagDetection {
  readonly evidence: Flag['evidence'];
  /** Time at which the condition of the flag began, in milliseconds since the epoch; null or absent if unknown. */
  readonly since?: number | null;
}

/** Returns the evidence for a flag, or null if the flag is not raised. */
export type DetectFlag = (facts: FlagInputs) => FlagDetection | null;

/** Minimum ratio of the price to its 30-day median for the flag `price-spike`. */
const SPIKE_FACTOR = 10n;
/**
 * Lower bound of the median in the comparison with the price: $0.001, in units of 10^-18 dollars. With this bound,
 * prices below $0.01 never raise `price-spike`.
 */
const MIN_MEDIAN = 10n ** 15n;

export function detectPayToChange({ inputs }: FlagInputs): FlagDetection | null {
  const [latest, ...earlier] = findRecentChanges(inputs, 'payto_change', RECENT_PAYTO_DAYS);
  if (latest === undefined) return null;
  return {
    since: latest,
    evidence: { changes: earlier.length + 1, payTo: inputs.advertised?.payTo ?? null },
  };
}

export function detectNotPayable({ inputs }: FlagInputs): FlagDetection | null {
  const { lastChallengedAt, lastPayableAt } = inputs;
  // An endpoint that is down sends no challenges and is reported by `down-now`, so this flag requires a recent
  // challenge.
  if (!wasChallengedWithinOneDay(inputs) || !wasUnpayableForOneDay(inputs)) return null;
  return { since: lastPayableAt, evidence: { lastChallengedAt, lastPayableAt } };
}

export function detectDown({ inputs }: FlagInputs): FlagDetection | null {
  if (!isDownForOneDay(inputs)) return null;
  const { downSince } = inputs;
  return {
    since: downSince,
    evidence: { hours: Math.floor((computeAgeAtLastProbe(inputs, downSince) ?? 0) / HOUR_MS) },
  };
}

export function detectPriceSpike({
  inputs: { advertised, medianPriceUsd30d },
}: FlagInputs): FlagDetection | null {
  const price = parseUsd(advertised?.amountUsd);
  const median = parseUsd(medianPriceUsd30d);
  if (price === null || median === null) return null;
  const reference = median > MIN_MEDIAN ? median : MIN_MEDIAN;
  if (price < reference * SPIKE_FACTOR) return null;
  return { evidence: { amountUsd: advertised?.amountUsd ?? null, medianUsd30d: medianPriceUsd30d } };
}

export function detectNoncompliant({ inputs }: FlagInputs): FlagDetection | null {
  const { errors, unpayable } = inputs.envelopes;
  const challenges = countChallenges(inputs);
  return (errors + unpayable) * 2 > challenges ? { evidence: { challenges, errors, unpayable } } : null;
}

/** Minimum number of price or payTo changes in the last 30 days for the warnings `price-varies` and `payto-varies`. */
const MIN_CHANGES = 2;

export function createVariationDetector(kind: ChangeKind): DetectFlag {
  return ({ inputs }) => {
    const times = findRecentChanges(inputs, kind, WINDOW_DAYS);
    return times.length < MIN_CHANGES
      ? null
      : { since: times.at(-1) ?? null, evidence: { changes: times.length } };
  };
}

export function detectNotPayableNow({ inputs }: FlagInputs): FlagDetection | null {
  if (inputs.probes.scored <= 0 || isFree(inputs) || isPayableAtLastProbe(inputs)) return null;
  const { downSince, lastPayableAt, latestCompliance } = inputs;
  return { evidence: { downSince, lastPayableAt, latestCompliance } };
}

const LOW_UPTIME = 0.95;
const SLOW_P50_MS = 2_000;
const SLOW_P95_MS = 5_000;
const DOMINANT_PAYER_SHARE = 0.9;
/** Minimum share of all probes that must be blocked or redirected for the warning `blocked` or `redirects`. */
const MIN_PROBE_SHARE = 0.1;

export function createProbeShareDetector(of: 'blocked' | 'redirected'): DetectFlag {
  return ({ inputs: { probes } }) => {
    const isRaised = probes[of] > 0 && probes[of] >= probes.total * MIN_PROBE_SHARE;
    return isRaised ? { evidence: { probes: probes.total, [of]: probes[of] } } : null;
  };
}

export function detectUptimeLow({ inputs }: FlagInputs): FlagDetection | null {
  const share = computeUptimeShare(inputs);
  if (share === null || share >= LOW_UPTIME) return null;
  return { evidence: { uptimePercent: roundHalfUp(share * 100, 1), probes: inputs.probes.scored } };
}

export function detectSlow({ inputs: { latency } }: FlagInputs): FlagDetection | null {
  if (latency === null || latency.n <= 0) return null;
  const isSlow = latency.p50 >= SLOW_P50_MS || latency.p95 >= SLOW_P95_MS;
  return isSlow ? { evidence: { latencyMsP50: latency.p50, latencyMsP95: latency.p95 } } : null;
}

/**
 * Returns the settlements, or null if they were read only partly. Flags about payers need complete settlements, because
 * further payers may be in the unread part.
 */
function findCompleteSettlement({ inputs: { settlement } }: FlagInputs): ScoreInputs['settlement'] {
  return settlement?.partial === true ? null : settlement;
}

export function detectNoSettlements(facts: FlagInputs): FlagDetection | null {
  const settlement = findCompleteSettlement(facts);
  return settlement !== null && settlement.payers30d <= 0
    ? { evidence: { volumeUsd30d: settlement.volumeUsd30d } }
    : null;
}

export function detectSinglePayer(facts: FlagInputs): FlagDetection | null {
  const settlement = findCompleteSettlement(facts);
  if (settlement === null || settlement.payers30d <= 0) return null;
  const { payers30d, topPayerShare } = settlement;
  return payers30d === 1 || topPayerShare >= DOMINANT_PAYER_SHARE
    ? { evidence: { payers30d, topPayerShare } }
    : null;
}
