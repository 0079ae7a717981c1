import { formatConstantPercent, formatCount, formatPercent, toPercent } from '@touchstone/common';
import { describeFailure, findScoredFailure } from '../cause-texts.ts';
import { computeUptimeShare, isDownForOneDay } from '../endpoint-state.ts';
import type { ScoreInputs } from '../types.ts';
import type { FlagDefinition, FlagDetection, FlagInputs } from './flag-rule.ts';

const LOW_UPTIME = 0.95;
/** Minimum number of scored probes for the warning `uptime-low`. */
const MIN_SCORED_PROBES = 20;
/**
 * Maximum difference between the 30-day uptime and a recent uptime, in percentage points. A larger difference counts as
 * a fall of the uptime.
 */
const MAX_FALL_POINTS = 10;
/** Minimum number of scored probes in a recent period for the warning `uptime-falling`. */
const MIN_RECENT_PROBES = 8;
const FIX_UPTIME = 'Find the cause of the failed probes, which the history of the endpoint lists.';

/** Number of scored probes in a period, and number of these probes that succeeded. */
type Period = ScoreInputs['last7d'];

/**
 * Returns the latest scored failure as the end of a sentence. An outage is left out, because the flag `not-payable-now`
 * names the cause of an outage.
 */
function formatLatestFailure(inputs: ScoreInputs): string {
  const failure = inputs.downSince === null ? findScoredFailure(inputs) : null;
  return failure === null ? '.' : `; ${describeFailure(failure)}.`;
}

function detectUptimeLow({ inputs }: FlagInputs): FlagDetection | null {
  const share = computeUptimeShare(inputs.probes);
  const { scored, up } = inputs.probes;
  if (share === null || share >= LOW_UPTIME || scored < MIN_SCORED_PROBES) return null;
  const { downSince, lastFailure } = inputs;
  return {
    evidence: {
      uptimePercent: toUptimePercent(inputs.probes),
      probes: scored,
      up,
      downSince,
      error: lastFailure?.error ?? null,
    },
    reason: `${formatCount(up)} of ${formatCount(scored, 'scored probe')} in the last 30 days succeeded (${formatPercent(share)})${formatLatestFailure(inputs)}`,
  };
}

function toUptimePercent(period: Period): number | null {
  const share = computeUptimeShare(period);
  return share === null ? null : toPercent(share);
}

/** Compares with whole numbers, because a difference of two shares may be inexact near the limit. */
function hasFallen(recent: Period, month: Period): boolean {
  const fall = month.up * recent.scored - recent.up * month.scored;
  return recent.scored >= MIN_RECENT_PROBES && fall * 100 > MAX_FALL_POINTS * month.scored * recent.scored;
}

function detectUptimeFalling(facts: FlagInputs): FlagDetection | null {
  const { inputs } = facts;
  const { probes, last24h, last7d, downSince, lastFailure } = inputs;
  const periods = [
    { name: '24 hours', period: last24h },
    { name: '7 days', period: last7d },
  ];
  const fallen = periods.find(({ period }) => hasFallen(period, probes));
  if (fallen === undefined) return null;
  const { name, period } = fallen;
  // The reason of `uptime-low` already names the latest failure.
  const end = detectUptimeLow(facts) === null ? formatLatestFailure(inputs) : '.';
  return {
    // A shorter outage may not be the cause of the fall.
    since: isDownForOneDay(inputs) ? downSince : null,
    evidence: {
      uptimePercent24h: toUptimePercent(last24h),
      uptimePercent7d: toUptimePercent(last7d),
      uptimePercent30d: toUptimePercent(probes),
      downSince,
      error: lastFailure?.error ?? null,
    },
    reason: `Only ${formatCount(period.up)} of ${formatCount(period.scored, 'scored probe')} in the last ${name} succeeded (${formatPercent(computeUptimeShare(period) ?? 0)}), compared with ${formatPercent(computeUptimeShare(probes) ?? 0)} in 30 days${end}`,
  };
}

/** Warnings about uptime, which exclude the recommendation `proceed`. */
export const UPTIME_FLAGS: readonly FlagDefinition[] = [
  {
    slug: 'uptime-low',
    explains: ['uptime'],
    preventsProceed: true,
    trigger: `At least ${String(MIN_SCORED_PROBES)} probes were scored in the last 30 days, and fewer than ${formatConstantPercent(LOW_UPTIME)} of them succeeded.`,
    message: `Fewer than ${formatConstantPercent(LOW_UPTIME)} of the scored probes in the last 30 days succeeded.`,
    fix: FIX_UPTIME,
    detect: detectUptimeLow,
  },
  {
    slug: 'uptime-falling',
    explains: ['uptime'],
    preventsProceed: true,
    trigger: `The uptime of the last 24 hours or of the last 7 days is more than ${String(MAX_FALL_POINTS)} percentage points below that of the last 30 days. The period has at least ${String(MIN_RECENT_PROBES)} scored probes.`,
    message: 'The recent uptime is far below that of the last 30 days.',
    fix: FIX_UPTIME,
    detect: detectUptimeFalling,
  },
];
