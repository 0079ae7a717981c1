import { readdirSync, readFileSync } from 'node:fs';

/** Returns the ids of all processes that have this data folder in their environment variables. Works only on Linux. */
export function findProcesses(folder: string): number[] {
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
