import { MAX_RESOURCE_CHARS } from '@touchstone/common';

// This file does not import zod, so that scripts of pages can import it without zod.

/** All grades of an endpoint, best first. The grade `?` means ungraded. */
export const GRADES = ['A', 'B', 'C', 'D', 'F', '?'] as const;
export type Grade = (typeof GRADES)[number];

/** Minimum score of each grade, best grade first. */
export const GRADE_THRESHOLDS = [
  ['A', 80],
  ['B', 65],
  ['C', 50],
  ['D', 35],
  ['F', 0],
] as const satisfies readonly (readonly [Grade, number])[];
export const MIN_PROCEED_SCORE = 65;
/** Score below which the recommendation is `avoid`. */
export const MIN_CAUTION_SCORE = 35;

/** Maximum number of endpoints on the leaderboard. */
export const LEADERBOARD_SIZE = 25;

/** Network of all examples: Base, as a CAIP-2 id. */
export const EXAMPLE_NETWORK = 'eip155:8453';
/** Asset of all examples: the canonical USDC of Base. */
export const EXAMPLE_ASSET = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
/** `payTo` address of all examples. */
export const EXAMPLE_PAY_TO = '0x209693Bc6afc0C5328bA36FaF03C514EF312287C';

/** All recommendations to a payer, in display order. */
export const RECOMMENDATIONS = ['proceed', 'caution', 'parameterize', 'avoid', 'unverified', 'free'] as const;
export type Recommendation = (typeof RECOMMENDATIONS)[number];

/** All components of the score, in display order. */
export const COMPONENTS = ['uptime', 'compliance', 'stability', 'activity', 'age', 'latency'] as const;
export type Component = (typeof COMPONENTS)[number];

/** All severities of a flag. A flag is a warning about an endpoint in its report. */
export const FLAG_SEVERITIES = ['error', 'warning'] as const;
export type FlagSeverity = (typeof FLAG_SEVERITIES)[number];

/**
 * All compliance results of a challenge, best first. `pass`: no error or warning about payment. `warnings`: only
 * warnings. `errors`: errors, but clients can pay. `unpayable`: clients cannot pay. Checks about discovery and findings
 * of severity info do not count.
 */
export const COMPLIANCE_RESULTS = ['pass', 'warnings', 'errors', 'unpayable'] as const;
export type ComplianceResult = (typeof COMPLIANCE_RESULTS)[number];

/** All kinds of changes in the advertised payment terms of an endpoint. */
export const CHANGE_KINDS = ['price_change', 'payto_change', 'asset_network_change'] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** All subjects of compliance rules. */
export const CHECK_AXES = ['payable', 'discoverable', 'hygiene'] as const;

/**
 * All outcomes of a test purchase. `delivered`: charged, 2xx, and a body that is not empty and matches the declared output
 * schema. `wrong-body`: charged and 2xx with another body. `paid-not-delivered`: charged, and no 2xx response. `pay-again`:
 * charged, and another 402 response. `free`: 2xx and never charged. `refused-uncharged`: no 2xx response and never charged.
 * `late`: charged, and no whole response in time. `unclear`: this service cannot tell.
 */
export const PURCHASE_OUTCOMES = [
  'delivered',
  'wrong-body',
  'paid-not-delivered',
  'pay-again',
  'free',
  'refused-uncharged',
  'late',
  'unclear',
] as const;
export type PurchaseOutcome = (typeof PURCHASE_OUTCOMES)[number];

/**
 * All reasons why the response to a paid request is missing or incomplete. `not-sent`: no connection, so the payment was
 * not sent. `closed`: the connection ended early. `timeout`: no whole response within 60 seconds. `invalid-response`: not
 * valid HTTP, or a body that cannot be decoded. `too-large`: only the first MiB of the body was read. `internal`: a
 * failure of this service.
 */
export const PURCHASE_FAILURES = [
  'not-sent',
  'closed',
  'timeout',
  'invalid-response',
  'too-large',
  'internal',
] as const;
export type PurchaseFailure = (typeof PURCHASE_FAILURES)[number];

/**
 * Delivery states of an endpoint, by its purchases of the last 30 days. `delivered`: the latest charged purchase delivered,
 * and nothing contradicts it. `mixed`: the flag `delivery-mixed` is raised, or at least three buyers report failures and no more
 * report deliveries. `failed`: the
 * flag `paid-not-delivered` is raised.
 */
export const DELIVERY_STATES = ['delivered', 'mixed', 'failed'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** Phases of a request in which a probe can fail. `response`: a complete response arrived. */
export const FAILURE_PHASES = ['resolve', 'connect', 'tls', 'processing', 'transfer', 'response'] as const;
export type FailurePhase = (typeof FAILURE_PHASES)[number];

/** Maximum length of each kind of text in a response, in UTF-16 code units. Longer texts are cut. */
export const TEXT_LIMITS = {
  name: 200,
  description: 2_000,
  /** Description in a search result. The limit is lower, because a response has up to 25 descriptions. */
  matchDescription: 500,
  address: 200,
  resource: MAX_RESOURCE_CHARS,
  sentence: 2_000,
  failure: 300,
} as const;
