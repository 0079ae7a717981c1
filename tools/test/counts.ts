/** What a test runner really executed. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  /** Names of tests that were not executed on purpose; they are neither passed nor failed, and shown. */
  readonly skipped: readonly string[];
}
