import type { Grade, Recommendation } from './verdict.ts';

/** What a list says about one endpoint. */
export interface EndpointRow {
  /** Address of the endpoint's own page. */
  readonly href: string;
  readonly resource: string;
  /** As the provider calls it; unverified. */
  readonly serviceName: string | null;
  readonly grade: Grade;
  /** 0 to 100. */
  readonly score: number;
  readonly recommendation: Recommendation;
  /** Percent; null when no probe counted. */
  readonly uptime30d: number | null;
  /** Whole milliseconds; null when none was measured. */
  readonly latencyMs: number | null;
  readonly latencyLabel: string | null;
  /** US dollars as a decimal string; null when none is advertised. */
  readonly amountUsd: string | null;
  readonly templated: boolean;
  /** CAIP-2 id. */
  readonly network: string | null;
  /** 0 to 1. */
  readonly confidence: number;
}
