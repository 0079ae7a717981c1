import { DAY_MS } from '../window.ts';
import type { ScoreInputs } from '../types.ts';
import type { Expected } from './expectation.ts';
import { fold, SLOTS_PER_DAY, type History, type Seen, type Terms } from './probe-history.ts';
import { activityOf, settlementOf, type Sales } from './sandbox-sales.ts';

/** What the probes of an endpoint of the sandbox met in the 14 days of that world, what it is paid, and the verdict by hand. */
export interface Story extends Expected {
  readonly lived: History;
  /** Of one of its endpoints, alone, where there are more; null where no chain is read. */
  readonly paid: Sales | null;
  /** How many networks it can be paid on; 1 unless given. */
  readonly networks?: number;
  readonly known?: Partial<ScoreInputs>;
  /** Days since it was first seen; 14 unless given. */
  readonly knownForDays?: number;
  /** Chance decides, by the day, whether its last probe missed; then there is one warning more, and no `proceed`. */
  readonly mayMissTheLast?: true;
}

export const TERMS: Terms = { microUsd: 10_000, payTo: 'treasury', network: 'eip155:8453' };

/** Days in which every probe met the same, at 100 ms and the terms given. */
export function days(count: number, seen: Seen, terms: Partial<Terms> = {}): History {
  return [{ slots: count * SLOTS_PER_DAY, seen, latencyMs: 100, terms: { ...TERMS, ...terms } }];
}

/** A miss and then some probes that pass, so many times. */
export function misses(times: number, passes: number): History {
  return Array.from({ length: times }, () => [...days(1 / 48, 'down'), ...days(passes / 48, 'pass')]).flat();
}

export function listedWith(
  change: Partial<NonNullable<ScoreInputs['advertised']>>,
): Pick<ScoreInputs, 'advertised'> {
  const { payTo, network } = TERMS;
  const known = { falseUsdc: false, networkKnown: true, protocolVersion: 2 } as const;
  return { advertised: { amountUsd: '0.010000', payTo, network, ...known, ...change } };
}

export const V1 = listedWith({ protocolVersion: 1 });
/** 14 days old: between 7 days at 0.4 and 30 days at 0.7. */
export const AGE = 0.4 + (0.3 * 7) / 23;
/** With the activity that follows from what it is paid. */
export function withActivity(story: Story): Story {
  const [uptime, compliance, stability, , age, latency] = story.values;
  const activity = story.paid && activityOf(story.paid);
  return { ...story, values: [uptime, compliance, stability, activity, age, latency] };
}

/** What the formula reads of a story, at a time in milliseconds since the epoch. */
export function inputsOf(
  { lived, paid, networks = 1, known = {}, knownForDays = 14 }: Story,
  now: number,
): ScoreInputs {
  const { latency, lastChallenge, ...rest } = known;
  const folded = fold(lived, {
    ...{ now, listed: true, templated: false, description: 'Weather by city' },
    ...{
      settlement: paid && { ...settlementOf(paid), ...(networks > 1 ? { partial: true } : {}) },
      networksRead: paid === null ? 0 : 1 / networks,
      firstSeen: now - knownForDays * DAY_MS,
      ...listedWith({}),
      ...rest,
    },
  });
  return { ...folded, ...(latency && { latency }), ...(lastChallenge && { lastChallenge }) };
}
