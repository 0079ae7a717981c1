import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'vitest';

/** Maximum time until killed processes have ended, in milliseconds. Killed processes need CPU time to end. */
const END_TIMEOUT_MS = 60_000;

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

/** Expects all processes that have this data folder in their environment variables to end soon. Works only on Linux. */
export async function expectNoProcesses(folder: string): Promise<void> {
  await expect.poll(() => findProcesses(folder), { timeout: END_TIMEOUT_MS }).toEqual([]);
}
