import type { Counts, FailedTest } from './counts.ts';
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
 * @param rerun report of a second run of some files, which replaces their results in the first report. A failure of the
 *   first run that is not in the second one counts as flaky.
 * @throws When a text is not a Vitest report.
 */
export function countVitest(report: string, rerun?: string): Counts {
  const first = readFiles(report);
  const second = new Map(rerun === undefined ? [] : readFiles(rerun).map((file) => [file.name, file]));
  const files = first.map((file) => second.get(file.name) ?? file);
  const tests = files.flatMap(({ assertionResults }) => assertionResults);
  const failures = files.flatMap(listFailures);
  const names = new Set(failures.map(({ name }) => name));
  return {
    passed: tests.filter(({ status }) => status === 'passed').length,
    failed: failures.length,
    failures,
    flaky: first.flatMap(listFailures).filter(({ name }) => !names.has(name)),
    skipped: tests
      .filter(({ status }) => status !== 'passed' && status !== 'failed')
      .map(({ fullName }) => fullName),
  };
}

/** Returns the absolute paths of the files with failures in a report of Vitest's JSON reporter. */
export function listFailedFiles(report: string): readonly string[] {
  return readFiles(report)
    .filter(({ status }) => status === 'failed')
    .map(({ name }) => name);
}

function readFiles(report: string): readonly TestFile[] {
  // Vitest wrote the report. With any other content, `map` throws.
  return (JSON.parse(report) as VitestReport).testResults.map((file) => file);
}

/** Returns the failed tests of a file, or the file itself if it failed outside of its tests. */
function listFailures({ name, status, message = '', assertionResults }: TestFile): readonly FailedTest[] {
  const path = formatPath(name);
  const failed = assertionResults.filter((test) => test.status === 'failed');
  if (status === 'failed' && failed.length === 0) return [{ name: path, error: summarizeError(message) }];
  return failed.map(({ fullName, failureMessages = [] }) => ({
    name: `${path} ${fullName}`,
    error: summarizeError(failureMessages.join('\n')),
  }));
}

/** Shortens the absolute path of a test file to the part that begins with its workspace group. */
function formatPath(path: string): string {
  return /(?:apps|libs|tools)[\\/].*$/.exec(path)?.[0] ?? path;
}
