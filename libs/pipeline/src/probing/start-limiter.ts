interface StartLimiterOptions {
  /** Maximum starts per second at one host. */
  readonly perHostPerSecond: number;
  /** Maximum starts per second over all hosts. */
  readonly perSecond: number;
}

interface StartRequest {
  readonly host: string;
  /** Urgent requests are granted before all other waiting requests. */
  readonly isUrgent: boolean;
  /** Cancels the request. A cancelled request does not count against the rates. */
  readonly signal: AbortSignal;
}

/** Limiter for the probe starts of one process, with a rate per host and an overall rate. */
export interface StartLimiter {
  /**
   * Returns the milliseconds until the rate of a host allows another start, or 0 if it allows one now. It does not
   * reserve a start.
   */
  readonly getDelayMs: (host: string) => number;
  /**
   * Waits until a probe of the host may start, and counts the start. Resolves to false when the signal was aborted
   * first.
   */
  readonly acquire: (request: StartRequest) => Promise<boolean>;
}

interface Waiter {
  readonly host: string;
  readonly grant: () => void;
}

/** Milliseconds by which a timer may fire late without lowering the overall rate. */
const MAX_TIMER_LATENESS_MS = 20;
/** When more hosts than this are stored, those that may be probed now are deleted from memory. */
const MAX_REMEMBERED_HOSTS = 10_000;

/**
 * Creates a limiter that grants each start at the moment of its use and reserves none in advance. An urgent request
 * therefore waits only for the next start, and a cancelled request wastes no start.
 *
 * Requests of the same urgency are granted in the order in which they were made. Requests whose host allows no start
 * yet are passed over.
 */
export function createStartLimiter({ perHostPerSecond, perSecond }: StartLimiterOptions): StartLimiter {
  const hostsFreeAt = new Map<string, number>();
  let freeAt = 0;
  const urgentWaiters = new Set<Waiter>();
  const otherWaiters = new Set<Waiter>();
  let timer: NodeJS.Timeout | undefined;

  const useStart = (host: string, now: number): void => {
    freeAt = Math.max(freeAt, now - MAX_TIMER_LATENESS_MS) + 1000 / perSecond;
    hostsFreeAt.set(host, now + 1000 / perHostPerSecond);
    if (hostsFreeAt.size <= MAX_REMEMBERED_HOSTS) return;
    for (const [one, at] of hostsFreeAt) if (at <= now) hostsFreeAt.delete(one);
  };
  /** Grants every waiting request that may start now. Returns the time at which the next request may start. */
  const grantFrom = (waiters: Set<Waiter>, now: number): number => {
    let nextAt = Infinity;
    for (const waiter of waiters) {
      if (freeAt > now) return Math.min(nextAt, freeAt);
      const hostFreeAt = hostsFreeAt.get(waiter.host) ?? 0;
      if (hostFreeAt > now) {
        nextAt = Math.min(nextAt, hostFreeAt);
        continue;
      }
      waiters.delete(waiter);
      useStart(waiter.host, now);
      waiter.grant();
    }
    return nextAt;
  };
  const grantAll = (): void => {
    clearTimeout(timer);
    const now = performance.now();
    const nextAt = Math.min(grantFrom(urgentWaiters, now), grantFrom(otherWaiters, now));
    if (nextAt < Infinity) timer = setTimeout(grantAll, Math.max(1, nextAt - now));
  };
  return {
    getDelayMs: (host) => Math.max(0, (hostsFreeAt.get(host) ?? 0) - performance.now()),
    acquire: ({ host, isUrgent, signal }) => {
      if (signal.aborted) return Promise.resolve(false);
      const { promise, resolve } = Promise.withResolvers<boolean>();
      const waiters = isUrgent ? urgentWaiters : otherWaiters;
      const cancel = (): void => {
        waiters.delete(waiter);
        resolve(false);
      };
      const grant = (): void => {
        signal.removeEventListener('abort', cancel);
        resolve(true);
      };
      const waiter: Waiter = { host, grant };
      waiters.add(waiter);
      signal.addEventListener('abort', cancel, { once: true });
      grantAll();
      return promise;
    },
  };
}
