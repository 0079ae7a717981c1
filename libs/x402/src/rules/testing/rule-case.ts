import type { ChallengeContext, ChallengeResponse } from '../../types.ts';

/** Hand-written response, with the context where a rule needs it. */
export interface RuleExample {
  readonly response: ChallengeResponse;
  readonly context?: ChallengeContext;
}

/** Examples for one rule. `skip` is given where it is not obvious when the rule does not apply. */
interface RuleCase {
  readonly pass: RuleExample;
  /** Response that fails with the severity and axis of the rule. */
  readonly fail: RuleExample;
  readonly skip?: RuleExample;
}

/** Rule cases by rule id. */
export type RuleCases = Readonly<Record<string, RuleCase>>;
