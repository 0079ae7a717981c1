import type { DirectoryReport } from '@touchstone/pipeline';

/**
 * What became of a directory's items, in words: how many were catalogued, and why the others were not, the most
 * frequent reason first.
 * @param name put before it, where there are several directories
 */
export function discoveryReport(report: DirectoryReport, name?: string): readonly string[] {
  const reasons = new Map<string, number>();
  for (const { reason } of report.rejects) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  const state = report.paused ? 'so far' : 'incomplete';
  const head =
    (name === undefined ? '' : `${name}: `) +
    `${count(report.items, 'item')} read: ${count(report.accepted, 'endpoint')}, ` +
    `${count(report.duplicates, 'duplicate')}, ${report.rejected} rejected` +
    (report.complete ? '' : ` (${state}: ${report.note ?? 'no reason given'})`);
  const lines = [...reasons]
    .sort(([, a], [, b]) => b - a)
    .map(([reason, times]) => `  ${String(times).padStart(4)} × ${reason}`);
  return [head, ...lines];
}

function count(n: number, noun: string): string {
  return `${n.toLocaleString('en-US')} ${noun}${n === 1 ? '' : 's'}`;
}
