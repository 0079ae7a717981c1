import { findPostgres } from '../../libs/embedded/src/testing/postgres.ts';
import { listSlowTests } from './slow-tests.ts';

/** Stage of a test run. It runs one script of the root package.json. */
export interface Stage {
  readonly name: string;
  /** Script of package.json; the default is the name of the stage. */
  readonly script?: string;
  readonly args?: readonly string[];
  /** Text that is printed when the stage starts. */
  readonly note?: string;
  /** True for a stage whose test runners write counts. Any other stage counts as one test. */
  readonly hasTests?: boolean;
  /** Names of stages that must pass before this stage runs. */
  readonly needs?: readonly string[];
  /** Maximum duration in seconds, also on a machine that is several times slower. */
  readonly timeoutSeconds: number;
}

/**
 * Lists the two sequences of a test run, which run in parallel, because tests spend half of their time on waiting.
 * `types` precedes `lint` and `build`, because all three use the route types in `apps/web/.next`. `history` prepares
 * the data of 14 simulated days for the service that `e2e` starts.
 */
export function listSequences(): readonly (readonly Stage[])[] {
  const slowTests = listSlowTests();
  const database = findPostgres() === null ? 'the embedded database' : 'PostgreSQL';
  const slow: Stage = {
    name: 'slow',
    args: slowTests,
    note: `(${slowTests.length} files)`,
    hasTests: true,
    needs: ['build'],
    timeoutSeconds: 2400,
  };
  return [
    [
      { name: 'types', script: 'typecheck', timeoutSeconds: 600 },
      { name: 'lint', timeoutSeconds: 600 },
      { name: 'build', timeoutSeconds: 900 },
      { name: 'e2e', hasTests: true, needs: ['build', 'history'], timeoutSeconds: 1800 },
      ...(slowTests.length > 0 ? [slow] : []),
    ],
    [
      { name: 'history', timeoutSeconds: 900 },
      { name: 'unit', note: `on ${database}`, hasTests: true, timeoutSeconds: 1800 },
      { name: 'format', script: 'format:check', timeoutSeconds: 300 },
      { name: 'database-types', script: 'db:types', args: ['--check'], timeoutSeconds: 300 },
      { name: 'knip', timeoutSeconds: 300 },
    ],
  ];
}

/**
 * Selects the stages that the arguments name, such as `unit` or `lint unit`, and the stages that these need. Without
 * arguments, all stages are selected.
 *
 * @throws Error that names an unknown stage.
 */
export function selectStages(
  sequences: readonly (readonly Stage[])[],
  names: readonly string[],
): readonly (readonly Stage[])[] {
  if (names.length === 0) return sequences;
  const stages = sequences.flat();
  const known = stages.map(({ name }) => name);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new Error(`Unknown stage: ${unknown.join(', ')}. The stages are: ${known.join(', ')}.`);
  const needed = new Set(
    stages.filter(({ name }) => names.includes(name)).flatMap(({ needs = [] }) => needs),
  );
  return sequences.map((sequence) => sequence.filter(({ name }) => names.includes(name) || needed.has(name)));
}
