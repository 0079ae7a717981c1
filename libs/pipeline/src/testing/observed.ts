import type { ObservedProbe } from '../probing/observe.ts';

/** Creates an observation of an endpoint that sent a challenge after 120 ms, with the given changes. */
export function createObserved(change: Partial<ObservedProbe['observation']> = {}): ObservedProbe {
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
      bucket: 30,
      compliance: 'pass',
      challengeHash: null,
      terms: null,
      amountUsd: null,
      failure: null,
      failurePhase: null,
      failureDetail: null,
      responseMs: 121,
      responseBucket: 33,
      ...change,
    },
  };
}
