import type { ChallengeContext, ChallengeResponse } from '../../types.ts';

/** Hand-written response. `context` contains the additional data that some rules need. */
export interface RuleExample {
  readonly response: ChallengeResponse;
  readonly context?: ChallengeContext;
}

/** Example responses for one rule. `skip` is omitted if the rule obviously does not apply to some responses. */
interface RuleCase {
  readonly pass: RuleExample;
  /** Response that fails with the default severity and axis of the rule. */
  readonly fail: RuleExample;
  readonly skip?: RuleExample;
}

export type RuleCases = Readonly<Record<string, RuleCase>>;
