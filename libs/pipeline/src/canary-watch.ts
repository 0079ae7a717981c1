import { setTimeout as sleep } from 'node:timers/promises';
import type { PipelineContext } from './context.ts';

type Canaries = NonNullable<PipelineContext['canaries']>;

/** To be called when something was missed: whether that was our own line. */
export type WasOurFault = () => Promise<boolean>;

/** Canaries belong to others: they are asked six times a minute at most, and only while something is missed. */
const ROUND_EVERY_MS = 10_000;

/** Whether none of them gives an HTTP answer, whatever it says. */
async function areSilent({ urls, prober }: Canaries): Promise<boolean> {
  const probes = await Promise.all(urls.map((url) => prober({ url, methods: ['GET'] })));
  return probes.every(({ httpStatus }) => httpStatus === null);
}

/**
 * Asks canaries on behalf of everything that is missed. A miss is judged by the round that begins after it, which all
 * that is missed meanwhile share, and by the one before where that is no older than two of them: when either finds no
 * canary, the miss is our own.
 *
 * @param everyMs - Milliseconds from the beginning of a round to that of the next at least. So long, and as long as a
 * round takes, a verdict is waited for.
 * @returns What rejects when the canaries' prober does.
 */
export function createCanaryWatch(canaries: Canaries | undefined, everyMs = ROUND_EVERY_MS): WasOurFault {
  if (canaries === undefined || canaries.urls.length === 0) return () => Promise.resolve(false);
  let last = { beganAt: -Infinity, silent: Promise.resolve(false) };
  let next: Promise<boolean> | null = null;
  const begin = async (): Promise<boolean> => {
    const waitMs = last.beganAt + everyMs - performance.now();
    // Also without waiting not before the next turn, so that the round begins after whatever asked for it.
    await sleep(Math.max(0, waitMs));
    next = null;
    last = { beganAt: performance.now(), silent: areSilent(canaries) };
    return last.silent;
  };
  return async () => {
    const isRecent = performance.now() - last.beganAt <= 2 * everyMs;
    const before = isRecent ? last.silent : false;
    next ??= begin();
    return (await Promise.all([before, next])).includes(true);
  };
}

const watches = new WeakMap<Canaries, WasOurFault>();

/** The one watch that all batches of this process share over the same canaries. */
export function canaryWatchOf(canaries: Canaries | undefined): WasOurFault {
  const known = canaries && watches.get(canaries);
  if (known !== undefined) return known;
  const watch = createCanaryWatch(canaries);
  if (canaries !== undefined) watches.set(canaries, watch);
  return watch;
}
