import type { ScoreInputs } from '@touchstone/trust';
import { fold, type Known, type Seen, type Stretch } from '../../libs/trust/src/testing/history.ts';

/** A number of 0 to 1 from a seed, and another at each call: the same ones for the same seed on every machine. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  // Mulberry32 by Tommy Ettinger, in the public domain: short, fast, and even enough for workloads.
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** What probes meet, as often as it stands here. */
const SEEN: readonly Seen[] = [
  ...(['pass', 'pass', 'pass', 'pass', 'warnings', 'errors', 'unpayable', 'data', 'gate'] as const),
  ...(['down', 'down', 'blocked', 'redirected', 'ours', 'away'] as const),
];
const PRICES = [1_000, 10_000, 12_000, 250_000];
const NETWORKS = ['eip155:8453', 'eip155:137'];

function oneOf<T>(random: () => number, values: readonly T[], otherwise: T): T {
  return values[Math.floor(random() * values.length)] ?? otherwise;
}

function randomStretch(random: () => number, calm: Stretch): Stretch {
  return {
    slots: 1 + Math.floor(random() ** 3 * 700),
    seen: oneOf(random, SEEN, 'pass'),
    latencyMs: 20 * 500 ** random(),
    // Terms stay as they are in four stretches of five.
    terms:
      random() < 0.8 && calm.terms !== undefined
        ? calm.terms
        : {
            microUsd: oneOf(random, PRICES, 1_000),
            payTo: `0x${Math.floor(random() * 3)}`,
            network: oneOf(random, NETWORKS, 'eip155:8453'),
          },
  };
}

function randomKnown(random: () => number, now: number): Known {
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
            topPayerShare: payers30d === 0 ? 0 : random(),
          }
        : null,
    networksRead: random() < 0.5 ? 1 : random(),
    advertised:
      random() < 0.2
        ? null
        : {
            amountUsd: '0.010000',
            network: 'eip155:8453',
            payTo: '0x0',
            falseUsdc: random() < 0.02,
            networkKnown: random() < 0.95,
            protocolVersion: random() < 0.3 ? 1 : 2,
          },
  };
}

/** What is known of an endpoint after up to a dozen stretches of probes, each as long as a fortnight at most. */
export function randomInputs(random: () => number, now: number): ScoreInputs {
  const history: Stretch[] = [];
  const stretches = Math.floor(random() * 12);
  for (let count = 0; count < stretches; count += 1) {
    history.push(randomStretch(random, history.at(-1) ?? { slots: 0, seen: 'pass' }));
  }
  return fold(history, randomKnown(random, now));
}
