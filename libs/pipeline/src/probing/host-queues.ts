import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import type { HostRateLimiter } from './host-rate-limiter.ts';

export interface HostQueueRun<Item extends { readonly host: string }> {
  readonly items: readonly Item[];
  /** Probes one item. When it rejects, no further probe is started. */
  readonly probe: (item: Item) => Promise<void>;
  /** Maximum number of concurrent probes, over all hosts and per host. */
  readonly limits: { readonly inFlight: number; readonly perHost: number };
  readonly rateLimiter: Pick<HostRateLimiter, 'getPausedUntil' | 'getDelayMs' | 'acquire'>;
  /** Starts of an urgent run are granted before all others in this process. */
  readonly isUrgent: boolean;
  /** Milliseconds since the epoch, for the pauses of hosts. */
  readonly now: () => number;
  /** No probe is started after it is aborted. */
  readonly stop: AbortSignal;
}

/** Items that were not probed: because their host is paused, or because the run was stopped. */
export interface Unprobed<Item> {
  readonly paused: readonly Item[];
  readonly late: readonly Item[];
}

type Worker = () => Promise<void>;
/** A started probe. The wrapper object keeps `await` from waiting for the end of the probe as well. */
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

/** Creates the workers of one host. Together they probe the items of its queue. */
function createHostWorkers<Item extends { readonly host: string }>(
  host: string,
  queue: Item[],
  run: HostQueueRun<Item> & { readonly overall: ConcurrencyLimit },
): readonly Worker[] {
  const { rateLimiter, now, stop, isUrgent, overall, probe } = run;
  // One worker at a time waits for the host, so that no worker holds a start that another one needs.
  const oneAtATime = pLimit(1);
  const mayStart = (): boolean =>
    queue.length > 0 && !stop.aborted && rateLimiter.getPausedUntil(host, now()) === null;
  const startNext = async (freeSlot: () => void): Promise<StartedProbe | undefined> => {
    // The start is acquired last, immediately before its use. The host can be paused while a worker waits for it.
    const item =
      mayStart() && (await rateLimiter.acquire({ host, isUrgent, signal: stop })) && mayStart()
        ? queue.shift()
        : undefined;
    if (item === undefined) freeSlot();
    return item === undefined ? undefined : { finished: probe(item).finally(freeSlot) };
  };
  const waitAndStart = async () => {
    if (!mayStart()) return undefined;
    // A worker that waits for its host occupies no slot of the limit that all hosts share.
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
 * Probes all items through one queue per host, so that a slow or strictly limited host does not delay the others. A host
 * that becomes paused gets no further probes. Probes in flight are always awaited.
 *
 * @returns The items that were not probed. Rejects with the first failure of `probe`, after all probes in flight ended.
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
  const rest = [...queues].map(([host, queue]) => ({ isPaused: isPaused(run, host), queue }));
  return {
    paused: rest.flatMap((one) => (one.isPaused ? one.queue : [])),
    late: rest.flatMap((one) => (one.isPaused ? [] : one.queue)),
  };
}

function isPaused(
  { rateLimiter, now }: Pick<HostQueueRun<never>, 'rateLimiter' | 'now'>,
  host: string,
): boolean {
  return rateLimiter.getPausedUntil(host, now()) !== null;
}
