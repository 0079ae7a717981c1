import type { ChallengeContext, ChallengeResponse } from '../../types.ts';

/** Hand-written response. `context` contains the additional data that some rules need. */
export interface RuleExample {
  readonly response: ChallengeResponse;
  readonly context?: ChallengeContext;
}

/**
 * Example responses for one rule. The member `skip` is an example of a response to which the rule does not apply. It
 * may be omitted when such responses are obvious.
 */
interface RuleCase {
  readonly pass: RuleExample;
  /** Response that fails with the default severity and axis of the rule. */
  readonly fail: RuleExample;
  readonly skip?: RuleExample;
}

export type RuleCases = Readonly<Record<string, RuleCase>>;
