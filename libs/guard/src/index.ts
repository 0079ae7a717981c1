export { decide, type DecisionFacts, type Lookup, type LookupFailure } from './decision/decide.ts';
export {
  type Decision,
  type ProposedPayment,
  type Reason,
  type ReasonCode,
  PaymentRefusedError,
} from './decision/decision.ts';
export { createGuard, type Guard, type GuardOptions, type HookResult, type PaymentContext } from './guard.ts';
export { fetchKeys, type PublicKeyJwk } from './statement/keys.ts';
export {
  DEFAULT_POLICY,
  toPolicy,
  type Action,
  type Grade,
  type Policy,
  type PolicyOptions,
  type Recommendation,
  type Usd,
} from './decision/policy.ts';
export type { Summary, SummaryEndpoint, SummaryOption } from './statement/summary.ts';
export type { AxiosLike } from './payment/wrap-clients.ts';
