export { isBurnAddress, verifyChecksum, shortenAddress } from './networks/address.ts';
export {
  DEFAULT_NETWORK,
  normalizeAddress,
  findNetwork,
  parseNetwork,
  toCaip2,
  findCanonicalUsdc,
  type Token,
} from './networks/networks.ts';
export { FACILITATOR_ROWS, findFacilitator, OTHER_FACILITATOR } from './facilitators/facilitators.ts';
export type { Facilitator } from './facilitators/facilitator-row.ts';
export { formatAtomicUsd } from './networks/money.ts';
export type { Network } from './networks/network-row.ts';
export type { NetworkId } from './networks/network-table.ts';
export {
  readChallenge,
  readDeclaredExchange,
  readDeclaredMethod,
  readFailedRequest,
  type ChallengeContext,
} from './read-challenge.ts';
export { createChallengeReader } from './challenge-reader.ts';
export { describeClientSettings, joinSettings, type ClientSetting } from './clients/default-settings.ts';
export { cleanText } from './json/untrusted-json.ts';
export { listClientPayments, type ClientPayment } from './clients/list-client-payments.ts';
export { readBody, readHeader } from './challenge/read-header.ts';
export { repairChallenge } from './repair/repair-challenge.ts';
export type { PaidRoute } from './repair/paid-route.ts';
export { formatServerCode, recognizeStack, STACKS, type Stack } from './repair/server-code.ts';
export type { DeclaredExchange } from './challenge/declared-exchange.ts';
export type { ExampleRequest } from './listing/example-request.ts';
export { readListing, type Listing, type ListingResult } from './listing/read-listing.ts';
export { findToken, isKnownNetwork } from './networks/tokens.ts';
export type {
  Challenge,
  ChallengeResponse,
  Check,
  CheckAxis,
  CheckSeverity,
  ComplianceResult,
  Dialect,
  Json,
  PaymentOption,
  RedirectTarget,
} from './types.ts';
export { validateInfo } from './schema/validate-info.ts';
export { RULE_TABLES, RULES, type RuleTable } from './rules/rules.ts';
export { type Rule, describeReference, formatCitation, SOURCES, type Reference } from './rules/rule.ts';
export type { Anchor, ChainCursor, Settlement, SettlementStep } from './settlement.ts';
export { MAX_TIMEOUT_SECONDS } from './rules/v2/asset-payee-rules.ts';
