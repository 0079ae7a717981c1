import type { Redirect } from '@touchstone/common';
import type { Challenge, Check } from '@touchstone/x402';

/** Result of linting one response or one failed request. */
export interface LintResult {
  readonly url: string;
  /** Method of the request, in capitals; null when a saved response does not name it. */
  readonly method: string | null;
  /** Redirects that were followed to the response, in order. */
  readonly redirects: readonly Redirect[];
  /** Status of the response; null without a response. */
  readonly status: number | null;
  /** Reason why there is no response; null with a response. */
  readonly failureReason: string | null;
  /** Value of the Retry-After header; null if the response has no such header. */
  readonly retryAfter: string | null;
  /** Notes for the user: further facts about the requests, and advice. Each note is one sentence. */
  readonly notes: readonly string[];
  readonly challenge: Challenge;
}

/**
 * Values of `--fail-on`, most serious fault first. The chosen fault and all more serious faults lead to exit code 1.
 */
export const FAIL_ON = ['unpayable', 'error', 'warning'] as const;
export type FailOn = (typeof FAIL_ON)[number];

/**
 * Returns the exit code for a result: 2 when the verdict is undetermined, 1 when the response has a fault that is at
 * least as serious as `failOn`, otherwise 0.
 */
export function toExitCode({ challenge: { verdict, checks } }: LintResult, failOn: FailOn): 0 | 1 | 2 {
  if (verdict === 'undetermined') return 2;
  if (verdict === 'unpayable') return 1;
  const { error, warning } = groupChecks(checks);
  const faults = { unpayable: 0, error: error.length, warning: error.length + warning.length };
  return faults[failOn] > 0 ? 1 : 0;
}

export function groupChecks(checks: readonly Check[]) {
  const failed = checks.filter(({ result }) => result === 'fail');
  return {
    error: failed.filter(({ severity }) => severity === 'error'),
    warning: failed.filter(({ severity }) => severity === 'warning'),
    info: failed.filter(({ severity }) => severity === 'info'),
    passed: checks.filter(({ result }) => result === 'pass'),
    skipped: checks.filter(({ result }) => result === 'skip'),
  };
}

export type GroupedChecks = ReturnType<typeof groupChecks>;
