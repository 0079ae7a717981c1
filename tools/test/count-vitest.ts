import type { Counts } from './counts.ts';

/** The fields of the report that are used here. The Vitest guide on reporters describes the others. */
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
 * @throws When the text is no such report.
 */
export function countVitest(report: string): Counts {
  // Vitest wrote the report. For any other content the next line throws.
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
