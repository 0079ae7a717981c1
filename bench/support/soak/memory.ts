import { listServiceProcesses, readMegabytes } from '../attacks/process-tree.ts';
import { formatNumber, printTable } from '../figures.ts';

/** Memory of each part of the service at one time, in megabytes. */
export type MemorySample = ReadonlyMap<string, number>;

/** Minimum number of samples for which growth is judged. */
const MIN_SAMPLES = 9;
/** Accepted growth of a part from the second third of the samples to the last: a factor, and megabytes. */
const ACCEPTED_GROWTH = { factor: 1.25, megabytes: 40 } as const;

/** Reads the memory of each part. Parts with several processes, such as the chains, are added up. */
export function sampleMemory(servicePid: number): MemorySample {
  const sample = new Map<string, number>();
  for (const { pid, part } of listServiceProcesses(servicePid)) {
    const megabytes = readMegabytes(pid);
    if (!Number.isNaN(megabytes)) sample.set(part, (sample.get(part) ?? 0) + megabytes);
  }
  return sample;
}

const listParts = (samples: readonly MemorySample[]): readonly string[] =>
  [...new Set(samples.flatMap((sample) => [...sample.keys()]))].sort();

export function printMemory(samples: readonly MemorySample[]): void {
  const parts = listParts(samples);
  console.log('\nMemory by minute, in MB:');
  printTable([
    ['minute', ...parts],
    ...samples.map((sample, minute) => [
      String(minute),
      ...parts.map((part) => (sample.has(part) ? formatNumber(sample.get(part) ?? 0) : '-')),
    ]),
  ]);
}

/** Returns the parts whose maximum in the last third of the samples exceeds that of the second third too much. */
export function findGrowth(samples: readonly MemorySample[]): readonly string[] {
  if (samples.length < MIN_SAMPLES) return [];
  const third = Math.floor(samples.length / 3);
  const getMaximum = (part: string, from: number, to: number): number =>
    Math.max(0, ...samples.slice(from, to).map((sample) => sample.get(part) ?? 0));
  return listParts(samples).flatMap((part) => {
    const before = getMaximum(part, third, 2 * third);
    const after = getMaximum(part, 2 * third, samples.length);
    const accepted = before * ACCEPTED_GROWTH.factor + ACCEPTED_GROWTH.megabytes;
    return after <= accepted
      ? []
      : [`the memory of ${part} grew from ${formatNumber(before)} to ${formatNumber(after)} MB`];
  });
}
