import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { test as base } from '@playwright/test';

/** Maximum time for the 14 virtual days of the sandbox, in milliseconds. They take 90 s on two idle cores. */
export const TIME_LAPSE_TIMEOUT_MS = 10 * 60_000;

/** File in the data folder in which global setup records that the time-lapse ended, or why it failed. */
const readyFile = (dataDir: string): string => join(dataDir, 'e2e-ready.json');

interface Outcome {
  /** Null when the service is ready. */
  readonly error: string | null;
}

/** Records the outcome of the time-lapse for the test workers. */
export function recordOutcome(dataDir: string, outcome: Outcome): void {
  writeFileSync(readyFile(dataDir), JSON.stringify(outcome));
}

async function waitForTimeLapse(): Promise<void> {
  const file = readyFile(process.env['TOUCHSTONE_DATA_DIR'] ?? '');
  while (!existsSync(file)) await sleep(250);
  // Global setup writes this file.
  const { error } = JSON.parse(readFileSync(file, 'utf8')) as Outcome;
  if (error !== null) throw new Error(error);
}

/**
 * A test against the service that global setup started. Its worker first waits for the end of the time-lapse, so that
 * specs with a service of their own run meanwhile.
 */
export const test = base.extend<object, { readonly timeLapse: undefined }>({
  baseURL: ({}, use) => use(process.env['TOUCHSTONE_URL']),
  timeLapse: [
    async ({}, use) => {
      await waitForTimeLapse();
      await use(undefined);
    },
    { scope: 'worker', auto: true, timeout: TIME_LAPSE_TIMEOUT_MS },
  ],
});

export { expect } from '@playwright/test';
