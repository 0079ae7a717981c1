import { formatCount, formatMinute } from '@touchstone/common';

/** Numbers of probes in the last 30 days, in a report, a summary or a snapshot. */
export interface ProbeCounts {
  readonly probes30d: number;
  readonly scoredProbes30d: number;
  readonly blocked30d: number;
  /** Time in ISO 8601 since which no probe was scored; null if the latest failed probe was scored or not blocked. */
  readonly blockedSince: string | null;
}

/** Formats numbers of probes, such as `94 scored of 672 probes, 578 blocked; none scored since 2026-11-14 00:30 UTC`. */
export function formatProbeCounts({
  probes30d,
  scoredProbes30d,
  blocked30d,
  blockedSince,
}: ProbeCounts): string {
  const total = `${formatCount(scoredProbes30d)} scored of ${formatCount(probes30d, 'probe')}`;
  const since = blockedSince === null ? '' : `; none scored since ${formatMinute(blockedSince)}`;
  return blocked30d === 0 ? total : `${total}, ${formatCount(blocked30d)} blocked${since}`;
}
