import type { Challenge, Check } from '@touchstone/x402';

/** One answer, or the lack of one, with the judgement on it. */
export interface Judged {
  readonly url: string;
  /** Of the request that was answered, in capitals; null where a saved answer does not say. */
  readonly method: string | null;
  /** Null when no answer came. */
  readonly status: number | null;
  /** Why no answer came; null when one did. */
  readonly silence: string | null;
  /** When the server wants to be asked again, as it says; null where it does not. */
  readonly retryAfter: string | null;
  /** What else there is to know about how it was asked and answered, and what to do, a sentence each. */
  readonly notes: readonly string[];
  readonly challenge: Challenge;
}

/** The exit code that an answer calls for: 0, 1 when it has errors, 2 when it could not be judged. */
export function exitCodeOf({ challenge: { verdict, checks } }: Judged): 0 | 1 | 2 {
  if (verdict === 'undetermined') return 2;
  return verdict === 'unpayable' || sortChecks(checks).error.length > 0 ? 1 : 0;
}

/** Checks by how they went; failed ones by their severity. */
export interface Sorted {
  readonly error: readonly Check[];
  readonly warning: readonly Check[];
  readonly info: readonly Check[];
  readonly passed: readonly Check[];
  readonly skipped: readonly Check[];
}

export function sortChecks(checks: readonly Check[]): Sorted {
  const failed = checks.filter(({ result }) => result === 'fail');
  return {
    error: failed.filter(({ severity }) => severity === 'error'),
    warning: failed.filter(({ severity }) => severity === 'warning'),
    info: failed.filter(({ severity }) => severity === 'info'),
    passed: checks.filter(({ result }) => result === 'pass'),
    skipped: checks.filter(({ result }) => result === 'skip'),
  };
}
