import type { CheckResult } from '@touchstone/check';
import type { Check } from '@touchstone/x402';

/** Result of linting one response or one failed request. */
export type LintResult = CheckResult;

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
