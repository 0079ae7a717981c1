import type { DirectorySource } from '@touchstone/catalog';
import type { ChainSource } from './chain-source.ts';
import type { Db } from '@touchstone/store';
import type { Prober } from '@touchstone/probe';
import type { Manners } from './manners.ts';

/** Everything the jobs need from outside: the database, the network, the clock. */
export interface PipelineContext {
  readonly db: Db;
  readonly prober: Prober;
  /**
   * URLs that answer whenever this machine can reach anybody, and who asks them: by names that are looked up afresh,
   * because an address that is remembered does not show that the name servers are gone. When none of them answers, what
   * was missed meanwhile is our own failure. None unless given.
   */
  readonly canaries?: { readonly urls: readonly string[]; readonly prober: Prober };
  /** What is owed to the hosts that are asked; what this process knows of all its batches unless given. */
  readonly manners?: Manners;
  /** The networks whose settlements are read; none unless given. */
  readonly chains?: readonly ChainSource[];
  /** The directories that are read. A name stays when the address changes: it is what listings are remembered by. */
  readonly directories: readonly DirectorySource[];
  /** Who asks the directories, in the words of an HTTP header; what `fetch` says by itself unless given. */
  readonly userAgent?: string;
  readonly fetch: typeof globalThis.fetch;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Only endpoints whose host ends with it are probed, the others are catalogued; null probes all. */
  readonly hostSuffix: string | null;
  /** Name under which this worker holds leases. */
  readonly owner: string;
  /**
   * Told after each scoring which endpoints' visible content changed, so that their pages are made anew. What it could
   * not pass on it keeps for the next time, which may bring no ids of its own.
   */
  readonly onChanged: (endpointIds: readonly string[]) => Promise<void>;
}

/** Probes of all endpoints, every half hour (interface section 1). */
export const PROBE_INTERVAL_SECONDS = 1800;
/** Observations are kept this long (interface section 8). */
export const RETENTION_DAYS = 90;
/** Snapshots are computed again at least this often (interface section 8). */
export const SNAPSHOT_MAX_AGE_SECONDS = 24 * 60 * 60;

export const DAY_MS = 24 * 60 * 60 * 1000;
