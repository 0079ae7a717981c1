interface PaceOptions {
  /** Starts a second at one host. */
  readonly perHostPerSecond: number;
  /** Starts a second in all. */
  readonly perSecond: number;
}

interface StartOrder {
  readonly host: string;
  /** What cannot wait: it goes before everything else that waits. */
  readonly urgent: boolean;
  /** Ends the waiting; nothing is taken then. */
  readonly signal: AbortSignal;
}

/** When something may be started, for everything in a process that starts something. */
export interface Pace {
  /** Milliseconds until a host may be asked again as far as is known now, 0 when it may. Takes nothing. */
  readonly restMs: (host: string) => number;
  /** Waits until something may be started at a host, and takes that start. False when it was told to wait no longer. */
  readonly start: (order: StartOrder) => Promise<boolean>;
}

interface Waiter {
  readonly host: string;
  readonly go: () => void;
}

/** So late a timer may be without a start in all being lost for it. */
const TIMER_LATENESS_MS = 20;
/** Hosts that are remembered at most before those that may be asked are forgotten. */
const REMEMBERED = 10_000;

/**
 * Hands out starts at the moment at which they are used, never in advance: so what is urgent waits for the next one
 * only, and whoever stops waiting takes none with him. Of equals, the one that waits longest and whose host may be asked
 * goes first.
 */
export function createPace({ perHostPerSecond, perSecond }: PaceOptions): Pace {
  const hostsFreeAt = new Map<string, number>();
  let freeAt = 0;
  const urgent = new Set<Waiter>();
  const others = new Set<Waiter>();
  let timer: NodeJS.Timeout | undefined;

  const take = (host: string, now: number): void => {
    freeAt = Math.max(freeAt, now - TIMER_LATENESS_MS) + 1000 / perSecond;
    hostsFreeAt.set(host, now + 1000 / perHostPerSecond);
    if (hostsFreeAt.size <= REMEMBERED) return;
    for (const [one, at] of hostsFreeAt) if (at <= now) hostsFreeAt.delete(one);
  };
  /** Starts what may be started now of those that wait, and returns when the next of them may. */
  const startAmong = (waiters: Set<Waiter>, now: number): number => {
    let nextAt = Infinity;
    for (const waiter of waiters) {
      if (freeAt > now) return Math.min(nextAt, freeAt);
      const at = hostsFreeAt.get(waiter.host) ?? 0;
      if (at > now) {
        nextAt = Math.min(nextAt, at);
        continue;
      }
      waiters.delete(waiter);
      take(waiter.host, now);
      waiter.go();
    }
    return nextAt;
  };
  const hand = (): void => {
    clearTimeout(timer);
    const now = performance.now();
    const nextAt = Math.min(startAmong(urgent, now), startAmong(others, now));
    if (nextAt < Infinity) timer = setTimeout(hand, Math.max(1, nextAt - now));
  };
  return {
    restMs: (host) => Math.max(0, (hostsFreeAt.get(host) ?? 0) - performance.now()),
    start: ({ host, urgent: isUrgent, signal }) => {
      if (signal.aborted) return Promise.resolve(false);
      const { promise, resolve } = Promise.withResolvers<boolean>();
      const waiters = isUrgent ? urgent : others;
      const giveUp = (): void => {
        waiters.delete(waiter);
        resolve(false);
      };
      const go = (): void => {
        signal.removeEventListener('abort', giveUp);
        resolve(true);
      };
      const waiter: Waiter = { host, go };
      waiters.add(waiter);
      signal.addEventListener('abort', giveUp, { once: true });
      hand();
      return promise;
    },
  };
}
