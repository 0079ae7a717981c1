import { countPlaywright } from './count-playwright.ts';
import { countVitest } from './count-vitest.ts';
import type { Counts } from './counts.ts';

/** A part of the test run: one script of the root package.json. */
export interface Stage {
  readonly name: string;
  /** The script and what it gets after its own arguments; `report` is where a test runner is to write its report. */
  readonly command: (report: string) => readonly string[];
  /** Reads the report. A stage without it is a check, which counts as one test. */
  readonly count?: (report: string) => Counts;
  /** The stage whose failure leaves this one nothing to work with. */
  readonly needs?: string;
  readonly timeoutSeconds: number;
}

const format: Stage = { name: 'format', command: () => ['format:check'], timeoutSeconds: 120 };
const lint: Stage = { name: 'lint', command: () => ['lint'], timeoutSeconds: 300 };
const types: Stage = { name: 'types', command: () => ['typecheck'], timeoutSeconds: 300 };
const databaseTypes: Stage = {
  name: 'database-types',
  command: () => ['db:types', '--check'],
  timeoutSeconds: 180,
};
const knip: Stage = { name: 'knip', command: () => ['knip'], timeoutSeconds: 180 };
const unit: Stage = {
  name: 'unit',
  command: (report) => ['unit', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
  count: countVitest,
  timeoutSeconds: 1200,
};
const build: Stage = { name: 'build', command: () => ['build'], timeoutSeconds: 900 };
const browser: Stage = {
  name: 'browser',
  command: () => ['browser'],
  count: countPlaywright,
  needs: 'build',
  timeoutSeconds: 1200,
};

/**
 * The order of the run: waves one after the other, in a wave the lanes side by side, in a lane the stages in turn.
 * Lint takes as long as the other checks together, so two lanes fill two cores; unit and browser tests fill them
 * alone and are the ones that measure time.
 */
export const waves: readonly (readonly (readonly Stage[])[])[] = [
  [[lint], [format, types, databaseTypes, knip]],
  [[unit]],
  [[build]],
  [[browser]],
];

export const stages: readonly Stage[] = waves.flat(2);
