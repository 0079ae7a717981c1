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
  readonly challenge: Challenge;
}

/** True when the answer is to end the command with exit code 1. */
export function hasErrors({ challenge }: Judged): boolean {
  return challenge.verdict === 'errors' || challenge.verdict === 'unpayable';
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
