import type { RatePolicy } from '@touchstone/contract';
import { LRUCache } from 'lru-cache';
import { setTimeout as sleep } from 'node:timers/promises';
import { listNetworks } from './client-address.ts';

/** State of the rate limit window of a client after one more request was counted. */
export interface WindowState {
  readonly allowed: boolean;
  /** Number of requests that the client can still send in this window. */
  readonly remaining: number;
  /** End of the window, in milliseconds since the epoch. */
  readonly resetsAt: number;
}

/** Window of a client, or of its wider network, with the policy of this client or network. */
export interface CountedWindow extends WindowState {
  readonly policy: RatePolicy;
}

/**
 * Counter of the requests of each client in this process, with one fixed window per client and policy. Requests of an
 * IPv6 client also count toward the windows of its wider networks, whose limits are higher.
 */
export interface ProcessCounter {
  /** Returns the current window of a client or its network if the window allows no more requests, otherwise null. */
  readonly findExhausted: (client: string, policy: RatePolicy) => CountedWindow | null;
  /**
   * Counts one request, and returns the window of the client. If a wider network is over its limit, returns the window
   * of this network.
   *
   * @param cost Number of requests that the request counts as, 1 by default.
   */
  readonly count: (client: string, policy: RatePolicy, cost?: number) => CountedWindow;
  /**
   * Replaces the window of a client with the window of the shared counter. The shared counter also counts the requests
   * to other processes.
   */
  readonly replace: (client: string, policy: RatePolicy, state: WindowState) => void;
}

interface Window {
  used: number;
  readonly resetsAt: number;
}

/**
 * Maximum number of windows in memory. Above this number, the least recently used window is deleted. One IPv6 /48 has
 * 65,536 networks of /64, so an attacker can delete the windows of others, but not the window of this /48: each request
 * of the attacker uses it.
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
    // Without the upper limit, a clock that is set back would make the window longer.
    const remainingMs = found.resetsAt - now();
    return remainingMs > 0 && remainingMs <= 2_000 * windowSeconds ? found : null;
  };
  const toState = ({ used, resetsAt }: Window, policy: RatePolicy): CountedWindow => ({
    allowed: used <= policy.limit,
    remaining: Math.max(0, policy.limit - used),
    resetsAt,
    policy,
  });
  const countOne = (network: string, policy: RatePolicy, cost: number): CountedWindow => {
    let window = find(network, policy);
    if (window === null) {
      window = { used: 0, resetsAt: now() + 1_000 * policy.windowSeconds };
      windows.set(`${policy.name} ${network}`, window);
    }
    window.used += cost;
    return toState(window, policy);
  };
  return {
    findExhausted: (client, policy) => {
      for (const [network, limited] of listLimits(client, policy)) {
        const found = find(network, limited);
        if (found !== null && found.used >= limited.limit) return toState(found, limited);
      }
      return null;
    },
    count: (client, policy, cost = 1) => {
      const own = countOne(client, policy, cost);
      if (!own.allowed) return own;
      const [, ...wider] = listLimits(client, policy);
      for (const [network, limited] of wider) {
        const state = countOne(network, limited, cost);
        if (!state.allowed) return state;
      }
      return own;
    },
    replace: (client, policy, { allowed, remaining, resetsAt }) => {
      const used = policy.limit - remaining + (allowed ? 0 : 1);
      if (used > (find(client, policy)?.used ?? 0))
        windows.set(`${policy.name} ${client}`, { used, resetsAt });
    },
  };
}

/** Lists the networks of a client that are counted, each with its policy. The client itself is the first one. */
function listLimits(client: string, policy: RatePolicy): readonly (readonly [string, RatePolicy])[] {
  return listNetworks(client).map(({ network, factor }) => [
    network,
    { ...policy, limit: factor * policy.limit },
  ]);
}

/** Counts requests of a client in the database. Resolves to null if the database is unavailable. */
export type SharedCount = (client: string, policy: RatePolicy, cost: number) => Promise<WindowState | null>;

type Consume = (client: string, policy: RatePolicy, cost: number) => Promise<WindowState>;

/** Maximum time for one call of the rate limit counter, in milliseconds. */
const COUNTER_TIMEOUT_MS = 500;

/**
 * Pause of the shared counter after a failed call, in milliseconds. During an outage, the pause keeps most requests
 * fast.
 */
const COUNTER_PAUSE_MS = 5_000;

/**
 * Adds a timeout to the shared rate limit counter, and pauses the counter for five seconds after a failed call. During
 * the pause, the limiters use the counts of this process.
 *
 * @param now Returns the current time in milliseconds since the epoch.
 * @returns Counter with a timeout. Its result is null during the pause, or if the call fails or times out.
 */
export function withCounterTimeout(consume: Consume, now: () => number): SharedCount {
  let pausedUntil = -Infinity;
  return async (client, policy, cost) => {
    const remainingMs = pausedUntil - now();
    // Without the upper limit, a clock that is set back would make the pause longer.
    if (remainingMs > 0 && remainingMs <= COUNTER_PAUSE_MS) return null;
    const timeout = sleep(COUNTER_TIMEOUT_MS, null, { ref: false });
    const state = await Promise.race([consume(client, policy, cost).catch(() => null), timeout]);
    if (state === null) pausedUntil = now() + COUNTER_PAUSE_MS;
    return state;
  };
}
