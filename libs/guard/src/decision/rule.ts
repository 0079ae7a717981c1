import type { PaymentTerms } from '../payment-terms.ts';
import type { Summary, SummaryEndpoint } from '../statement/summary.ts';
import type { Reason } from './decision.ts';
import { ACTIONS, type Action, type Policy } from './policy.ts';

/** Facts that the rules compare: the valid payment, the found endpoint, and the policy. */
export interface RuleFacts {
  readonly terms: PaymentTerms;
  readonly summary: Summary | null;
  readonly endpoint: SummaryEndpoint | null;
  readonly policy: Policy;
  readonly now: number;
  readonly isUrlClaimed: boolean;
  /** True if Touchstone has too few observations to judge a price. */
  readonly isUnknown: boolean;
  /** True if Touchstone knows no endpoint of the public host. */
  readonly isUnknownHost: boolean;
}

export type Rule = (facts: RuleFacts) => readonly Reason[];

/** Returns the action for a URL or a recipient that Touchstone does not know. */
export function toUnknownAction({ unknown, unverifiedUrl }: Policy, isUrlClaimed: boolean): Action {
  return isUrlClaimed ? findStrictest([unknown, unverifiedUrl]) : unknown;
}

export function findStrictest(actions: readonly Action[]): Action {
  return actions.reduce((strictest, action) => (isStricter(action, strictest) ? action : strictest), 'pay');
}

export function isStricter(left: Action, right: Action): boolean {
  return ACTIONS.indexOf(left) > ACTIONS.indexOf(right);
}

/** Returns true if terms may depend on the values in a URL template. */
export function isTemplate(summary: Summary | null, endpoint: SummaryEndpoint | null): boolean {
  return summary?.match === 'template' || endpoint?.templated === true;
}
