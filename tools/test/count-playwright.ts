import type { Counts, FailedTest } from './counts.ts';
import { summarizeError } from './summarize-error.ts';

interface Suite {
  readonly title: string;
  readonly suites?: readonly Suite[];
  readonly specs: readonly {
    readonly title: string;
    readonly tests: readonly Omit<ExecutedTest, 'name'>[];
  }[];
}

/**
 * Fields of the Playwright report that this file uses. The type `JSONReport` of Playwright's reporter describes the
 * others.
 */
interface PlaywrightReport {
  readonly suites: readonly Suite[];
  /** Errors outside of tests, such as a failed global setup or a file that could not be loaded. */
  readonly errors: readonly ReportedError[];
}

interface ReportedError {
  readonly message?: string;
}

interface ExecutedTest {
  readonly name: string;
  /** Name of the Playwright project. It is empty if the configuration has no projects. */
  readonly projectName: string;
  readonly status: string;
  /** Attempts in order. */
  readonly results: readonly { readonly errors: readonly ReportedError[] }[];
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
  const outside = errors.map((error) => ({ name: 'outside of tests', error: summarize([error]) }));
  const failures = [...withStatus('unexpected').map(describeFailure), ...outside];
  return {
    passed: withStatus('expected', 'flaky').length,
    failed: failures.length,
    failures,
    flaky: withStatus('flaky').map(describeFailure),
    skipped: withStatus('skipped').map(({ name }) => name),
  };
}

function listTests(suite: Suite, above = ''): ExecutedTest[] {
  const path = `${above}${suite.title} `;
  const own = suite.specs.flatMap(({ title, tests }) =>
    tests.map((test) => ({ ...test, name: path + title })),
  );
  return [...own, ...(suite.suites ?? []).flatMap((inner) => listTests(inner, path))];
}

/** Names a failed or flaky test with its project, and summarizes the error of its first attempt. */
function describeFailure({ name, projectName, results }: ExecutedTest): FailedTest {
  return {
    name: projectName === '' ? name : `[${projectName}] ${name}`,
    error: summarize(results[0]?.errors ?? []),
  };
}

const summarize = (errors: readonly ReportedError[]): readonly string[] =>
  summarizeError(errors.map(({ message }) => message ?? 'no message').join('\n'));
