import { type Grade, type Recommendation, RECOMMENDATIONS } from '../statement/summary.ts';
import { toCaip2 } from '@touchstone/x402/networks';
import { readLimit, type Usd } from '../decimal.ts';
import { DEFAULT_LIMITS, type LimitPolicy, MAX_MEMORY_SECONDS } from '../ledger/limit-policy.ts';

/** Action on a payment, mildest first. `warn` allows the payment. */
export const ACTIONS = ['pay', 'warn', 'abort'] as const;
export type Action = (typeof ACTIONS)[number];

/** Treatment of signed offers (extension `offer-receipt`). */
const OFFER_MODES = ['ignore', 'verify', 'require'] as const;

/** Rules by which a payment is allowed, allowed with a warning, or refused. */
export interface Policy extends LimitPolicy {
  /** Action for each recommendation of Touchstone. */
  readonly recommendations: Readonly<Record<Recommendation, Action>>;
  /** Minimum grade of a paid endpoint; null for no limit. An ungraded endpoint (`?`) is below every grade. */
  readonly minGrade: Exclude<Grade, '?'> | null;
  /** Minimum score of a paid endpoint, from 0 to 100; null for no limit. */
  readonly minScore: number | null;
  /** Minimum confidence in the score, from 0 to 1; null for no limit. */
  readonly minConfidence: number | null;
  /** Maximum price of one payment in US dollars; null for no limit. */
  readonly maxPriceUsd: Usd | null;
  /**
   * Maximum price in US dollars of a payment to an endpoint with too few observations: Touchstone does not know the
   * endpoint, has observed no price of the endpoint, or recommends `free` or `unverified`. Null for no limit.
   */
  readonly maxUnknownPriceUsd: Usd | null;
  /**
   * Maximum amount in US dollars that a payment may sign if Touchstone knows no endpoint of the public host; null for no
   * limit. `maxUnknownPayments` limits the number of these payments.
   */
  readonly maxFirstPaymentUsd: Usd | null;
  /**
   * Maximum price, as a multiple of the highest price of the last 30 days, or of the advertised price if that highest
   * price is unknown. Null for no limit.
   */
  readonly maxPriceMultiple: number | null;
  /**
   * Maximum price, in place of `maxPriceMultiple`, for URL templates and for a URL that Touchstone knows only with
   * another query. The price of such a URL may depend on the values in the URL.
   */
  readonly maxTemplatePriceMultiple: number | null;
  /** Action if the recipient was never observed at this endpoint. */
  readonly payToMismatch: Action;
  /**
   * Action if the recipient of a URL template was never observed or was replaced. Each URL may have its own recipient.
   */
  readonly templatePayToMismatch: Action;
  /**
   * Action if the recipient was never observed or was replaced, and the recipient of the endpoint varies by design, for
   * example with each request. Nothing then distinguishes the recipient of the seller from that of a thief.
   */
  readonly varyingPayToMismatch: Action;
  /** Action if the recipient was observed earlier, but another recipient has replaced it. */
  readonly payToReplaced: Action;
  /** Action if the recipient replaced another one in the last 30 days. The change may be a takeover. */
  readonly payToChanged: Action;
  /** Action if the endpoint does not offer the token and network of the payment. */
  readonly assetMismatch: Action;
  /** Action if the token is not the canonical USDC of its network. */
  readonly tokenNotUsdc: Action;
  /** Action if Touchstone does not know the endpoint, or does not accept its URL. */
  readonly unknown: Action;
  /**
   * Action if the provider of the endpoint opted out of probing. Whoever takes over a host can opt out, which would
   * otherwise turn a refused recipient into an unknown one.
   */
  readonly optedOut: Action;
  /**
   * Minimum action of `beforePayment`, and of `attachTo` without a request, if Touchstone does not know the URL that the
   * seller claims, or never observed the recipient there. A seller can claim any URL.
   */
  readonly unverifiedUrl: Action;
  /** Action if Touchstone sent no readable statement: timeout, rate limit, or an unreadable response. */
  readonly unreachable: Action;
  /**
   * Hosts whose sellers the operator knows, such as `api.example.com` or `localhost:3000`. For these hosts, the rules for
   * unknown hosts and the rule for names that resemble another one do not apply.
   */
  readonly knownHosts: readonly string[];
  /** Action if Touchstone does not know the host, and its name imitates the name of a known host. */
  readonly lookalike: Action;
  /**
   * Maximum time for which the seller can collect a payment, in seconds; null for no limit. A seller that did not deliver
   * could otherwise collect the payment much later.
   */
  readonly maxLifetimeSeconds: number | null;
  /** Schemes that may be paid. The guard reads the signed values of `exact`, `upto` and `batch-settlement`. */
  readonly schemes: readonly string[];
  /** Networks that may be paid: CAIP-2 ids, or network names of x402 version 1. Null for all networks. */
  readonly networks: readonly string[] | null;
  /**
   * Maximum deposit of a payment channel (scheme `batch-settlement`), as a multiple of the price of the request; null for
   * no limit.
   */
  readonly maxDepositMultiple: number | null;
  /**
   * `verify`: an offer that the seller signed must confirm the payment terms. `require`: the seller must also sign an
   * offer. `ignore`: signed offers are not read. The guard needs `verifyOffer` for `verify` and `require`.
   */
  readonly offers: (typeof OFFER_MODES)[number];
  /** Maximum age of the latest probe in hours. An older or missing probe leads to a warning; null for no limit. */
  readonly maxAgeHours: number | null;
}

