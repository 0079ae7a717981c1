import type { Counts } from './counts.ts';

interface Suite {
  readonly title: string;
  readonly suites?: readonly Suite[];
  readonly specs: readonly {
    readonly title: string;
    readonly tests: readonly { readonly status: string }[];
  }[];
}

/** The fields of the report that are used here. `JSONReport` of Playwright's reporter types describes the others. */
interface PlaywrightReport {
  readonly suites: readonly Suite[];
  /** Failures outside of any test, such as a failed global setup or a file that could not be loaded. */
  readonly errors: readonly unknown[];
}

interface ExecutedTest {
  readonly name: string;
  readonly status: string;
}

/**
 * Counts the tests in a report of Playwright's JSON reporter, once for each browser project. A flaky test, which passed
 * on a retry, counts as passed. An error outside of any test counts as a failure.
 *
 * @throws When the text is no such report.
 */
export function countPlaywright(report: string): Counts {
  // Playwright wrote the report. For any other content the next lines throw.
  const { suites, errors } = JSON.parse(report) as PlaywrightReport;
  const tests = suites.flatMap((suite) => listTests(suite));
  const withStatus = (...statuses: string[]): ExecutedTest[] =>
    tests.filter(({ status }) => statuses.includes(status));
  return {
    passed: withStatus('expected', 'flaky').length,
    failed: withStatus('unexpected').length + errors.length,
    skipped: withStatus('skipped').map(({ name }) => name),
  };
}

function listTests(suite: Suite, above = ''): ExecutedTest[] {
  const path = `${above}${suite.title} `;
  const own = suite.specs.flatMap(({ title, tests }) =>
    tests.map(({ status }) => ({ name: path + title, status })),
  );
  return [...own, ...(suite.suites ?? []).flatMap((inner) => listTests(inner, path))];
}
