import type { Listing } from './listing/read-listing.ts';

/** A value parsed from JSON. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** One payment option of a challenge or a listing, in a form independent of the protocol version. */
export interface PaymentOption {
  readonly scheme: string;
  /** CAIP-2 id for a known version 1 name; otherwise the text as advertised. */
  readonly network: string;
  /** Token address, mint or id, as advertised. */
  readonly asset: string;
  /** Symbol of the asset; null for a token that is unknown on that network. */
  readonly assetSymbol: string | null;
  /** Null for an unknown token. Its price in US dollars is then unknown too. */
  readonly decimals: number | null;
  /** Atomic units; null when the advertised amount is not a whole number. */
  readonly amount: bigint | null;
  /** US dollars with six decimals; null for tokens other than known dollar tokens. */
  readonly amountUsd: string | null;
  readonly payTo: string;
  readonly maxTimeoutSeconds: number | null;
  /** Scheme-specific members, cleaned; null when absent, not an object, or larger than the limits. */
  readonly extra: Json | null;
  /** True when the option claims to be USDC but its asset is not the network's canonical USDC. */
  readonly falseUsdc: boolean;
}

/** Subject of a check. Failed `payable` checks lower the grade; `discoverable` and `hygiene` findings do not. */
export type CheckAxis = 'payable' | 'discoverable' | 'hygiene';
export type CheckSeverity = 'error' | 'warning' | 'info';

export interface Check {
  readonly id: string;
  readonly axis: CheckAxis;
  readonly severity: CheckSeverity;
  /** A check that did not apply is skipped, never passed. */
  readonly result: 'pass' | 'fail' | 'skip';
  /** The defect of a failed check; the requirement of any other. */
  readonly message: string;
  /** The change that repairs a failed check. */
  readonly fix: string;
  /** Specification clause of the rule, and where to read it. */
  readonly reference: string;
}

/**
 * Verdict on a challenge. `pass`: no check failed. `warnings`: only warnings failed. `errors`: errors failed, but a
 * reference client can pay. `unpayable`: no reference client can pay.
 */
export type ComplianceVerdict = 'pass' | 'warnings' | 'errors' | 'unpayable';

/** The part of an HTTP response from which a challenge is read. Header names may be in any case. */
export interface ChallengeResponse {
  /** Requested URL. */
  readonly url: string;
  /** Method of the request, in any case; null or absent when unknown. */
  readonly method?: string | null;
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string | null;
  /** True when `body` is only the beginning of the body. */
  readonly bodyTruncated?: boolean;
}

/** Other facts about the endpoint. Rules that need an absent fact are skipped. */
export interface ChallengeContext {
  /** Response to a second, identical request without payment. */
  readonly secondResponse?: ChallengeResponse | undefined;
  /** Directory listing of the endpoint. */
  readonly listing?: Listing | null | undefined;
  /** Time of the response, in milliseconds since the epoch. */
  readonly receivedAt?: number | undefined;
}

/** Request and response format of a resource, as its seller declares them. Cleaned, not verified. */
export interface Discovery {
  /** `http` or `mcp`; some sellers use other values. */
  readonly type: string | null;
  /** HTTP method in capitals; null when none or an unknown one is declared. */
  readonly method: string | null;
  /** Tool name on an MCP server. */
  readonly toolName: string | null;
  /** Example request with method, parameters and body; null in version 1, which has no examples. */
  readonly input: Json | null;
  readonly output: Json | null;
  /** JSON Schema of `input` or of a tool's arguments. In version 1: the seller's description, in any form. */
  readonly inputSchema: Json | null;
  readonly outputSchema: Json | null;
}

/** A payment protocol other than x402, or a variant of it, found next to x402 or instead of it. */
export type Dialect = 'mpp' | 'l402' | 'x402-authenticate' | 'x-402-headers' | 'payment-options-body';

export interface Challenge {
  /** Protocol version of the readable envelope that contains the options. */
  readonly version: 1 | 2 | null;
  readonly source: 'header' | 'body' | null;
  readonly options: readonly PaymentOption[];
  readonly resourceUrl: string | null;
  readonly description: string | null;
  readonly mimeType: string | null;
  readonly serviceName: string | null;
  readonly discovery: Discovery | null;
  /** Other payment protocols found in the response, each once. */
  readonly dialects: readonly Dialect[];
  /** True where the reference client of that version would pay. */
  readonly payable: { readonly v1: boolean; readonly v2: boolean };
  /** Reason why the client of that version would not pay, in one sentence; null where it would. */
  readonly refusals: { readonly v1: string | null; readonly v2: string | null };
  readonly checks: readonly Check[];
  /** `undetermined`: the response is no challenge, and its status does not show if the endpoint has one. */
  readonly verdict: ComplianceVerdict | 'undetermined';
}
