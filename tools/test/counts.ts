/** Numbers of passed and failed tests, and the skipped tests. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  /** Names of intentionally skipped tests. They count neither as passed nor as failed. The result lists them. */
  readonly skipped: readonly string[];
}
