/** Numbers of probes in the last 30 days, in a report, a summary or a snapshot. */
export interface ProbeCounts {
  readonly probes30d: number;
  readonly scoredProbes30d: number;
  readonly blocked30d: number;
  /** Time in ISO 8601 since which every probe has been blocked; null if the latest probe was not blocked. */
  readonly blockedSince: string | null;
}

/** Formats numbers of probes, such as `94 scored of 672 probes, 578 blocked since 2026-11-14`. */
export function formatProbeCounts(
  { probes30d, scoredProbes30d, blocked30d, blockedSince }: ProbeCounts,
  formatNumber: (count: number) => string = String,
): string {
  const total = `${formatNumber(scoredProbes30d)} scored of ${formatNumber(probes30d)} ${probes30d === 1 ? 'probe' : 'probes'}`;
  const since = blockedSince === null ? '' : ` since ${blockedSince.slice(0, 10)}`;
  return blocked30d === 0 ? total : `${total}, ${formatNumber(blocked30d)} blocked${since}`;
}
