import type { ScoreInputs } from '@touchstone/trust';
import { foldHistory, type EndpointFacts, type Stretch } from '../../libs/trust/src/testing/probe-history.ts';
import type { ProbeFinding } from '../../libs/trust/src/testing/probe-findings.ts';

/** Returns a generator of random numbers from 0 to 1. The same seed gives the same sequence on every machine. */
export function createSeededRandom(seed: number): () => number {
  let state = seed >>> 0;
  // Mulberry32 by Tommy Ettinger (public domain): short, fast, and uniform enough for test data.
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Probe findings to choose from at random. A finding that is listed several times is more frequent. */
const FINDINGS: readonly ProbeFinding[] = [
  ...(['pass', 'pass', 'pass', 'pass', 'warnings', 'errors', 'unpayable', 'data', 'gate'] as const),
  ...(['down', 'down', 'blocked', 'redirected', 'ours', 'away'] as const),
];
const PRICES = [1_000, 10_000, 12_000, 250_000];
const NETWORKS = ['eip155:8453', 'eip155:137'];

function pickOne<T>(random: () => number, values: readonly T[], fallback: T): T {
  return values[Math.floor(random() * values.length)] ?? fallback;
}

function generateStretch(random: () => number, previous: Stretch): Stretch {
  return {
    slots: 1 + Math.floor(random() ** 3 * 700),
    finding: pickOne(random, FINDINGS, 'pass'),
    latencyMs: 20 * 500 ** random(),
    // In four of five cases, a stretch of probes keeps the payment terms of the previous stretch.
    terms:
      random() < 0.8 && previous.terms !== undefined
        ? previous.terms
        : {
            microUsd: pickOne(random, PRICES, 1_000),
            payTo: `0x${Math.floor(random() * 3)}`,
            network: pickOne(random, NETWORKS, 'eip155:8453'),
          },
  };
}

function generateFacts(random: () => number, now: number): EndpointFacts {
  const payers30d = Math.floor(200 ** random()) - 1;
  return {
    now,
    listed: random() < 0.9,
    templated: random() < 0.1,
    description: random() < 0.8 ? 'Weather by city' : null,
    settlement:
      random() < 0.5
        ? {
            payers30d,
            volumeUsd30d: payers30d === 0 ? 0 : 20_000 ** random(),
            topPayerShare: payers30d === 0 ? null : random(),
          }
        : null,
    networksRead: random() < 0.5 ? 1 : random(),
    advertised:
      random() < 0.2
        ? null
        : {
            amountUsd: '0.010000',
            network: 'eip155:8453',
            asset: '0xusdc',
            payTo: '0x0',
            falseUsdc: random() < 0.02,
            falseUsdcAsset: null,
            networkKnown: random() < 0.95,
            protocolVersion: random() < 0.3 ? 1 : 2,
          },
  };
}

/**
 * Generates score inputs from at most 11 stretches, which are series of equal probes. A stretch has 1 to 700 probe
 * slots (700 slots are about 14 days).
 */
export function generateInputs(random: () => number, now: number): ScoreInputs {
  const history: Stretch[] = [];
  const stretches = Math.floor(random() * 12);
  for (let count = 0; count < stretches; count += 1) {
    history.push(generateStretch(random, history.at(-1) ?? { slots: 0, finding: 'pass' }));
  }
  return foldHistory(history, generateFacts(random, now));
}
