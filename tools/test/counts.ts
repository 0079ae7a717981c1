/** Numbers of executed tests. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  /** Names of tests that were skipped on purpose. They count neither as passed nor as failed, and are printed. */
  readonly skipped: readonly string[];
}
