import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** Numbers of passed and failed tests, and the tests that `npm test` prints by name. */
export interface Counts {
  /** Number of passed tests, including the flaky tests. */
  readonly passed: number;
  readonly failed: number;
  readonly failures: readonly FailedTest[];
  /** Tests that failed and then passed on a retry, with the error of their first attempt. */
  readonly flaky: readonly FailedTest[];
  /** Names of intentionally skipped tests. `passed` and `failed` do not include these tests. */
  readonly skipped: readonly string[];
}

export interface FailedTest {
  readonly name: string;
  readonly error: string;
}

const MAX_ERROR_LINES = 12;

/** Adds several counts. */
export const sumCounts = (counts: readonly Counts[]): Counts => ({
  passed: counts.reduce((sum, { passed }) => sum + passed, 0),
  failed: counts.reduce((sum, { failed }) => sum + failed, 0),
  failures: counts.flatMap(({ failures }) => failures),
  flaky: counts.flatMap(({ flaky }) => flaky),
  skipped: counts.flatMap(({ skipped }) => skipped),
});

/** Describes a failed test with the first lines of its errors, without colors. */
export function describeFailure(name: string, errors: readonly { readonly message?: string }[]): FailedTest {
  const lines = errors
    .flatMap(({ message = 'no message' }) => stripVTControlCharacters(message).split('\n'))
    .filter((line) => line.trim() !== '');
  return { name, error: lines.slice(0, MAX_ERROR_LINES).join('\n') };
}

/**
 * Writes the counts of one test runner into the folder that `TEST_COUNTS` names. Does nothing without this variable, which
 * `npm test` sets.
 */
export function writeCounts(runner: string, counts: Counts): void {
  const folder = process.env['TEST_COUNTS'];
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${runner}-${process.pid}.json`), JSON.stringify(counts));
}

/** Reads the counts of each test runner that has written its counts into this folder. */
export const readCounts = (folder: string): readonly Counts[] =>
  // `writeCounts` wrote these files, so the cast is safe.
  readdirSync(folder).map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as Counts);
