import type { Listing } from './listing/read-listing.ts';

/** A JSON value as it comes off the wire. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** One way to pay, read from a challenge or a listing, in version-independent terms. */
export interface PaymentOption {
  readonly scheme: string;
  /** CAIP-2 id where the network is known by name or already given as one, else the text as advertised. */
  readonly network: string;
  /** Token address, mint or id, as advertised. */
  readonly asset: string;
  /** Symbol of the asset when it is a token this project knows on that network. */
  readonly assetSymbol: string | null;
  /** Null for a token that is not known: its price in US dollars is then unknown too. */
  readonly decimals: number | null;
  /** Atomic units; null when the advertised amount is not a whole number. */
  readonly amount: bigint | null;
  /** US dollars with six decimals, only for known dollar tokens. */
  readonly amountUsd: string | null;
  readonly payTo: string;
  readonly maxTimeoutSeconds: number | null;
  /** Scheme-specific members, cleaned; null where there are none, they are no object, or they are out of size. */
  readonly extra: Json | null;
  /** True when the option calls itself USDC but its asset is not the network's canonical USDC. */
  readonly falseUsdc: boolean;
}

/** `payable` errors make a bad grade; `discoverable` and `hygiene` findings do not. */
export type CheckAxis = 'payable' | 'discoverable' | 'hygiene';
export type CheckSeverity = 'error' | 'warning' | 'info';

export interface Check {
  readonly id: string;
  readonly axis: CheckAxis;
  readonly severity: CheckSeverity;
  /** A check that did not apply is skipped, never passed. */
  readonly result: 'pass' | 'fail' | 'skip';
  /** What is wrong where it failed, else what the rule asks for. */
  readonly message: string;
  /** What to change where it failed. */
  readonly fix: string;
  /** The clause the rule follows, and where to read it. */
  readonly reference: string;
}

/** `pass`: all checks; `warnings`: only warnings failed; `errors`: errors, but a reference client can pay; `unpayable`. */
export type ComplianceVerdict = 'pass' | 'warnings' | 'errors' | 'unpayable';

/** The part of an HTTP answer a challenge is read from. Header names may come in any case. */
export interface ChallengeResponse {
  readonly url: string;
  /** Method of the request, in any case; null or absent when it is not known. */
  readonly method?: string | null;
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string | null;
  /** True when the body was longer than what is given of it. */
  readonly bodyTruncated?: boolean;
}

/** What else is known about the endpoint; rules that need what is not given are skipped. */
export interface ChallengeContext {
  /** The answer to a second unpaid request of the same kind. */
  readonly secondResponse?: ChallengeResponse | undefined;
  /** What a directory says of the endpoint. */
  readonly listing?: Listing | null | undefined;
  /** When the answer came, milliseconds since the epoch. */
  readonly at?: number | undefined;
}

/** How a resource is called and what it answers, as its seller says. Cleaned, not judged. */
export interface Discovery {
  /** `http` or `mcp`; some sellers write other words. */
  readonly type: string | null;
  /** In capitals; null when none, or none of HTTP's, is declared. */
  readonly method: string | null;
  /** Of a tool of an MCP server. */
  readonly toolName: string | null;
  /** An example of a request: its method, parameters and body; null in version 1, which has none. */
  readonly input: Json | null;
  readonly output: Json | null;
  /** JSON Schema of `input`, or of a tool's arguments; in version 1 the seller's own description. */
  readonly inputSchema: Json | null;
  readonly outputSchema: Json | null;
}

/** A way to ask for payment that is not x402, met beside it or in its place. */
export type Dialect = 'mpp' | 'l402' | 'x402-authenticate' | 'x-402-headers' | 'payment-options-body';

export interface Challenge {
  /** Protocol version of the readable envelope the options were taken from. */
  readonly version: 1 | 2 | null;
  readonly source: 'header' | 'body' | null;
  readonly options: readonly PaymentOption[];
  readonly resourceUrl: string | null;
  readonly description: string | null;
  readonly mimeType: string | null;
  readonly serviceName: string | null;
  readonly discovery: Discovery | null;
  /** Other ways to ask for payment that the answer shows, each once. */
  readonly dialects: readonly Dialect[];
  /** Would the reference client of that version pay this? */
  readonly payable: { readonly v1: boolean; readonly v2: boolean };
  /** Why a client would not, in one sentence; null for one that would. */
  readonly refusals: { readonly v1: string | null; readonly v2: string | null };
  readonly checks: readonly Check[];
  /** `undetermined` when the answer is no challenge, and its status says nothing about whether there is one. */
  readonly verdict: ComplianceVerdict | 'undetermined';
}
