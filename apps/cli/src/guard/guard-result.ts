import type { Action, Decision } from '@touchstone/guard';
import type { PaymentOption } from '@touchstone/x402';
import type { LintResult } from '../lint/lint-result.ts';

/** Decision on one payment option of an endpoint. */
export interface OptionDecision {
  readonly option: PaymentOption;
  readonly decision: Decision;
}

/** Decisions on the payment options of an endpoint. */
export interface GuardResult {
  /** Response of the endpoint. */
  readonly response: LintResult;
  /** Decisions on the checked options; at least one. */
  readonly options: readonly OptionDecision[];
  /** Reason why no x402 client would make a payment that settles, in one sentence; null without such a reason. */
  readonly obstacle: string | null;
  /** Strictest decision; null if Touchstone could not be reached and the policy requires its statement. */
  readonly action: Action | null;
}

/** Combines the decisions on the payment options. The strictest one counts, because a client may choose any option. */
export function toGuardResult(response: LintResult, options: readonly OptionDecision[]): GuardResult {
  const obstacle = findObstacle(response);
  const decisions = options.map(({ decision }) => decision);
  return { response, options, obstacle, action: obstacle === null ? combine(decisions) : 'abort' };
}

function combine(decisions: readonly Decision[]): Action | null {
  const refused = decisions.filter(({ action }) => action === 'abort');
  if (refused.length > 0) return refused.every(isUndecided) ? null : 'abort';
  return decisions.some(({ action }) => action === 'warn') ? 'warn' : 'pay';
}

/** Returns true if a payment is refused only because Touchstone could not be reached. */
function isUndecided({ reasons }: Decision): boolean {
  return reasons.filter(({ action }) => action === 'abort').every(({ code }) => code === 'unreachable');
}

function findObstacle({ challenge: { settles, refusals, settlementFailures } }: LintResult): string | null {
  if (settles.v1 || settles.v2) return null;
  return (
    settlementFailures.v2 ?? settlementFailures.v1 ?? refusals.v2 ?? refusals.v1 ?? 'The payment would fail.'
  );
}

/**
 * Returns the exit code: 0 to pay, 1 to not pay, 2 without a decision.
 *
 * @param isStrict true to not pay with a warning either
 */
export function toExitCode({ action }: GuardResult, isStrict: boolean): 0 | 1 | 2 {
  if (action === null) return 2;
  return action === 'abort' || (action === 'warn' && isStrict) ? 1 : 0;
}
