import type { Counts } from './counts.ts';

interface Suite {
  readonly title: string;
  readonly suites?: readonly Suite[];
  readonly specs: readonly {
    readonly title: string;
    readonly tests: readonly { readonly status: string }[];
  }[];
}

/**
 * Fields of the Playwright report that this file uses. The type `JSONReport` of Playwright's reporter describes the
 * others.
 */
interface PlaywrightReport {
  readonly suites: readonly Suite[];
  /** Errors outside of tests, such as a failed global setup or a file that could not be loaded. */
  readonly errors: readonly unknown[];
}

interface ExecutedTest {
  readonly name: string;
  readonly status: string;
}

/**
 * Counts the tests in a report of Playwright's JSON reporter. A test that runs in several browsers counts once per
 * browser. A flaky test, which passed on a retry, counts as passed. An error outside of tests counts as a failure.
 *
 * @throws When the text is not a Playwright report.
 */
export function countPlaywright(report: string): Counts {
  // Playwright wrote the report. With any other content, the next statements throw.
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
