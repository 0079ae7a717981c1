import type { BodyEnd, Redirect } from '@touchstone/common';
import type { ClientSetting } from './clients/default-settings.ts';

/** A value parsed from JSON. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** One payment option of a challenge or a listing, in the same form for both protocol versions. */
export interface PaymentOption {
  readonly scheme: string;
  /** CAIP-2 id when the advertised network is a known version 1 name; otherwise the advertised text. */
  readonly network: string;
  /** Token address, mint or id, as advertised. */
  readonly asset: string;
  /** Symbol of the asset; null for a token that is unknown on that network. */
  readonly assetSymbol: string | null;
  /** Decimals of the token; null for an unknown token. Its price in US dollars is then unknown too. */
  readonly decimals: number | null;
  /** Price in atomic units; null when the advertised amount is not a whole number. */
  readonly amount: bigint | null;
  /** Price in US dollars with six decimals; null for an unknown token or amount. */
  readonly amountUsd: string | null;
  readonly payTo: string;
  readonly maxTimeoutSeconds: number | null;
  /** Scheme-specific members, cleaned for storage; null when absent, not an object, or too large. */
  readonly extra: Json | null;
  /** True when the option claims to be USDC but its asset is not the network's canonical USDC. */
  readonly falseUsdc: boolean;
}

/**
 * Subject of a check. Failed `payable` checks lower the grade of an endpoint; `discoverable` and `hygiene` failures do
 * not.
 */
export type CheckAxis = 'payable' | 'discoverable' | 'hygiene';
export type CheckSeverity = 'error' | 'warning' | 'info';

export interface Check {
  readonly id: string;
  readonly axis: CheckAxis;
  readonly severity: CheckSeverity;
  /** Result of the check. `skip`: the check does not apply to the response, or was not evaluated. */
  readonly result: 'pass' | 'fail' | 'skip';
  /** Description of the defect for a failed check; otherwise the requirement. */
  readonly message: string;
  /** Reason why a check that applies to the response was not evaluated; absent for every other check. */
  readonly skipReason?: string;
  /** Change that would make a failed check pass. */
  readonly fix: string;
  /** Specification clause of the rule, with its URL if there is one. */
  readonly reference: string;
}

/**
 * Compliance result of a challenge. `unpayable`: no reference client would make a payment that settles, with any of
 * the settings that `clientSettings` can name. `errors`: a payment would
 * settle, but a `payable` check failed with an error. `warnings`: only other `payable` or `hygiene` checks failed.
 * `pass`: no such check failed.
 */
export type ComplianceResult = 'pass' | 'warnings' | 'errors' | 'unpayable';

/** Response to the request method that a challenge declares. `status` is null without a response. */
export interface DeclaredMethod {
  readonly method: string;
  readonly status: number | null;
}

/** The part of an HTTP response from which a challenge is read. Header names may be in any case. */
export interface ChallengeResponse {
  /** Requested URL. */
  readonly url: string;
  /** HTTP method of the request, in any case; null or absent when unknown. */
  readonly method?: string | null;
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string | null;
  /** How the body ended; `complete` by default. */
  readonly bodyEnd?: BodyEnd | null | undefined;
  /** Redirects that were followed to this response, in order; none by default. */
  readonly redirects?: readonly Redirect[] | undefined;
  /** Statuses of the interim (1xx) responses before this response; none by default. */
  readonly interimStatuses?: readonly number[] | undefined;
}

/** Another payment protocol, or a variant of x402, that a response uses together with x402 or instead of x402. */
export type Dialect = 'mpp' | 'l402' | 'x402-authenticate' | 'x-402-headers' | 'payment-options-body';

/** Redirect to the target that sent the response. */
export interface RedirectTarget extends Redirect {
  /** True when a redirect of the chain leads to another scheme, host or port than the requested ones. */
  readonly isOtherOrigin: boolean;
}

export interface Challenge {
  /** Protocol version of the envelope from which `options` was read; null without a readable envelope. */
  readonly version: 1 | 2 | null;
  readonly source: 'header' | 'body' | null;
  readonly options: readonly PaymentOption[];
  readonly resourceUrl: string | null;
  readonly description: string | null;
  readonly mimeType: string | null;
  readonly serviceName: string | null;
  /** Target of the last followed redirect, whose response was judged; null without followed redirects. */
  readonly redirectTarget: RedirectTarget | null;
  /** Other payment protocols found in the response, without duplicates. */
  readonly dialects: readonly Dialect[];
  /**
   * True for each protocol version whose reference client would sign a payment, with its default settings or with those
   * in `clientSettings`.
   */
  readonly payable: { readonly v1: boolean; readonly v2: boolean };
  /**
   * Reason why the reference client of each version would sign no payment, in one sentence; null when it would sign.
   */
  readonly refusals: { readonly v1: string | null; readonly v2: string | null };
  /**
   * True for each protocol version whose reference client would sign a payment that can settle. False if the challenge
   * shows that this payment would fail or not reach the seller.
   */
  readonly settles: { readonly v1: boolean; readonly v2: boolean };
  /**
   * Reason why the signed payment would fail or not reach the seller, in one sentence, for the reference client of each
   * version. Null if there is no such reason, or if the client would sign no payment.
   */
  readonly settlementFailures: { readonly v1: string | null; readonly v2: string | null };
  /**
   * Settings that a buyer must change before the reference client of each version signs a payment. An empty list if its
   * default settings are enough, or if it would sign no payment.
   */
  readonly clientSettings: { readonly v1: readonly ClientSetting[]; readonly v2: readonly ClientSetting[] };
  /**
   * Settings of one client that a buyer must change before a payment settles. An empty list if a client pays with its
   * default settings, or if no payment settles.
   */
  readonly neededSettings: readonly ClientSetting[];
  readonly checks: readonly Check[];
  /** `undetermined`: the response is not a challenge, and its status does not show if the endpoint requires payment. */
  readonly verdict: ComplianceResult | 'undetermined';
}
