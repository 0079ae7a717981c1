import type { Action, Decision } from '@touchstone/guard';
import type { PaymentOption } from '@touchstone/x402';
import type { LintResult } from '../lint/lint-result.ts';
import type { ServiceSummary } from './service-summary.ts';

/** Decision on one payment option of an endpoint. */
export interface OptionDecision {
  readonly option: PaymentOption;
  readonly decision: Decision;
}

/** Decisions on the payment options of an endpoint. */
export interface GuardResult {
  /** URL of the endpoint; null if it is invalid. */
  readonly url: string | null;
  /** Response of the endpoint; null if it was not requested. */
  readonly response: LintResult | null;
  /** Decisions on the checked options; none if the endpoint sent no payment terms. */
  readonly options: readonly OptionDecision[];
  /** Reason why no x402 client would make a payment that settles, in one sentence; null without such a reason. */
  readonly obstacle: string | null;
  /** Strictest decision; null without a decision. */
  readonly action: Action | null;
  /** Reason why there is no decision, and what to do; null with a decision. */
  readonly problem: string | null;
  /** Observations of the service on the endpoint; null if they could not be read. */
  readonly statement: ServiceSummary | null;
}

/** Facts from which a result is made. */
export interface GuardFacts extends Pick<GuardResult, 'statement' | 'options'> {
  readonly response: LintResult;
}

/** Combines the decisions on the payment options. The strictest one counts, because a client may choose any option. */
export function toGuardResult({ response, options, statement }: GuardFacts): GuardResult {
  const obstacle = findObstacle(response);
  const decisions = options.map(({ decision }) => decision);
  const action = obstacle === null ? combine(decisions) : 'abort';
  const problem = action === null ? explainMissingStatement(decisions) : null;
  return { url: response.url, response, options, obstacle, action, problem, statement };
}

function combine(decisions: readonly Decision[]): Action | null {
  const refused = decisions.filter(({ action }) => action === 'abort');
  if (refused.length > 0) return refused.every(isUndecided) ? null : 'abort';
  return decisions.some(({ action }) => action === 'warn') ? 'warn' : 'pay';
}

/** Returns true if a payment is refused only because there is no statement of Touchstone. */
function isUndecided({ reasons }: Decision): boolean {
  return reasons.filter(({ action }) => action === 'abort').every(({ code }) => code === 'unreachable');
}

function explainMissingStatement(decisions: readonly Decision[]): string {
  const reasons = decisions.flatMap((decision) => decision.reasons);
  const message = reasons.find(({ code }) => code === 'unreachable')?.message ?? '';
  return `Touchstone made no statement on this payment. ${message}`.trimEnd();
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
