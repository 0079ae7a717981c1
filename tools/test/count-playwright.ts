import type { Counts } from './counts.ts';

interface Suite {
  readonly title: string;
  readonly suites?: readonly Suite[];
  readonly specs: readonly {
    readonly title: string;
    readonly tests: readonly { readonly status: string }[];
  }[];
}

/** The part of the report that is read here; `JSONReport` of Playwright's reporter types describes the rest. */
interface PlaywrightReport {
  readonly suites: readonly Suite[];
  /** Failures outside of any test: a global setup that failed, a file that does not load. */
  readonly errors: readonly unknown[];
}

interface ExecutedTest {
  readonly name: string;
  readonly status: string;
}

/**
 * Counts the tests in a report of Playwright's JSON reporter, once for each project they ran in. A flaky test, which
 * passed when it was repeated, has passed; an error outside of all tests is a failure.
 *
 * @throws When the text is not such a report.
 */
export function countPlaywright(report: string): Counts {
  // Written by the test runner of this repository; were it anything else, the next lines would throw.
  const { suites, errors } = JSON.parse(report) as PlaywrightReport;
  const tests = suites.flatMap((suite) => testsOf(suite));
  const withStatus = (...statuses: string[]): ExecutedTest[] =>
    tests.filter(({ status }) => statuses.includes(status));
  return {
    passed: withStatus('expected', 'flaky').length,
    failed: withStatus('unexpected').length + errors.length,
    skipped: withStatus('skipped').map(({ name }) => name),
  };
}

function testsOf(suite: Suite, above = ''): ExecutedTest[] {
  const path = `${above}${suite.title} `;
  const own = suite.specs.flatMap(({ title, tests }) =>
    tests.map(({ status }) => ({ name: path + title, status })),
  );
  return [...own, ...(suite.suites ?? []).flatMap((inner) => testsOf(inner, path))];
}
