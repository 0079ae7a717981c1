export { isBurnAddress, normalizeAddress, verifyChecksum } from './networks/address.ts';
export { shortenAddress } from './networks/shorten-address.ts';
export { atomicToUsd } from './tokens/money.ts';
export { findNetwork, toCaip2 } from './networks/networks.ts';
export type { Network, NetworkId } from './networks/network-table.ts';
export { readChallenge, readFailedRequest } from './challenge/read-challenge.ts';
export { cleanText } from './json/clean-text.ts';
export { readListing, type Listing, type ListingResult } from './listing/read-listing.ts';
export { findCanonicalUsdc, findToken, isKnownNetwork, type Token } from './tokens/tokens.ts';
export type {
  Challenge,
  ChallengeContext,
  ChallengeResponse,
  Check,
  CheckAxis,
  CheckSeverity,
  ComplianceVerdict,
  Dialect,
  Discovery,
  Json,
  PaymentOption,
} from './types.ts';
export { formatComplianceDocument } from './rules/compliance-document.ts';
export { RULE_TABLES, RULES } from './rules/rules.ts';
export type { Rule } from './rules/rule.ts';
export type { Anchor, ChainCursor, Settlement, SettlementStep } from './settlement.ts';
export { describeReference, SOURCES, type Reference } from './rules/sources.ts';
export { MAX_TIMEOUT_SECONDS } from './rules/v2/asset-payee-rules.ts';
