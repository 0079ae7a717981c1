import type { Counts } from './counts.ts';
import type { Stage } from './stages.ts';
import { summarizeError } from './summarize-error.ts';

/** Outcome of the process that ran a stage. */
export interface Execution {
  /** Exit code; null when a signal ended the process. */
  readonly exitCode: number | null;
  readonly timedOut: boolean;
  readonly output: string;
  /** Content of the report that the test runner wrote; null when there is no report. */
  readonly report: string | null;
  /**
   * Content of the report of the second run: null when there is no report, undefined when there was no second run. The
   * exit code is that of the second run.
   */
  readonly rerun?: string | null;
}

/** Test counts of a stage. `problem` describes a failure other than a failed test, such as a timeout. */
export interface StageCounts extends Counts {
  readonly problem: string | null;
}

const NOTHING: Counts = { passed: 0, failed: 0, failures: [], flaky: [], skipped: [] };

/**
 * Counts the tests of a stage after its process has ended. A stage without test runner counts as one test. Otherwise
 * the tests in the report are counted. One failure is added if the report cannot be trusted: it is missing or
 * malformed, no test was executed and the stage needs one, the stage timed out, or the test runner failed although every test passed.
 */
export function evaluate(
  stage: Pick<Stage, 'name' | 'count' | 'mayBeEmpty' | 'timeoutSeconds'>,
  execution: Execution,
): StageCounts {
  const timeout = execution.timedOut ? `stopped after ${stage.timeoutSeconds} seconds` : null;
  if (stage.count === undefined) return { ...evaluateCheck(stage.name, execution), problem: timeout };
  const counts = readCounts(execution, stage.count);
  const problem = timeout ?? findProblem(counts, execution.exitCode, stage.mayBeEmpty === true);
  const { failed, ...others } = counts ?? NOTHING;
  return { ...others, failed: problem === null ? failed : failed + 1, problem };
}

function evaluateCheck(name: string, { exitCode, output }: Execution): Counts {
  if (exitCode === 0) return { ...NOTHING, passed: 1 };
  return { ...NOTHING, failed: 1, failures: [{ name, error: summarizeError(output) }] };
}

function findProblem(counts: Counts | null, exitCode: number | null, mayBeEmpty: boolean): string | null {
  if (counts === null) return 'the report is missing or malformed';
  if (counts.passed + counts.failed === 0 && !mayBeEmpty) return 'no test was executed';
  if (counts.failed === 0 && exitCode !== 0)
    return `no test failed, but the runner ended with ${exitCode ?? 'a signal'}`;
  return null;
}

function readCounts({ report, rerun }: Execution, count: NonNullable<Stage['count']>): Counts | null {
  try {
    return report === null || rerun === null ? null : count(report, rerun);
  } catch {
    return null;
  }
}
