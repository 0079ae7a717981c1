import type { Settlement } from '@touchstone/x402';
import { createProviders, readSettlements } from '../index.ts';
import type { SettlementQuery } from '../types.ts';

/** Timeout of one request of the providers, in milliseconds. */
export const TIMEOUT_MS = 2_000;

/** Creates a test clock that advances only when `sleep` is called. */
function createClock(startMs = 1_800_000_000_000) {
  const clock = { ms: startMs, slept: 0 };
  return {
    clock,
    now: () => clock.ms,
    sleep: async (ms: number) => {
      clock.ms += ms;
      clock.slept += ms;
    },
  };
}

/** Creates providers that send requests over real sockets. Their clock advances only when `sleep` is called. */
export function openTestProviders(urls: readonly string[], network = 'eip155:8453') {
  const { clock, now, sleep } = createClock();
  const providers = createProviders({
    network,
    urls,
    fetch: globalThis.fetch,
    now,
    sleep,
    timeoutMs: TIMEOUT_MS,
  });
  return { providers, clock };
}

/**
 * Reads one step after another, like a production job, until all confirmed blocks are read. Collects the settlements in
 * `kept`, deletes the settlements of replaced blocks, and fails when a settlement is read twice.
 */
export async function readAll(
  providers: ReturnType<typeof openTestProviders>['providers'],
  order: Omit<SettlementQuery, 'network'>,
  kept = new Map<string, Settlement>(),
) {
  let cursor = order.cursor;
  const removals: bigint[] = [];
  for (let steps = 1; steps <= 2_000; steps += 1) {
    const step = await readSettlements({ ...order, network: providers.network, cursor, providers });
    cursor = step.cursor;
    if (step.removedFrom !== null) {
      removals.push(step.removedFrom);
      for (const [key, { blockNumber }] of kept) if (blockNumber >= step.removedFrom) kept.delete(key);
    }
    for (const settlement of step.settlements) {
      const key = `${settlement.transaction} ${settlement.logIndex} ${settlement.kind === 'sent'}`;
      if (kept.has(key)) throw new Error(`read twice: ${key}`);
      kept.set(key, settlement);
    }
    if (step.caughtUp) return { cursor, kept, removals, steps, settlements: [...kept.values()] };
  }
  throw new Error('not caught up after 2,000 steps');
}
