import type { Grade, Recommendation } from './policy.ts';

/** Payment option of an endpoint at its latest probe. */
export interface SummaryOption {
  /** CAIP-2 id. */
  readonly network: string;
  readonly asset: string;
  readonly decimals: number | null;
  /** True for the canonical USDC of the network. */
  readonly canonicalUsdc: boolean;
}

/** Observations of Touchstone on the endpoint that was found. */
export interface SummaryEndpoint {
  readonly resource: string;
  /** URL of the public page of the endpoint. */
  readonly endpointPage: string;
  /** True for a URL with placeholders. */
  readonly templated: boolean;
  /** From 0 to 100. */
  readonly score: number;
  readonly grade: Grade;
  readonly recommendation: Recommendation;
  /** Reliability of the score, from 0 to 1. */
  readonly confidence: number;
  readonly lastProbedAt: string | null;
  /** Advertised price in US dollars, as a decimal string. */
  readonly amountUsd: string | null;
  readonly priceRange30d: { readonly lowUsd: string; readonly highUsd: string } | null;
  readonly payOn: readonly SummaryOption[];
}

/** The part of Touchstone's statement (schema `endpoint-summary`) that the guard uses. */
export interface Summary {
  readonly generatedAt: string;
  readonly requested: { readonly resource: string; readonly payTo: string; readonly network: string };
  /**
   * Relation of the found endpoint to the requested URL: the same URL, the same URL apart from its query, or a URL
   * template that the URL fills. Null if no endpoint was found.
   */
  readonly match: 'exact' | 'path' | 'template' | null;
  /** Observations of the requested recipient; null if no endpoint was found. */
  readonly payTo: {
    /** True if the recipient was seen in a payment option of the endpoint, now or earlier. */
    readonly observed: boolean;
    /** True if the recipient is in a payment option of the latest probe. */
    readonly current: boolean;
    /** Time at which it was replaced; null while it is current and if it was never observed. */
    readonly replacedAt: string | null;
  } | null;
  /** Null if Touchstone does not know the endpoint. */
  readonly endpoint: SummaryEndpoint | null;
}
