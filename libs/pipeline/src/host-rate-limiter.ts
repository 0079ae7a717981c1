import { HOUR_MS, MINUTE_MS, type Redirect } from '@touchstone/common';
import type { AcquireHost } from '@touchstone/probe';

/** Properties of a response that can pause the probes of its host. */
interface HostResponse {
  /** HTTP status; null when there was no response. */
  readonly httpStatus: number | null;
  readonly retryAfterSeconds: number | null;
  /** Redirects that were followed; the host of the last target sent the response. */
  readonly redirects?: readonly Redirect[];
}

export interface HostRateLimiterOptions {
  /** Maximum probe starts per second at one host. */
  readonly perHostPerSecond?: number;
  /** Maximum probe starts per second over all hosts. */
  readonly perSecond?: number;
}

interface StartRequest {
  readonly host: string;
  /** Urgent requests are granted before all other waiting requests. */
  readonly isUrgent: boolean;
  /** Cancels the request. A cancelled request does not count against the rates. */
  readonly signal: AbortSignal;
}

/** Limiter for the probe starts of one process, with a rate per host and an overall rate. */
interface StartLimiter {
  /**
   * Returns the milliseconds until the rate of a host allows another start, or 0 if the rate allows a start now. No
   * start is reserved.
   */
  readonly getDelayMs: (host: string) => number;
  /**
   * Waits until a probe of the host may start, and counts the start. Resolves to false when the signal was aborted
   * before the start.
   */
  readonly acquire: (request: StartRequest) => Promise<boolean>;
}

/** Rate limits and pauses of the hosts that this process probes. */
export interface HostRateLimiter extends StartLimiter {
  /** Maximum probe starts per second at one host. */
  readonly perHostPerSecond: number;
  /** Returns the end of a host's pause in milliseconds since the epoch, or null when the host is not paused. */
  readonly getPausedUntil: (host: string, now: number) => number | null;
  /**
   * Updates the pause of the requested host, or of the host of the last redirect target, after its response. `now` is in
   * milliseconds since the epoch.
   */
  readonly recordResponse: (host: string, response: HostResponse, now: number) => void;
}

const TOO_MANY_REQUESTS = 429;
/** Pause after the first 429 of a host, unless `Retry-After` is longer. Each further 429 in a row doubles the pause. */
const FIRST_PAUSE_MS = MINUTE_MS;
/** Maximum pause after a 429, unless `Retry-After` is longer. */
const MAX_BACKOFF_MS = HOUR_MS;
/**
 * Maximum pause for a `Retry-After` with an error status other than 429: one probe interval. Without this limit, a host
 * that is down could hide its outage with a long `Retry-After`.
 */
const MAX_ERROR_PAUSE_MS = 30 * MINUTE_MS;
/** Maximum number of doublings of the pause. Ten doublings already exceed `MAX_BACKOFF_MS`. */
const MAX_DOUBLINGS = 10;

/** Maximum time by which the clock can be set back without the end of a pause, in milliseconds. */
const MAX_CLOCK_STEP_MS = 5 * MINUTE_MS;

/** Maximum number of hosts in memory. Above this number, all hosts that may be probed now are deleted from memory. */
const MAX_REMEMBERED_HOSTS = 10_000;

interface Pause {
  readonly until: number;
  /** Time of the response that last changed the pause. */
  readonly setAt: number;
  /** Number of 429 responses in a row. A 429 that arrives during a pause is not counted. */
  readonly times: number;
}

/**
 * Returns the pause to store for a host after a response; null to delete the stored pause.
 * - Status 429: a pause of one minute, which each further 429 in a row doubles, up to an hour. A longer `Retry-After`
 *   is respected. A 429 during a pause belongs to a request that was already in flight, so this 429 does not double the
 *   pause.
 * - Another error status with `Retry-After`: a pause of this time, at most one probe interval.
 * - No response: the stored pause stays.
 * - Any other response: the series of 429 responses ends. A running pause is not shortened.
 */
