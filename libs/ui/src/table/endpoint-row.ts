import type { Grade, Recommendation } from '@touchstone/contract';

/** Data of one row in a list of endpoints. */
export interface EndpointRow {
  /** URL of the endpoint page. */
  readonly href: string;
  readonly resource: string;
  /** Name of the service, as given by the provider and not verified. */
  readonly serviceName: string | null;
  readonly grade: Grade;
  /** Trust score, 0 to 100. */
  readonly score: number;
  /** Lower bound of the score range, 0 to 100. */
  readonly scoreLow: number;
  readonly recommendation: Recommendation;
  /** Uptime in percent; null if no probe was scored. */
  readonly uptime30d: number | null;
  /** Average latency in whole milliseconds; null when not measured. */
  readonly latencyMs: number | null;
  readonly latencyLabel: string | null;
  /** Price in US dollars as a decimal string; null if no price with a known dollar value is advertised. */
  readonly amountUsd: string | null;
  readonly templated: boolean;
  /** CAIP-2 id of the network; null if not advertised. */
  readonly network: string | null;
  /** Confidence, 0 to 1. */
  readonly confidence: number;
}
