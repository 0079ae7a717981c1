import type { Db } from '@touchstone/store';
import type { Prober } from '@touchstone/probe';

/** Everything the jobs need from outside: the database, the network, the clock. */
export interface PipelineContext {
  readonly db: Db;
  readonly prober: Prober;
  /** Base URLs of the directories that are read. */
  readonly directories: readonly string[];
  readonly fetch: typeof globalThis.fetch;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Whether endpoints of a host are probed, or only catalogued. */
  readonly probes: (host: string) => boolean;
  /** Name under which this worker holds leases. */
  readonly owner: string;
  /** Told which endpoints' visible content changed, so that their pages are made anew. */
  readonly onChanged: (endpointIds: readonly string[]) => Promise<void>;
}

/** Probes of all endpoints, every half hour (interface section 1). */
export const PROBE_INTERVAL_SECONDS = 1800;
/** Observations are kept this long (interface section 8). */
export const RETENTION_DAYS = 90;
/** Snapshots are computed again at least this often (interface section 8). */
export const SNAPSHOT_MAX_AGE_SECONDS = 24 * 60 * 60;

export const DAY_MS = 24 * 60 * 60 * 1000;
