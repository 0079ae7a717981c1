import { formatCount } from '@touchstone/common';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DirectoryReading } from '@touchstone/pipeline';
import type { DataFolder } from '../data-folder/data-folder.ts';
import type { Print } from '../processes/supervisor.ts';

/**
 * Formats the result of reading a discovery directory as lines of text. The counts come first, and then the reasons for
 * rejected items, most frequent reason first.
 *
 * @param name name of the directory, at the beginning of the first line; undefined if there is only one directory
 */
export function formatDirectoryReading(reading: DirectoryReading, name?: string): readonly string[] {
  const reasons = new Map<string, number>();
  for (const { reason } of reading.rejects) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  const state = reading.paused ? 'paused' : 'incomplete';
  const head =
    (name === undefined ? '' : `${name}: `) +
    `${formatCount(reading.items, 'item')} read: ${formatCount(reading.accepted, 'endpoint')}, ` +
    `${formatCount(reading.duplicates, 'duplicate')}, ${reading.rejected} rejected` +
    (reading.complete ? '' : ` (${state}: ${reading.note ?? 'no reason given'})`);
  const lines = [...reasons]
    .sort(([, a], [, b]) => b - a)
    .map(([reason, times]) => `  ${String(times).padStart(4)} × ${reason}`);
  return [head, ...lines];
}

/** Writes `discovery.json`, which lists the rejected items. If the file cannot be written, prints the reason. */
export function writeDiscoveryFile(
  { path }: Pick<DataFolder, 'path'>,
  readings: readonly DirectoryReading[],
  print: Print,
): void {
  const file = join(path, 'discovery.json');
  try {
    writeFileSync(file, `${JSON.stringify(readings, null, 2)}\n`);
  } catch (error) {
    print(
      'directory',
      `${file} cannot be written (${error instanceof Error ? error.message : String(error)})`,
    );
  }
}
