import type { Decision, ProposedPayment, Reason } from './decision.ts';
import type { Action, Policy } from './policy.ts';
import type { Summary } from './summary.ts';

/** Result of a lookup: a verified summary, or the reason why there is none. */
export type Lookup =
  { readonly summary: Summary; readonly source: 'summary' | 'report' } | { readonly failure: LookupFailure };

export interface LookupFailure {
  readonly code: 'unreachable' | 'invalid-signature' | 'wrong-statement' | 'stale-statement';
  readonly message: string;
}

export interface DecisionFacts {
  readonly payment: ProposedPayment;
  readonly lookup: Lookup;
  readonly policy: Policy;
  /** Current time in milliseconds since 1970. */
  readonly now: number;
}

/** Decides on a payment by a policy. Pure: the same facts lead to the same decision. */
export function decide({ payment, lookup }: DecisionFacts): Decision {
  const reasons: Reason[] = [];
  const action: Action = 'abort';
  return 'failure' in lookup
    ? { action, reasons, payment, summary: null, source: null }
    : { action, reasons, payment, summary: lookup.summary, source: lookup.source };
}
