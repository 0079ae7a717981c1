import { HOUR_MS, MINUTE_MS } from '@touchstone/common';
import { createStartLimiter, type StartLimiter } from './start-limiter.ts';

/** The parts of a response that can pause its host. */
interface HostResponse {
  /** Null when there was no response. */
  readonly httpStatus: number | null;
  readonly retryAfterSeconds: number | null;
}

export interface HostRateLimiterOptions {
  /** Maximum probe starts per second at one host. */
  readonly perHostPerSecond?: number;
  /** Maximum probe starts per second over all hosts. */
  readonly perSecond?: number;
}

/** Rate limits and pauses of the hosts that this process probes. */
export interface HostRateLimiter extends StartLimiter {
  /** Maximum probe starts per second at one host. */
  readonly perHostPerSecond: number;
  /** Returns the end of the host's pause in milliseconds since the epoch, or null when the host is not paused. */
  readonly getPausedUntil: (host: string, now: number) => number | null;
  /** Updates the pause of a host from one of its responses. `now` is in milliseconds since the epoch. */
  readonly recordResponse: (host: string, response: HostResponse, now: number) => void;
}

const TOO_MANY_REQUESTS = 429;
/** Pause after a first 429 without a longer `Retry-After`. Each further 429 in a row doubles it. */
const FIRST_PAUSE_MS = MINUTE_MS;
/** Maximum pause after a 429 without a longer `Retry-After`. */
const MAX_BACKOFF_MS = HOUR_MS;
/**
 * Maximum pause for a `Retry-After` with an error status other than 429: one probe interval. Without this limit, a host
 * that is down could hide its outage behind the header.
 */
const MAX_ERROR_PAUSE_MS = 30 * MINUTE_MS;
/** Maximum number of doublings; more would exceed `MAX_BACKOFF_MS` anyway. */
const MAX_DOUBLINGS = 10;

interface Pause {
  readonly until: number;
  /** Number of 429 responses in a row, each after the pause of the previous one. */
  readonly times: number;
}

/** Returns the pause of a host after a response, or null when its requests are not restricted. */
function getNextPause(before: Pause | undefined, response: HostResponse, now: number): Pause | null {
  const retryAfterMs = (response.retryAfterSeconds ?? 0) * 1000;
  if (response.httpStatus === TOO_MANY_REQUESTS) {
    // Requests already in flight at the first 429 do not extend the pause.
    const isFurther = before === undefined || before.until <= now;
    const times = (before?.times ?? 0) + (isFurther ? 1 : 0);
    const backoffMs = isFurther ? FIRST_PAUSE_MS * 2 ** Math.min(times - 1, MAX_DOUBLINGS) : 0;
    const pauseMs = Math.max(retryAfterMs, Math.min(backoffMs, MAX_BACKOFF_MS));
    return { until: Math.max(now + pauseMs, before?.until ?? 0), times };
  }
  const isError = response.httpStatus !== null && response.httpStatus >= 400 && response.httpStatus !== 402;
  if (isError && retryAfterMs > 0) {
    const until = now + Math.min(retryAfterMs, MAX_ERROR_PAUSE_MS);
    return { until: Math.max(until, before?.until ?? 0), times: before?.times ?? 0 };
  }
  // A missing response changes nothing, and a running pause is not shortened.
  if (before === undefined || response.httpStatus === null || before.until > now) return before ?? null;
  return null;
}

/**
 * Creates the rate limiter of one process: it limits the starts per host and remembers which hosts are paused.
 *
 * The claim query enforces the rate of a host over all processes. Each process learns a pause from its own probes.
 * Sharing pauses would cost one database write per 429 and save one probe per process.
 *
 * @param options - Two starts per second at one host and no overall limit by default. A start is one probe, which
 * repeats the request with another HTTP method only where the first method was not supported.
 */
export function createHostRateLimiter({
  perHostPerSecond = 2,
  perSecond = Infinity,
}: HostRateLimiterOptions = {}): HostRateLimiter {
  const pauses = new Map<string, Pause>();
  return {
    ...createStartLimiter({ perHostPerSecond, perSecond }),
    perHostPerSecond,
    getPausedUntil: (host, now) => {
      const pause = pauses.get(host);
      return pause !== undefined && pause.until > now ? pause.until : null;
    },
    recordResponse: (host, response, now) => {
      const pause = getNextPause(pauses.get(host), response, now);
      if (pause === null) pauses.delete(host);
      else pauses.set(host, pause);
    },
  };
}

/** Default rate limiter, shared by all batches of this process. */
export const processRateLimiter: HostRateLimiter = createHostRateLimiter();
