import type { DirectorySource } from '@touchstone/catalog';
import type { Prober, Sender } from '@touchstone/probe';
import type { Embedder } from '@touchstone/search';
import type { Db } from '@touchstone/store';
import type { Cipher } from '@touchstone/watch';
import type { ProofReader } from './claims/read-proof.ts';
import type { HostRateLimiter } from './host-rate-limiter.ts';
import type { ChainSource } from './chain-source.ts';
import type { Purchases } from './purchases/purchase-context.ts';
import type { StepContext } from './steps.ts';

/** Cipher and sender of the messages of watches. */
export interface WatchSettings {
  /** Cipher of signing keys and delivery URLs; null if this service has no encryption keys. */
  readonly cipher: Cipher | null;
  /** Sends connection tests and messages. */
  readonly send: Sender;
  /** Base URL of the service, for the links in responses and messages. */
  readonly baseUrl: string;
}

/** External dependencies of the jobs: the database, the network and the clock. */
export interface PipelineContext extends StepContext {
  readonly db: Db;
  readonly prober: Prober;
  /**
   * Canaries: third-party URLs that respond whenever this machine has a network. When no canary responds, probes that
   * failed at the same time count as our own failures. By default, there are no canaries.
   *
   * The prober of the canaries resolves names without a cache, because a cached address would hide a failure of the
   * name servers.
   */
  readonly canaries?: { readonly urls: readonly string[]; readonly prober: Prober };
  /** Rate limiter for the probed hosts; by default the rate limiter that all batches of this process share. */
  readonly rateLimiter?: HostRateLimiter;
  /** Blockchain networks on which settled payments are read; no networks by default. */
  readonly chains?: readonly ChainSource[];
  /**
   * Directories of paid endpoints to read. Listings are stored under the name of their directory, so the name must stay
   * the same when the URL changes.
   */
  readonly directories: readonly DirectorySource[];
  /** Embedder of the search; null or absent for a service that embeds no texts. */
  readonly embedder?: Embedder | null;
  /**
   * Cipher and sender of the messages of watches; null or absent if this process delivers no messages. Without a
   * cipher, messages stay pending.
   */
  readonly watches?: WatchSettings | null;
  /** Reads the proofs of claimed hosts; absent if this process checks no claims. */
  readonly readProof?: ProofReader;
  /** Wallet, budget and sender of test purchases; absent if this process buys nothing. */
  readonly purchases?: Purchases;
  /** `User-Agent` header of directory requests. By default, `fetch` sends its own header. */
  readonly userAgent?: string;
  readonly fetch: typeof globalThis.fetch;
  /** Returns the current time in milliseconds since the epoch. */
  readonly now: () => number;
  /** Host name suffix of the endpoints that are probed; other endpoints are only catalogued. Null allows all hosts. */
  readonly hostSuffix: string | null;
  /** Name of this worker as the owner of leases on probe slots. */
  readonly owner: string;
  /**
   * Refreshes the pages with the given cache tags (see `toPageTags`). Jobs call the function after each scoring, after
   * each count of better alternatives, and after new statistics. The list of tags may be empty. Tags that could not be
   * forwarded are kept and forwarded in the next call.
   */
  readonly onChanged: (tags: readonly string[]) => Promise<void>;
  /** Logs a message for the operator. By default, the message is only in the result of the job. */
  readonly logError?: (message: string) => void;
}

/** Interval between two scheduled probes of an endpoint: 30 minutes. */
export const PROBE_INTERVAL_SECONDS = 1800;
/** Retention of observations, in days. */
export const RETENTION_DAYS = 90;
/** Maximum age of a score snapshot, in seconds: 24 hours. */
export const SNAPSHOT_MAX_AGE_SECONDS = 24 * 60 * 60;
/**
 * Time after which a change of counters alone is scored, in seconds: 4 hours, as in the SQL function
 * `internal.score_interval`.
 */
export const SCORE_INTERVAL_SECONDS = 4 * 60 * 60;
