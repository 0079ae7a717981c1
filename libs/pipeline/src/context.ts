import type { DirectorySource } from '@touchstone/catalog';
import type { Prober } from '@touchstone/probe';
import type { Db } from '@touchstone/store';
import type { HostRateLimiter } from './probing/host-rate-limiter.ts';
import type { ChainSource } from './settlement/chain-source.ts';

/** External dependencies of the jobs: the database, the network and the clock. */
export interface PipelineContext {
  readonly db: Db;
  readonly prober: Prober;
  /**
   * Canary URLs, which respond whenever this machine has a network, and their prober. When none of them responds, the
   * misses of the same time are our own failures. The prober resolves names without a cache, because a cached address
   * would hide a failure of the name servers. No canaries by default.
   */
  readonly canaries?: { readonly urls: readonly string[]; readonly prober: Prober };
  /** Rate limits of the probed hosts; by default the limiter that all batches of this process share. */
  readonly rateLimiter?: HostRateLimiter;
  /** Networks whose settlements are read; none by default. */
  readonly chains?: readonly ChainSource[];
  /** Directories to read. Listings are stored under the name of a directory, so the name stays when its URL changes. */
  readonly directories: readonly DirectorySource[];
  /** `User-Agent` header for directory requests; the default of `fetch` if absent. */
  readonly userAgent?: string;
  readonly fetch: typeof globalThis.fetch;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Suffix of the hosts that are probed; endpoints of other hosts are only catalogued. Null probes all hosts. */
  readonly hostSuffix: string | null;
  /** Name under which this worker holds leases. */
  readonly owner: string;
  /**
   * Called after each scoring with the endpoints whose visible content changed, to refresh their pages. Ids that it could
   * not forward are kept for its next call, which may have no ids.
   */
  readonly onChanged: (endpointIds: readonly string[]) => Promise<void>;
}

/** Interval between two probes of an endpoint: 30 minutes (interface section 1). */
export const PROBE_INTERVAL_SECONDS = 1800;
/** Retention of observations (interface section 8). */
export const RETENTION_DAYS = 90;
/** Maximum age of a snapshot before it is computed again: 24 hours (interface section 8). */
export const SNAPSHOT_MAX_AGE_SECONDS = 24 * 60 * 60;
