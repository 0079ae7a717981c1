/** Numbers of passed and failed tests, and the tests that the result names. */
export interface Counts {
  /** Includes the flaky tests. */
  readonly passed: number;
  readonly failed: number;
  /** Failed tests. There can be fewer than `failed`, because a stage can also fail outside of its tests. */
  readonly failures: readonly FailedTest[];
  /** Tests that failed and then passed on a retry, with the error of their first attempt. */
  readonly flaky: readonly FailedTest[];
  /** Names of intentionally skipped tests. They count neither as passed nor as failed. The result lists them. */
  readonly skipped: readonly string[];
}

export interface FailedTest {
  readonly name: string;
  /** First lines of the error message, and its location. */
  readonly error: readonly string[];
}
