import type { Counts } from './counts.ts';

/** The part of the report that is read here; the Vitest guide on reporters describes the rest. */
interface VitestReport {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

/**
 * Counts the tests in a report of Vitest's JSON reporter, one by one. A file that could not be loaded has no tests to
 * count and is one failure.
 *
 * @throws When the text is not such a report.
 */
export function countVitest(report: string): Counts {
  // Written by the test runner of this repository; were it anything else, the next line would throw.
  const { testResults } = JSON.parse(report) as VitestReport;
  const tests = testResults.flatMap((file) => file.assertionResults);
  const failedTests = tests.filter(({ status }) => status === 'failed').length;
  const brokenFiles = testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  ).length;
  return {
    passed: tests.filter(({ status }) => status === 'passed').length,
    failed: failedTests + brokenFiles,
    skipped: tests
      .filter(({ status }) => status !== 'passed' && status !== 'failed')
      .map(({ fullName }) => fullName),
  };
}
