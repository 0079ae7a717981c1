export { hasChecksum, isBurnAddress } from './address.ts';
export { atomicToUsd } from './money.ts';
export { caip2Of } from './networks.ts';
export { readChallenge, readSilence } from './read-challenge.ts';
export { cleanText } from './text.ts';
export { readListing, type Listing, type ListingResult } from './read-listing.ts';
export { canonicalUsdc, findToken, isKnownNetwork, type Token } from './tokens.ts';
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
export { complianceDocument } from './rules/compliance-document.ts';
export { RULE_TABLES, RULES } from './rules/rules.ts';
export type { Rule } from './rules/rule.ts';
export type { Anchor, ChainCursor, Settlement, SettlementStep } from './settlement.ts';
export { describeReference, SOURCES, type Reference } from './rules/sources.ts';
