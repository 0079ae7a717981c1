import type { Grade, Recommendation } from '@touchstone/contract';

/** Data of one row in a list of endpoints. */
export interface ListedEndpoint {
  readonly slug: string;
  readonly resource: string;
  /** Name and description of the service, as given by the provider and not verified. */
  readonly serviceName: string | null;
  readonly description: string | null;
  readonly grade: Grade;
  /** Trust score, 0 to 100, and the lower bound of its range. */
  readonly score: number;
  readonly scoreLow: number;
  /** Confidence, 0 to 1. */
  readonly confidence: number;
  readonly recommendation: Recommendation;
  /** Uptime in percent; null if no probe was scored. */
  readonly uptime30d: number | null;
  readonly scoredProbes30d: number;
  /** Time since which every probe has been blocked; null if the latest probe was not blocked. */
  readonly blockedSince: string | null;
  /** Uptime in percent of each of the 30 days that end with the day of `computedAt`, oldest first; null for a day without a scored probe. */
  readonly uptimeDays: readonly (number | null)[];
  /** Average latency in whole milliseconds; null when not measured. */
  readonly latencyMs: number | null;
  /** Price in US dollars as a decimal string; null if no price with a known dollar value is advertised. */
  readonly amountUsd: string | null;
  readonly templated: boolean;
  /** CAIP-2 id of the network; null if not advertised. */
  readonly network: string | null;
  readonly listingStatus: 'listed' | 'delisted';
  readonly listingSource: 'directory' | 'adopted';
  /** Times in ISO 8601. */
  readonly computedAt: string;
  readonly firstSeen: string;
  readonly contentChangedAt: string;
}
