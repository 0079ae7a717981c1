import { relative } from 'node:path';
import type { Reporter, TestCase, TestModule } from 'vitest/node';
import { describeFailure, writeCounts, type FailedTest } from './counts.ts';

/**
 * Vitest reporter that writes the counts of a run for `npm test`. A file that could not be loaded, a failed hook and an
 * error outside of tests count as one failure each.
 */
export default class VitestCounts implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly { readonly message: string }[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const withState = (state: string) => tests.filter((test) => test.result().state === state);
    const failures = [
      ...withState('failed').map(describeTest),
      ...modules.flatMap(describeHooks),
      ...(unhandled.length > 0 ? [describeFailure('outside of tests', unhandled)] : []),
    ];
    writeCounts('vitest', {
      passed: withState('passed').length,
      failed: failures.length,
      failures,
      flaky: tests.filter((test) => test.diagnostic()?.flaky === true).map(describeTest),
      skipped: withState('skipped').map(({ fullName }) => fullName),
    });
  }
}

const getPath = (module: TestModule): string => relative(process.cwd(), module.moduleId);

const describeTest = (test: TestCase): FailedTest =>
  describeFailure(`${getPath(test.module)} ${test.fullName}`, test.result().errors ?? []);

/** Describes the errors of a file and of its suites that belong to no test. */
function describeHooks(module: TestModule): readonly FailedTest[] {
  const suites = [...module.children.allSuites()];
  const errors = [module, ...suites].flatMap((part) => [...part.errors()]);
  return errors.length > 0 ? [describeFailure(getPath(module), errors)] : [];
}
