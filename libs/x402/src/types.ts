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
  readonly message: string;
}

/** `pass`: all checks; `warnings`: only warnings failed; `errors`: errors, but a reference client can pay; `unpayable`. */
export type ComplianceVerdict = 'pass' | 'warnings' | 'errors' | 'unpayable';

/** The part of an HTTP answer a challenge is read from. Header names may come in any case. */
export interface ChallengeResponse {
  readonly url: string;
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string | null;
}

export interface Challenge {
  /** Protocol version of the readable envelope the options were taken from. */
  readonly version: 1 | 2 | null;
  readonly source: 'header' | 'body' | null;
  readonly options: readonly PaymentOption[];
  readonly resourceUrl: string | null;
  readonly description: string | null;
  readonly mimeType: string | null;
  readonly serviceName: string | null;
  /** Would the reference client of that version pay this? */
  readonly payable: { readonly v1: boolean; readonly v2: boolean };
  readonly checks: readonly Check[];
  readonly verdict: ComplianceVerdict;
}
