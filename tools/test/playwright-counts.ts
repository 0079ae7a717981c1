import type { FullConfig, Reporter, Suite, TestCase, TestError } from '@playwright/test/reporter';
import { describeFailure, writeCounts, type FailedTest } from './counts.ts';

/**
 * Playwright reporter that writes the counts of a run for `npm test`. A test that runs in several browsers counts once for
 * each browser. An error outside of tests, such as a failed global setup, counts as one failure.
 */
export default class PlaywrightCounts implements Reporter {
  private suite: Suite | null = null;
  private readonly errors: TestError[] = [];

  printsToStdio(): boolean {
    return false;
  }

  onBegin(_config: FullConfig, suite: Suite): void {
    this.suite = suite;
  }

  onError(error: TestError): void {
    this.errors.push(error);
  }

  onEnd(): void {
    const tests = this.suite?.allTests() ?? [];
    const withOutcome = (outcome: string) => tests.filter((test) => test.outcome() === outcome);
    const failures = [
      ...withOutcome('unexpected').map(describeTest),
      ...(this.errors.length > 0 ? [describeFailure('outside of tests', this.errors)] : []),
    ];
    const flaky = withOutcome('flaky');
    writeCounts('playwright', {
      passed: withOutcome('expected').length + flaky.length,
      failed: failures.length,
      failures,
      flaky: flaky.map(describeTest),
      skipped: withOutcome('skipped').map(({ title }) => title),
    });
  }
}

/** Names a test with its browser, file and title, and describes the errors of its first attempt. */
const describeTest = (test: TestCase): FailedTest =>
  describeFailure(test.titlePath().filter(Boolean).join(' › '), test.results[0]?.errors ?? []);
