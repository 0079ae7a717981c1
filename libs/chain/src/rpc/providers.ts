import { MINUTE_MS } from '@touchstone/common';
import { createProvider, type Provider, ChainUnreadableError, RpcFailure } from './provider.ts';

export interface ProvidersOptions {
  /** CAIP-2 id. */
  readonly network: string;
  /** At least one RPC URL, in order of preference. */
  readonly urls: readonly string[];
  readonly fetch: typeof globalThis.fetch;
  readonly sleep: (ms: number) => Promise<void>;
  /** Returns the current time in milliseconds since the epoch. */
  readonly now: () => number;
  /** Timeout of one request, in milliseconds; 20 seconds by default. */
  readonly timeoutMs?: number;
}

/**
 * The RPC providers of one network, with their pauses and failure counts. Use one object for all reading steps, so that
 * each step respects the pauses of earlier steps.
 */
export interface Providers {
  readonly network: string;
  /**
   * Runs `work` with one provider after another until it succeeds. Each run reads from one provider only, so its
   * results are consistent. After a failure, `work` starts from the beginning with the next provider.
   * @throws ChainUnreadableError when `work` failed with all providers
   */
  readonly use: <T>(work: (provider: Provider, others: readonly Provider[]) => Promise<T>) => Promise<T>;
}

/** Maximum number of times that each provider is tried. */
const MAX_ROUNDS = 3;
/** Pause of a provider after its first failure, in milliseconds. The pause doubles with each further failure. */
const FIRST_PAUSE_MS = 2_000;
/** Maximum pause of a provider after a failure, in milliseconds. */
const MAX_PAUSE_MS = MINUTE_MS;
/** Maximum size of one RPC response, in bytes. */
const MAX_RESPONSE_BYTES = 64 * 1_024 * 1_024;

interface ProviderState {
  readonly provider: Provider;
  pausedUntil: number;
  failureCount: number;
}

/**
 * Returns the pause that the provider requested, or else a pause that doubles with each failure; at most
 * `MAX_PAUSE_MS`.
 */
function toPauseMs(failure: RpcFailure, failureCount: number): number {
  return Math.min(MAX_PAUSE_MS, failure.retryAfterMs ?? FIRST_PAUSE_MS * 2 ** Math.min(failureCount - 1, 5));
}

/** Creates the RPC providers of a network. No request is sent yet. */
export function createProviders(options: ProvidersOptions): Providers {
  const { network, urls, fetch, sleep, now, timeoutMs = 20_000 } = options;
  const states = urls.map((url, index): ProviderState => {
    const label = urls.length === 1 ? 'its provider' : `provider ${index + 1} of ${urls.length}`;
    const post = { url, fetch, now, timeoutMs, maxBytes: MAX_RESPONSE_BYTES };
    return { provider: createProvider({ label, sleep, ...post }), pausedUntil: -Infinity, failureCount: 0 };
  });

  const attempt = async <T>(
    state: ProviderState,
    work: (provider: Provider, others: readonly Provider[]) => Promise<T>,
  ) => {
    const others = states.filter((other) => other !== state).map(({ provider }) => provider);
    try {
      const result = await work(state.provider, others);
      state.failureCount = 0;
      return { result };
    } catch (error) {
      if (!(error instanceof RpcFailure)) throw error;
      state.failureCount += 1;
      state.pausedUntil = now() + toPauseMs(error, state.failureCount);
      return { reason: `${state.provider.label} ${error.message}` };
    }
  };

  const use: Providers['use'] = async (work) => {
    const reasons = new Map<ProviderState, string>();
    for (let round = 1; round <= MAX_ROUNDS; round += 1) {
      // Paused providers are last in the order. When all other providers fail, the next provider is used after its
      // pause.
      const order = states.toSorted(
        (a, b) => Math.max(a.pausedUntil, now()) - Math.max(b.pausedUntil, now()),
      );
      for (const state of order) {
        const pauseMs = state.pausedUntil - now();
        if (pauseMs > 0) await sleep(pauseMs);
        const outcome = await attempt(state, work);
        if ('result' in outcome) return outcome.result;
        reasons.set(state, outcome.reason);
      }
    }
    throw new ChainUnreadableError(network, [...reasons.values()]);
  };
  return { network, use };
}
