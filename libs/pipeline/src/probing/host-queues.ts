import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import type { HostRateLimiter } from '../host-rate-limiter.ts';

export interface HostQueueRun<Item extends { readonly host: string }> {
  readonly items: readonly Item[];
  /** Probes one item. After a rejection, no further probe is started. */
  readonly probe: (item: Item) => Promise<void>;
  /** Maximum number of concurrent probes, over all hosts and per host. */
  readonly limits: { readonly inFlight: number; readonly perHost: number };
  readonly rateLimiter: Pick<HostRateLimiter, 'getPausedUntil' | 'getDelayMs' | 'acquire'>;
  /**
   * True for an urgent run. The rate limiter grants the probes of an urgent run before all other probes of this
   * process.
   */
  readonly isUrgent: boolean;
  /** Returns the time in milliseconds since the epoch that is compared with the pauses of hosts. */
  readonly now: () => number;
  /** Signal that stops the run: after its abort, no further probe is started. */
  readonly stop: AbortSignal;
}

/** Items that were not probed: `paused` because their host is paused, `late` because the run was stopped. */
export interface Unprobed<Item> {
  readonly paused: readonly Item[];
  readonly late: readonly Item[];
}

type Worker = () => Promise<void>;
/**
 * Started probe. `finished` resolves at the end of the probe. The object wraps this promise, because `await` on the
 * promise itself would wait for the end of the probe.
 */
interface StartedProbe {
  readonly finished: Promise<void>;
}
type ConcurrencyLimit = ReturnType<typeof pLimit>;

/** Waits for a free slot of the concurrency limit. The returned function frees the slot. */
function acquireSlot(limit: ConcurrencyLimit): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<() => void>();
  void limit(() => new Promise<void>((free) => resolve(free)));
  return promise;
}

/** Creates the workers that probe the queue of one host. */
function createHostWorkers<Item extends { readonly host: string }>(
  host: string,
  queue: Item[],
  run: HostQueueRun<Item> & { readonly overall: ConcurrencyLimit },
): readonly Worker[] {
  const { rateLimiter, now, stop, isUrgent, overall, probe } = run;
  // Only one worker of this host waits for the rate limiter at a time. The other workers of the host wait here and
  // occupy no slot of the shared concurrency limit.
  const oneAtATime = pLimit(1);
  const mayStart = (): boolean =>
    queue.length > 0 && !stop.aborted && rateLimiter.getPausedUntil(host, now()) === null;
  const startNext = async (freeSlot: () => void): Promise<StartedProbe | undefined> => {
    // The rate limiter grants the start immediately before the probe. The pause of the host is checked again
    // afterwards, because the pause can begin while a worker waits.
    const item =
      mayStart() && (await rateLimiter.acquire({ host, isUrgent, signal: stop })) && mayStart()
        ? queue.shift()
        : undefined;
    if (item === undefined) freeSlot();
    return item === undefined ? undefined : { finished: probe(item).finally(freeSlot) };
  };
  const waitAndStart = async () => {
    if (!mayStart()) return undefined;
    // A worker that waits for the rate limit of its host uses no slot of the concurrency limit that all hosts share.
    const delayMs = rateLimiter.getDelayMs(host);
    if (delayMs > 0) await sleep(delayMs, undefined, { signal: stop }).catch(() => undefined);
    return startNext(await acquireSlot(overall));
  };
  const worker: Worker = async () => {
    while (mayStart()) await (await oneAtATime(waitAndStart))?.finished;
  };
  return Array.from({ length: Math.min(run.limits.perHost, queue.length) }, () => worker);
}

/**
 * Probes all items through one queue per host, so that a slow or strictly limited host does not delay other hosts. When
 * a host becomes paused, its remaining items are not probed. The function always waits for probes in flight.
 *
 * @returns The items that were not probed. Rejects with the first failure of `probe`, after all probes in flight have
 * ended.
 */
export async function runHostQueues<Item extends { readonly host: string }>(
  run: HostQueueRun<Item>,
): Promise<Unprobed<Item>> {
  const failure = new AbortController();
  const stop = AbortSignal.any([run.stop, failure.signal]);
  const overall = pLimit(run.limits.inFlight);
  const queues = Map.groupBy(run.items, ({ host }) => host);
  const workers = [...queues].flatMap(([host, queue]) =>
    createHostWorkers(host, queue, { ...run, stop, overall }),
  );
  const ends = workers.map((worker) =>
    worker().catch((error: unknown) => {
      failure.abort();
      throw error;
    }),
  );
  const failed = (await Promise.allSettled(ends)).find((end) => end.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  const isPaused = (host: string): boolean => run.rateLimiter.getPausedUntil(host, run.now()) !== null;
  const rest = [...queues].map(([host, queue]) => ({ isPaused: isPaused(host), queue }));
  return {
    paused: rest.flatMap((one) => (one.isPaused ? one.queue : [])),
    late: rest.flatMap((one) => (one.isPaused ? [] : one.queue)),
  };
}