function getNextPause(before: Pause | undefined, response: HostResponse, now: number): Pause | null {
  const retryAfterMs = (response.retryAfterSeconds ?? 0) * 1000;
  if (response.httpStatus === TOO_MANY_REQUESTS) {
    const isFurther = before === undefined || before.until <= now;
    const times = (before?.times ?? 0) + (isFurther ? 1 : 0);
    const backoffMs = isFurther ? FIRST_PAUSE_MS * 2 ** Math.min(times - 1, MAX_DOUBLINGS) : 0;
    const pauseMs = Math.max(retryAfterMs, Math.min(backoffMs, MAX_BACKOFF_MS));
    return { until: Math.max(now + pauseMs, before?.until ?? 0), setAt: now, times };
  }
  const isError = response.httpStatus !== null && response.httpStatus >= 400 && response.httpStatus !== 402;
  if (isError && retryAfterMs > 0) {
    const until = now + Math.min(retryAfterMs, MAX_ERROR_PAUSE_MS);
    return { until: Math.max(until, before?.until ?? 0), setAt: now, times: before?.times ?? 0 };
  }
  const isKept = response.httpStatus === null || (before !== undefined && before.until > now);
  return isKept ? (before ?? null) : null;
}

/**
 * Creates the rate limiter of one process, which limits the probe starts per host and stores which hosts are paused.
 *
 * The database query that claims probe slots enforces the rate of a host over all processes. Pauses are not shared:
 * each process detects them from the responses to its own probes. Sharing pauses would cost one database write per 429
 * and save one probe per process.
 *
 * @param options By default two starts per second at one host, without an overall limit. A start is one probe. A probe
 * sends further requests only for other HTTP methods and redirects, at most 8 in total. A redirect to another host is
 * also a start at this host.
 */
export function createHostRateLimiter({
  perHostPerSecond = 2,
  perSecond = Infinity,
}: HostRateLimiterOptions = {}): HostRateLimiter {
  const pauses = new Map<string, Pause>();
  /**
   * Returns the stored pause of a host. A pause that was set after `now` is dropped, because the clock has been set
   * back.
   */
  const getPause = (host: string, now: number): Pause | undefined => {
    const pause = pauses.get(host);
    return pause !== undefined && pause.setAt <= now + MAX_CLOCK_STEP_MS ? pause : undefined;
  };
  return {
    ...createStartLimiter({ perHostPerSecond, perSecond }),
    perHostPerSecond,
    getPausedUntil: (host, now) => {
      const pause = getPause(host, now);
      return pause !== undefined && pause.until > now ? pause.until : null;
    },
    recordResponse: (requestedHost, response, now) => {
      const target = response.redirects?.at(-1);
      const host = target === undefined ? requestedHost : removeTrailingDot(new URL(target.url).hostname);
      const pause = getNextPause(getPause(host, now), response, now);
      if (pause === null) pauses.delete(host);
      else pauses.set(host, pause);
      if (pauses.size > MAX_REMEMBERED_HOSTS) deleteEnded(pauses, now);
    },
  };
}

/** Deletes the pauses that have ended. The next 429 of such a host begins a new series. */
function deleteEnded(pauses: Map<string, Pause>, now: number): void {
  for (const [host, { until }] of pauses) if (until <= now) pauses.delete(host);
}

/** Returns a host name without the trailing dot, with which the name would count as another host. */
function removeTrailingDot(hostname: string): string {
  return hostname.replace(/\.$/, '');
}

/**
 * Creates the function that limits the requests to the targets of redirects. A redirect counts as a probe start at the
 * host of its target. Otherwise, a provider could direct thousands of probes to a host by listing URLs that redirect.
 */
export function createHostAcquirer(rateLimiter: HostRateLimiter): AcquireHost {
  return async (request) => {
    const host = removeTrailingDot(request.host);
    if (rateLimiter.getPausedUntil(host, Date.now()) !== null) return false;
    return rateLimiter.acquire({ ...request, host });
  };
}

interface Waiter {
  readonly host: string;
  readonly grant: () => void;
}

/** Milliseconds by which a timer may fire late without lowering the overall rate. */
const MAX_TIMER_LATENESS_MS = 20;
/**
 * Creates a limiter that grants a start only when the probe can start. No start is reserved in advance. An urgent
 * request therefore waits only for the next start, and a cancelled request wastes no start.
 *
 * Requests of the same urgency are granted in the order in which they were made. A request whose host allows no start
 * yet does not delay other requests.
 */
export function createStartLimiter({
  perHostPerSecond,
  perSecond,
}: Required<HostRateLimiterOptions>): StartLimiter {
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

/** Default rate limiter, shared by all batches of this process. */
export const processRateLimiter: HostRateLimiter = createHostRateLimiter();
