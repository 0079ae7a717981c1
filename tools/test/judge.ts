import type { Counts } from './counts.ts';
import type { Stage } from './stages.ts';

/** How the process of a stage ended. */
export interface Execution {
  /** Null when a signal ended it. */
  readonly exitCode: number | null;
  readonly timedOut: boolean;
  readonly output: string;
  /** What the test runner wrote as its report; null when it wrote none. */
  readonly report: string | null;
}

/** Counts, and what is wrong beyond the tests that failed. */
export interface Verdict extends Counts {
  readonly problem: string | null;
}

/**
 * Decides what an execution counts for. A check is one test. A test runner counts for the tests it executed, and for
 * one failure more where its word cannot be taken: it executed none, left no readable report, was stopped, or ended
 * badly although no test failed.
 */
export function judge(stage: Pick<Stage, 'count' | 'timeoutSeconds'>, execution: Execution): Verdict {
  const failed = execution.exitCode !== 0;
  const stopped = execution.timedOut ? `stopped after ${stage.timeoutSeconds} seconds` : null;
  if (stage.count === undefined) {
    return { passed: failed ? 0 : 1, failed: failed ? 1 : 0, skipped: [], problem: stopped };
  }
  const counts = read(execution.report, stage.count);
  const problem = stopped ?? problemOf(counts, execution.exitCode);
  const { passed, failed: failedTests, skipped } = counts ?? { passed: 0, failed: 0, skipped: [] };
  return { passed, failed: problem === null ? failedTests : failedTests + 1, skipped, problem };
}

function problemOf(counts: Counts | null, exitCode: number | null): string | null {
  if (counts === null) return 'left no report that could be read';
  if (counts.passed + counts.failed === 0) return 'executed no test';
  if (counts.failed === 0 && exitCode !== 0)
    return `no test failed, but it ended with ${exitCode ?? 'a signal'}`;
  return null;
}

function read(report: string | null, count: (report: string) => Counts): Counts | null {
  try {
    return report === null ? null : count(report);
  } catch {
    return null;
  }
}
