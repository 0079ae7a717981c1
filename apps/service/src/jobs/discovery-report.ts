import type { DirectoryReport } from '@touchstone/pipeline';

/**
 * Formats the result of a directory reading as lines: the counts, then the reasons of rejections, the most frequent first.
 *
 * @param name prefix for the first line when there are several directories
 */
export function formatDiscoveryReport(report: DirectoryReport, name?: string): readonly string[] {
  const reasons = new Map<string, number>();
  for (const { reason } of report.rejects) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  const state = report.paused ? 'paused' : 'incomplete';
  const head =
    (name === undefined ? '' : `${name}: `) +
    `${formatCount(report.items, 'item')} read: ${formatCount(report.accepted, 'endpoint')}, ` +
    `${formatCount(report.duplicates, 'duplicate')}, ${report.rejected} rejected` +
    (report.complete ? '' : ` (${state}: ${report.note ?? 'no reason given'})`);
  const lines = [...reasons]
    .sort(([, a], [, b]) => b - a)
    .map(([reason, times]) => `  ${String(times).padStart(4)} × ${reason}`);
  return [head, ...lines];
}

function formatCount(n: number, noun: string): string {
  return `${n.toLocaleString('en-US')} ${noun}${n === 1 ? '' : 's'}`;
}
