import type { RatePolicy } from '@touchstone/contract';
import { LRUCache } from 'lru-cache';

/** State of the rate limit window of a client after one more request was counted. */
export interface WindowState {
  readonly allowed: boolean;
  /** Number of requests that the client can still send in this window. */
  readonly remaining: number;
  /** End of the window, in milliseconds since the epoch. */
  readonly resetsAt: number;
}

/** Counter of the requests of each client in this process, with one fixed window per client and policy. */
export interface ProcessCounter {
  /** Returns the current window of a client if it allows no more requests, otherwise null. */
  readonly findExhausted: (client: string, policy: RatePolicy) => WindowState | null;
  /** Counts one request. */
  readonly count: (client: string, policy: RatePolicy) => WindowState;
  /** Replaces the window of a client by one in which other processes have counted more requests. */
  readonly replace: (client: string, policy: RatePolicy, state: WindowState) => void;
}

interface Window {
  used: number;
  readonly resetsAt: number;
}

/**
 * Maximum number of windows in memory. Above it, the window that was not used for the longest time is deleted, so an
 * attacker needs as many addresses to reset its own window.
 */
const MAX_WINDOWS = 50_000;

/**
 * Creates a counter in memory.
 *
 * @param now Returns the current time in milliseconds since the epoch.
 */
export function createProcessCounter(now: () => number, maxWindows = MAX_WINDOWS): ProcessCounter {
  const windows = new LRUCache<string, Window>({ max: maxWindows });
  const find = (client: string, { name, windowSeconds }: RatePolicy): Window | null => {
    const found = windows.get(`${name} ${client}`);
    if (found === undefined) return null;
    // After a jump of the clock into the past, a window would otherwise last for the length of the jump.
    const remainingMs = found.resetsAt - now();
    return remainingMs > 0 && remainingMs <= 2_000 * windowSeconds ? found : null;
  };
  const toState = ({ used, resetsAt }: Window, { limit }: RatePolicy): WindowState => ({
    allowed: used <= limit,
    remaining: Math.max(0, limit - used),
    resetsAt,
  });
  return {
    findExhausted: (client, policy) => {
      const found = find(client, policy);
      return found !== null && found.used >= policy.limit ? toState(found, policy) : null;
    },
    count: (client, policy) => {
      let window = find(client, policy);
      if (window === null) {
        window = { used: 0, resetsAt: now() + 1_000 * policy.windowSeconds };
        windows.set(`${policy.name} ${client}`, window);
      }
      window.used += 1;
      return toState(window, policy);
    },
    replace: (client, policy, { allowed, remaining, resetsAt }) => {
      const used = policy.limit - remaining + (allowed ? 0 : 1);
      if (used > (find(client, policy)?.used ?? 0))
        windows.set(`${policy.name} ${client}`, { used, resetsAt });
    },
  };
}
