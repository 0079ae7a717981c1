import type { ChallengeContext, ChallengeResponse } from '../types.ts';

/** One answer written by hand to show a rule at work, with what else is known where the rule needs it. */
export interface RuleExample {
  readonly response: ChallengeResponse;
  readonly context?: ChallengeContext;
}

/** How a rule is shown both ways; `skip` where it is not plain when it does not apply. */
interface RuleCase {
  readonly pass: RuleExample;
  /** Fails with the rule's own severity and on its own axis. */
  readonly fail: RuleExample;
  readonly skip?: RuleExample;
}

/** Cases by rule id. */
export type RuleCases = Readonly<Record<string, RuleCase>>;
