export { decide, type DecisionFacts } from './decision/decide.ts';
export type { Lookup } from './statement/lookup.ts';
export type { LookupFailure } from './statement/statement.ts';
export { type Decision, type Reason, type ReasonCode, PaymentRefusedError } from './decision/decision.ts';
export type { ProposedPayment } from './payment-terms.ts';
export { createGuard, type Guard, type GuardOptions, type HookResult, type PaymentContext } from './guard.ts';
export { fetchKeys, type PublicKeyJwk } from './statement/keys.ts';
export {
  DEFAULT_POLICY,
  toPolicy,
  type Action,
  type Policy,
  type PolicyOptions,
  type Usd,
} from './decision/policy.ts';
export type { Grade, Recommendation, Summary, SummaryEndpoint, SummaryOption } from './statement/summary.ts';
export type { PaymentOutcome } from './outcome/outcome.ts';
export { OutcomeReporter, type OutcomeSigner } from './outcome/outcome-reporter.ts';
export type { AxiosLike } from './payment/wrap-clients.ts';
export type { Authorization, AuthorizeRequest, RecordedResponse } from './payment/authorization.ts';
export type { Journal, JournalEntry, PaymentEntry, PaymentState, RefusalEntry } from './ledger/journal.ts';
export { isCounted, Ledger, type LedgerPayment } from './ledger/ledger.ts';
export { type SpendingSum, sumPayments, sumSpending } from './ledger/spending.ts';
export { readChallengeParts } from './payment/challenge.ts';
