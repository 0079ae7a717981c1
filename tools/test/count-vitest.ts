import type { Counts } from './counts.ts';

/** Fields of the Vitest report that this file uses. The Vitest guide on reporters describes the others. */
interface VitestReport {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
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
