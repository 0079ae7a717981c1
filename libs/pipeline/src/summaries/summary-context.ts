import type { Db } from '@touchstone/store';

/** External dependencies of endpoint summaries. */
export interface SummaryContext {
  readonly db: Db;
  /** Base URL of the service that makes the summaries. */
  readonly baseUrl: string;
  /** Location from which latency is measured, as it appears in the summaries. */
  readonly vantage: string;
  /** Returns the current time in milliseconds since the epoch. */
  readonly now: () => number;
}

/** Request for the summary of one endpoint. Either `resource` or `endpointId` is set. */
export interface SummaryRequest {
  /** URL of the endpoint in any spelling. */
  readonly resource: string | null;
  readonly endpointId: string | null;
  /** Address whose observations are requested; null without an address. */
  readonly payTo: string | null;
  /** Network of the address: a CAIP-2 id or a name of version 1; null for all networks. */
  readonly network: string | null;
}
