import type { Counts } from './counts.ts';
import { summarizeError } from './summarize-error.ts';

/** Fields of the Vitest report that this file uses. The Vitest guide on reporters describes the others. */
interface VitestReport {
  readonly testResults: readonly TestFile[];
}

interface TestFile {
  /** Absolute path. */
  readonly name: string;
  readonly status: string;
  /** Error of a file that could not be loaded. */
  readonly message?: string;
  readonly assertionResults: readonly {
    readonly fullName: string;
    readonly status: string;
    readonly failureMessages?: readonly string[];
  }[];
}

/**
 * Counts the tests in a report of Vitest's JSON reporter. A test file that could not be loaded counts as one failure.
 *
 * @throws When the text is not a Vitest report.
 */
export function countVitest(report: string): Counts {
  // Vitest wrote the report. With any other content, the next statement throws.
  const { testResults } = JSON.parse(report) as VitestReport;
  const tests = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map((test) => ({ ...test, name: `${formatPath(name)} ${test.fullName}` })),
  );
  const failedTests = tests
    .filter(({ status }) => status === 'failed')
    .map(({ name, failureMessages = [] }) => ({ name, error: summarizeError(failureMessages.join('\n')) }));
  const brokenFiles = testResults
    .filter(
      ({ status, assertionResults }) =>
        status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
    )
    .map(({ name, message = '' }) => ({ name: formatPath(name), error: summarizeError(message) }));
  const failures = [...failedTests, ...brokenFiles];
  return {
    passed: tests.filter(({ status }) => status === 'passed').length,
    failed: failures.length,
    failures,
    flaky: [],
    skipped: tests
      .filter(({ status }) => status !== 'passed' && status !== 'failed')
      .map(({ fullName }) => fullName),
  };
}

/** Shortens the absolute path of a test file to the part that begins with its workspace group. */
function formatPath(path: string): string {
  return /(?:apps|libs|tools)[\\/].*$/.exec(path)?.[0] ?? path;
}
