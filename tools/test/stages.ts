import { countPlaywright } from './count-playwright.ts';
import { countVitest, listFailedFiles } from './count-vitest.ts';
import type { Counts } from './counts.ts';

/** Stage of a test run. It runs one script of the root package.json. */
export interface Stage {
  readonly name: string;
  /**
   * Returns the name of the script and its additional arguments. `report` is the path to which a test runner writes its
   * JSON report.
   */
  readonly command: (report: string) => readonly string[];
  /**
   * Counts the tests in the report, and in the report of the second run if there was one. A stage without this function
   * has no test runner and counts as one test.
   */
  readonly count?: (report: string, rerun?: string) => Counts;
  /**
   * Returns the paths of the files with failures in the report. On CI, they are run a second time. A stage without this
   * function has no second run.
   */
  readonly listFailedFiles?: (report: string) => readonly string[];
  /** True for a stage that has no tests on some machines. */
  readonly mayBeEmpty?: boolean;
  /** Name of an earlier stage in the same sequence. If that stage fails, this stage does not run. */
  readonly needs?: string;
  readonly timeoutSeconds: number;
}

const format: Stage = { name: 'format', command: () => ['format:check'], timeoutSeconds: 300 };
const lint: Stage = { name: 'lint', command: () => ['lint'], timeoutSeconds: 600 };
const types: Stage = { name: 'types', command: () => ['typecheck'], timeoutSeconds: 600 };
const databaseTypes: Stage = {
  name: 'database-types',
  command: () => ['db:types', '--check'],
  timeoutSeconds: 300,
};
const knip: Stage = { name: 'knip', command: () => ['knip'], timeoutSeconds: 300 };
const unit: Stage = {
  name: 'unit',
  command: (report) => ['unit', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
  count: countVitest,
  listFailedFiles,
  timeoutSeconds: 4200,
};
/**
 * Runs the tests of the database on PostgreSQL too, and sells a report of the built site on it. Without PostgreSQL on this
 * machine, it has no tests.
 */
const postgres: Stage = {
  name: 'postgres',
  command: (report) => ['postgres', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
  count: countVitest,
  listFailedFiles,
  mayBeEmpty: true,
  needs: 'build',
  timeoutSeconds: 1800,
};
const build: Stage = { name: 'build', command: () => ['build'], timeoutSeconds: 900 };
const browser: Stage = {
  name: 'browser',
  command: () => ['browser'],
  count: countPlaywright,
  needs: 'build',
  timeoutSeconds: 4200,
};

/**
 * The two sequences of a test run, which run in parallel. Two sequences use both cores of a small machine, because
 * browser tests wait half of their time for pages and processes. `types` precedes `lint` and `build`, because all three
 * use the route types in `apps/web/.next`.
 */
export const sequences: readonly (readonly Stage[])[] = [
  [types, lint, build, browser, postgres],
  [format, databaseTypes, knip, unit],
];

export const stages: readonly Stage[] = sequences.flat();
