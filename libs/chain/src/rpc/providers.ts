import { createProvider, type Provider } from './provider.ts';
import { ChainUnreadableError, RpcFailure } from './rpc-failure.ts';

export interface ProvidersOptions {
  /** CAIP-2 id. */
  readonly network: string;
  /** In the order in which they are preferred; at least one. */
  readonly urls: readonly string[];
  readonly fetch: typeof globalThis.fetch;
  readonly sleep: (ms: number) => Promise<void>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Of one request; 20 seconds unless told otherwise. */
  readonly timeoutMs?: number;
}

/** The providers of a network, with what is known of their state. Meant to be kept from step to step. */
export interface Providers {
  readonly network: string;
  /**
   * Does work with one provider after the other until it succeeds: what is read together comes from one of them, so
   * that it fits together. Work that failed half way begins anew.
   * @throws ChainUnreadable when it failed with all of them
   */
  readonly use: <T>(work: (provider: Provider, others: readonly Provider[]) => Promise<T>) => Promise<T>;
}

const ROUNDS = 3;
const REST_MS = 2_000;
const LONGEST_REST_MS = 60_000;

interface Seat {
  readonly provider: Provider;
  restsUntil: number;
  failures: number;
}

/** How long a provider is left alone after it failed: as it asks, else longer with every failure. */
function restOf(failure: RpcFailure, failures: number): number {
  return Math.min(LONGEST_REST_MS, failure.retryAfterMs ?? REST_MS * 2 ** Math.min(failures - 1, 5));
}

/** Opens the providers of a network. No request is made yet. */
export function createProviders(options: ProvidersOptions): Providers {
  const { network, urls, fetch, sleep, now, timeoutMs = 20_000 } = options;
  const seats = urls.map((url, index): Seat => {
    const label = urls.length === 1 ? 'its provider' : `provider ${index + 1} of ${urls.length}`;
    const provider = createProvider({ label, url, fetch, sleep, timeoutMs, maxBytes: 64 * 1_024 * 1_024 });
    return { provider, restsUntil: -Infinity, failures: 0 };
  });

  const attempt = async <T>(
    seat: Seat,
    work: (provider: Provider, others: readonly Provider[]) => Promise<T>,
  ) => {
    const others = seats.filter((other) => other !== seat).map(({ provider }) => provider);
    try {
      const done = await work(seat.provider, others);
      seat.failures = 0;
      return { done };
    } catch (error) {
      if (!(error instanceof RpcFailure)) throw error;
      seat.failures += 1;
      seat.restsUntil = now() + restOf(error, seat.failures);
      return { reason: `${seat.provider.label} ${error.message}` };
    }
  };

  const use: Providers['use'] = async (work) => {
    const reasons = new Map<Seat, string>();
    for (let round = 1; round <= ROUNDS; round += 1) {
      // Those that rest are asked last, since they may be all there is.
      const order = seats.toSorted((a, b) => Math.max(a.restsUntil, now()) - Math.max(b.restsUntil, now()));
      for (const seat of order) {
        const rest = seat.restsUntil - now();
        if (rest > 0) await sleep(rest);
        const end = await attempt(seat, work);
        if ('done' in end) return end.done;
        reasons.set(seat, end.reason);
      }
    }
    throw new ChainUnreadableError(network, [...reasons.values()]);
  };
  return { network, use };
}
