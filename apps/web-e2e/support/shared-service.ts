import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { test as base } from '@playwright/test';

/**
 * Maximum duration of the time-lapse, in milliseconds. In the time-lapse, the sandbox simulates 14 days, which takes 90
 * to 180 s on two idle cores, and up to seven times as long beside the other tests and other work.
 */
export const TIME_LAPSE_TIMEOUT_MS = 20 * 60_000;

/**
 * Environment variable with the path of the file in which global setup records the outcome of the time-lapse. It is
 * unset if the tests use a service that was already running.
 */
export const OUTCOME_FILE_VARIABLE = 'TOUCHSTONE_OUTCOME_FILE';

interface Outcome {
  /** Error of the time-lapse; null if the service is ready. */
  readonly error: string | null;
}

/** Records for the test workers that the time-lapse ended, or why it failed. */
export function recordOutcome(file: string, outcome: Outcome): void {
  writeFileSync(file, JSON.stringify(outcome));
}

async function waitForTimeLapse(): Promise<void> {
  const file = process.env[OUTCOME_FILE_VARIABLE];
  if (file === undefined) return;
  while (!existsSync(file)) await sleep(250);
  // `recordOutcome` wrote this file in global setup, so the cast is safe.
  const { error } = JSON.parse(readFileSync(file, 'utf8')) as Outcome;
  if (error !== null) throw new Error(error);
}

/**
 * Test that uses the shared service, which global setup or an operator started. If global setup started it, each test
 * worker first waits for the end of the time-lapse. Specs that start their own service do not wait, so they run during
 * the time-lapse.
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
