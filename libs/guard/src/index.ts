export { decide, type DecisionFacts, type Lookup, type LookupFailure } from './decide.ts';
export type { Decision, ProposedPayment, Reason, ReasonCode } from './decision.ts';
export { createGuard, type Guard, type GuardOptions, type HookResult, type PaymentContext } from './guard.ts';
export { PaymentRefusedError } from './errors.ts';
export { fetchKeys, type PublicKeyJwk } from './keys.ts';
export {
  DEFAULT_POLICY,
  toPolicy,
  type Action,
  type Grade,
  type Policy,
  type PolicyOptions,
  type Recommendation,
  type Usd,
} from './policy.ts';
export type { Summary, SummaryEndpoint, SummaryOption } from './summary.ts';
export type { AxiosLike } from './wrap-axios.ts';
