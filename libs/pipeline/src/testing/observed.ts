import type { Observed } from '../observe.ts';

/** An observation of an endpoint that was challenged in 120 ms, but for what is given. */
export function observedOf(change: Partial<Observed['observation']> = {}): Observed {
  return {
    challenge: null,
    observation: {
      endpointId: 'aaaaaaaaaa',
      slotAt: 0,
      at: 0,
      outcome: 'challenged',
      vitality: 'up',
      excluded: false,
      httpStatus: 402,
      method: 'GET',
      latencyMs: 120,
      resolveMs: 10,
      connectMs: 20,
      tlsMs: 40,
      processingMs: 50,
      transferMs: 1,
      bucket: 30,
      compliance: 'pass',
      challengeHash: null,
      terms: null,
      amountUsd: null,
      failure: null,
      ...change,
    },
  };
}