export const DEFAULT_POLICY: Policy = {
  recommendations: {
    proceed: 'pay',
    parameterize: 'pay',
    caution: 'warn',
    unverified: 'warn',
    free: 'warn',
    avoid: 'abort',
  },
  minGrade: null,
  minScore: null,
  minConfidence: null,
  maxPriceUsd: null,
  maxUnknownPriceUsd: '0.10',
  maxFirstPaymentUsd: '0.01',
  maxPriceMultiple: 2,
  maxTemplatePriceMultiple: 10,
  payToMismatch: 'abort',
  templatePayToMismatch: 'warn',
  varyingPayToMismatch: 'warn',
  payToReplaced: 'abort',
  payToChanged: 'warn',
  assetMismatch: 'abort',
  tokenNotUsdc: 'abort',
  unknown: 'warn',
  optedOut: 'abort',
  unverifiedUrl: 'abort',
  unreachable: 'abort',
  knownHosts: [],
  lookalike: 'abort',
  // Of 833 recorded listings, 5 have a longer lifetime. 900 s is usual.
  maxLifetimeSeconds: 3_600,
  schemes: ['exact', 'upto', 'batch-settlement'],
  networks: null,
  // The reference client signs a deposit of five times the price.
  maxDepositMultiple: 5,
  offers: 'verify',
  maxAgeHours: 26,
  ...DEFAULT_LIMITS,
};

const ACTION_MEMBERS = [
  'payToMismatch',
  'templatePayToMismatch',
  'varyingPayToMismatch',
  'payToReplaced',
  'payToChanged',
  'assetMismatch',
  'tokenNotUsdc',
  'unknown',
  'optedOut',
  'unverifiedUrl',
  'unreachable',
  'lookalike',
] as const;
const LIMIT_MEMBERS = [
  'maxPriceUsd',
  'maxUnknownPriceUsd',
  'maxFirstPaymentUsd',
  'maxPriceMultiple',
  'maxTemplatePriceMultiple',
  'maxDepositMultiple',
  'maxHostUsdPerDay',
  'maxUsdPerDay',
  'maxUsdTotal',
] as const;
/** Ranges of the members that are numbers. */
const RANGES = {
  minScore: { min: 0, max: 100 },
  minConfidence: { min: 0, max: 1 },
  maxAgeHours: { min: 0, max: 1_000_000 },
  maxLifetimeSeconds: { min: 0, max: Number.MAX_SAFE_INTEGER },
  maxPaymentsPerDay: { min: 0, max: Number.MAX_SAFE_INTEGER },
  maxUnknownPayments: { min: 0, max: Number.MAX_SAFE_INTEGER },
  maxUndelivered: { min: 1, max: Number.MAX_SAFE_INTEGER },
} as const;
/** Members in seconds that cannot be null. */
const SECONDS = ['repeatAfterSeconds', 'payAgainAfterSeconds'] as const;

