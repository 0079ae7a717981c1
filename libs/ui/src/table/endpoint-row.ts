import type { Grade, Recommendation } from '@touchstone/contract';

/** Row of an endpoint list. */
export interface EndpointRow {
  /** URL of the endpoint page. */
  readonly href: string;
  readonly resource: string;
  /** Name given by the provider; unverified. */
  readonly serviceName: string | null;
  readonly grade: Grade;
  /** Trust score, 0 to 100. */
  readonly score: number;
  readonly recommendation: Recommendation;
  /** Uptime in percent; null when no probe was scored. */
  readonly uptime30d: number | null;
  /** Average latency in whole milliseconds; null when not measured. */
  readonly latencyMs: number | null;
  readonly latencyLabel: string | null;
  /** Price in US dollars as a decimal string; null if no such price is advertised. */
  readonly amountUsd: string | null;
  readonly templated: boolean;
  /** CAIP-2 id. */
  readonly network: string | null;
  /** Confidence, 0 to 1. */
  readonly confidence: number;
}
