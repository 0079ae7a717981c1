import { DAY_MS } from '@touchstone/common';
import type { ScoreInputs } from '../types.ts';
import type { Expected } from './expectation.ts';
import {
  foldHistory,
  SLOTS_PER_DAY,
  type History,
  type ProbeFinding,
  type ChallengeTerms,
} from './probe-history.ts';
import { computeActivity, computeSettlement, type Sales } from './sandbox-sales.ts';

/** A sandbox endpoint: its probe history of 14 simulated days, its sales, and the verdict calculated by hand. */
export interface Story extends Expected {
  readonly history: History;
  /** Sales of one endpoint of the story; null if its chain is not read. */
  readonly sales: Sales | null;
  /** Number of networks on which it can be paid; 1 by default. */
  readonly networks?: number;
  readonly facts?: Partial<ScoreInputs>;
  /** Days since it was first seen; 14 by default. */
  readonly ageDays?: number;
  /** True if the last probe fails at random; then there is one more warning and no `proceed`. */
  readonly lastProbeMayMiss?: true;
}

export const TERMS: ChallengeTerms = { microUsd: 10_000, payTo: 'treasury', network: 'eip155:8453' };

/** Returns days in which every probe has the same finding, with 100 ms latency and the given terms. */
export function repeatForDays(
  count: number,
  seen: ProbeFinding,
  terms: Partial<ChallengeTerms> = {},
): History {
  return [{ slots: count * SLOTS_PER_DAY, finding: seen, latencyMs: 100, terms: { ...TERMS, ...terms } }];
}

/** Repeats one failed probe followed by a number of passing probes. */
export function alternateMisses(times: number, passes: number): History {
  return Array.from({ length: times }, () => [
    ...repeatForDays(1 / 48, 'down'),
    ...repeatForDays(passes / 48, 'pass'),
  ]).flat();
}

export function withListing(
  change: Partial<NonNullable<ScoreInputs['advertised']>>,
): Pick<ScoreInputs, 'advertised'> {
  const { payTo, network } = TERMS;
  const known = { falseUsdc: false, networkKnown: true, protocolVersion: 2 } as const;
  return { advertised: { amountUsd: '0.010000', payTo, network, ...known, ...change } };
}

export const V1 = withListing({ protocolVersion: 1 });
/** Age value after 14 days, between 0.4 at 7 days and 0.7 at 30 days. */
export const AGE_VALUE = 0.4 + (0.3 * 7) / 23;
/** Fills in the activity value that follows from the sales. */
export function withActivity(story: Story): Story {
  const [uptime, compliance, stability, , age, latency] = story.values;
  const activity = story.sales && computeActivity(story.sales);
  return { ...story, values: [uptime, compliance, stability, activity, age, latency] };
}

/**
 * Converts a story to score inputs.
 *
 * @param now end of the story, in milliseconds since the epoch
 */
export function toScoreInputs(
  { history: lived, sales: paid, networks = 1, facts: known = {}, ageDays: knownForDays = 14 }: Story,
  now: number,
): ScoreInputs {
  const { latency, lastChallenge, ...rest } = known;
  const folded = foldHistory(lived, {
    ...{ now, listed: true, templated: false, description: 'Weather by city' },
    ...{
      settlement: paid && { ...computeSettlement(paid), ...(networks > 1 ? { partial: true } : {}) },
      networksRead: paid === null ? 0 : 1 / networks,
      firstSeen: now - knownForDays * DAY_MS,
      ...withListing({}),
      ...rest,
    },
  });
  return { ...folded, ...(latency && { latency }), ...(lastChallenge && { lastChallenge }) };
}
