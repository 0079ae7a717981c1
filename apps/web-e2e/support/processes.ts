import { readdirSync, readFileSync } from 'node:fs';

/** Processes whose environment names the data folder, by their ids; Linux alone tells. */
export function processesOf(folder: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`DATA_DIR=${folder}`);
      } catch {
        return false;
      }
    })
    .map(Number);
}
