export { atomicToUsd } from './money.ts';
export { caip2Of } from './networks.ts';
export { readChallenge } from './read-challenge.ts';
export { readListing, type Listing, type ListingResult } from './read-listing.ts';
export { canonicalUsdc, findToken, isKnownNetwork, type Token } from './tokens.ts';
export type {
  Challenge,
  ChallengeResponse,
  Check,
  CheckAxis,
  CheckSeverity,
  ComplianceVerdict,
  Json,
  PaymentOption,
} from './types.ts';
