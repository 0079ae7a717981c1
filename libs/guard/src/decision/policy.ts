import { type Grade, type Recommendation, RECOMMENDATIONS } from '../statement/summary.ts';
import { readLimit } from '../decimal.ts';

/** Action on a payment, mildest first. `warn` allows the payment. */
export const ACTIONS = ['pay', 'warn', 'abort'] as const;
export type Action = (typeof ACTIONS)[number];

/** Amount in US dollars: a decimal string such as `"0.05"`, or a number. A number is read as its decimal text. */
export type Usd = string | number;

/** Rules by which a payment is allowed, allowed with a warning, or refused. */
export interface Policy {
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
   * Minimum action of `beforePayment` if Touchstone does not know the URL that the seller claims, or never observed the
   * recipient there. A seller can claim any URL.
   */
  readonly unverifiedUrl: Action;
  /** Action if Touchstone sent no readable statement: timeout, rate limit, or an unreadable response. */
  readonly unreachable: Action;
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
  maxPriceMultiple: 3,
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
  maxAgeHours: 26,
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
] as const;
const LIMIT_MEMBERS = [
  'maxPriceUsd',
  'maxUnknownPriceUsd',
  'maxPriceMultiple',
  'maxTemplatePriceMultiple',
] as const;

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
  requireNumber('minScore', policy.minScore, { min: 0, max: 100 });
  requireNumber('minConfidence', policy.minConfidence, { min: 0, max: 1 });
  requireNumber('maxAgeHours', policy.maxAgeHours, { min: 0, max: 1_000_000 });
  for (const name of LIMIT_MEMBERS) {
    const value = policy[name];
    if (value !== null) readLimit(`policy.${name}`, value);
  }
  return { ...policy, recommendations: ruled };
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
