import type { Counts } from './counts.ts';
import type { Stage } from './stages.ts';

/** The outcome of a stage's process. */
export interface Execution {
  /** Null when a signal ended the process. */
  readonly exitCode: number | null;
  readonly timedOut: boolean;
  readonly output: string;
  /** Contents of the test runner's report; null when there is none. */
  readonly report: string | null;
}

/** Test counts of a stage, and a problem that is no failed test. */
export interface StageCounts extends Counts {
  readonly problem: string | null;
}

/**
 * Counts the tests of an execution. A check is one test. A test runner counts its tests, plus one failure when the
 * report cannot be trusted: no test was executed, the report is missing or malformed, the stage timed out, or the
 * runner failed although every test passed.
 */
export function evaluate(stage: Pick<Stage, 'count' | 'timeoutSeconds'>, execution: Execution): StageCounts {
  const hasFailed = execution.exitCode !== 0;
  const timeout = execution.timedOut ? `stopped after ${stage.timeoutSeconds} seconds` : null;
  if (stage.count === undefined) {
    return { passed: hasFailed ? 0 : 1, failed: hasFailed ? 1 : 0, skipped: [], problem: timeout };
  }
  const counts = readCounts(execution.report, stage.count);
  const problem = timeout ?? findProblem(counts, execution.exitCode);
  const { passed, failed, skipped } = counts ?? { passed: 0, failed: 0, skipped: [] };
  return { passed, failed: problem === null ? failed : failed + 1, skipped, problem };
}

function findProblem(counts: Counts | null, exitCode: number | null): string | null {
  if (counts === null) return 'the report is missing or malformed';
  if (counts.passed + counts.failed === 0) return 'no test was executed';
  if (counts.failed === 0 && exitCode !== 0)
    return `no test failed, but the runner ended with ${exitCode ?? 'a signal'}`;
  return null;
}

function readCounts(report: string | null, count: (report: string) => Counts): Counts | null {
  try {
    return report === null ? null : count(report);
  } catch {
    return null;
  }
}