/** Policy options: every member of `Policy` is optional, and so is every recommendation. */
export type PolicyOptions = {
  readonly [Name in keyof Omit<Policy, 'recommendations'>]?: Policy[Name] | undefined;
} & {
  readonly recommendations?: { readonly [Name in Recommendation]?: Action | undefined } | undefined;
};

/**
 * Completes a policy with the defaults. A member that is undefined has its default.
 *
 * @throws TypeError for an unknown member or an invalid value. A misspelled rule must not be ignored.
 */
export function toPolicy(options: PolicyOptions = {}): Policy {
  const policy = complete(DEFAULT_POLICY, options, 'policy');
  const { recommendations, minGrade } = policy;
  const ruled = complete(DEFAULT_POLICY.recommendations, recommendations, 'policy.recommendations');
  for (const name of RECOMMENDATIONS) requireAction(`recommendations.${name}`, ruled[name]);
  for (const name of ACTION_MEMBERS) requireAction(name, policy[name]);
  if (minGrade !== null && !['A', 'B', 'C', 'D', 'F'].includes(minGrade)) {
    throw new TypeError(`policy.minGrade must be A, B, C, D, F or null; received ${minGrade}.`);
  }
  requireNumbers(policy);
  for (const name of LIMIT_MEMBERS) {
    const value = policy[name];
    if (value !== null) readLimit(`policy.${name}`, value);
  }
  if (!OFFER_MODES.includes(policy.offers)) {
    throw new TypeError(
      `policy.offers must be ignore, verify or require; received ${JSON.stringify(policy.offers)}.`,
    );
  }
  const schemes = readTexts('schemes', policy.schemes);
  const networks = policy.networks === null ? null : readTexts('networks', policy.networks).map(toCaip2);
  const knownHosts = readTexts('knownHosts', policy.knownHosts).map((host) => host.toLowerCase());
  return { ...policy, recommendations: ruled, schemes, networks, knownHosts };
}

function requireNumbers(policy: Policy): void {
  for (const [name, range] of Object.entries(RANGES)) {
    // Every name of RANGES is a member of the policy.
    requireNumber(name, policy[name as keyof typeof RANGES], range);
  }
  for (const name of SECONDS) {
    const value: unknown = policy[name];
    if (typeof value === 'number' && value >= 0 && value <= MAX_MEMORY_SECONDS) continue;
    throw new TypeError(
      `policy.${name} must be a number from 0 to ${MAX_MEMORY_SECONDS}; received ${JSON.stringify(value)}.`,
    );
  }
}

function readTexts(name: string, value: unknown): readonly string[] {
  if (Array.isArray(value) && value.every((text) => typeof text === 'string')) return value;
  throw new TypeError(`policy.${name} must be a list of texts; received ${JSON.stringify(value)}.`);
}

function complete<T extends object>(defaults: T, options: object, name: string): T {
  for (const key of Object.keys(options)) {
    if (!Object.hasOwn(defaults, key)) throw new TypeError(`${name} has no member ${key}.`);
  }
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return { ...defaults, ...Object.fromEntries(given) };
}

function requireAction(name: string, value: unknown): void {
  if (!ACTIONS.some((action) => action === value)) {
    throw new TypeError(`policy.${name} must be pay, warn or abort; received ${String(value)}.`);
  }
}

function requireNumber(name: string, value: unknown, { min, max }: { min: number; max: number }): void {
  if (value === null || (typeof value === 'number' && value >= min && value <= max)) return;
  throw new TypeError(
    `policy.${name} must be a number from ${min} to ${max}, or null; received ${JSON.stringify(value)}.`,
  );
}
