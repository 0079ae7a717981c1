import { DAY_MS } from '@touchstone/common';
import type { ScoreInputs } from '../types.ts';
import type { Expected } from './expectation.ts';
import { foldHistory, SLOTS_PER_DAY, type History, type ChallengeTerms } from './probe-history.ts';
import type { ProbeFinding } from './probe-findings.ts';
import { computeActivity, computeSettlement, type Sales } from './sandbox-sales.ts';

/**
 * Test story of a sandbox endpoint: its probe history of 14 simulated days, its sales, and the expected verdict,
 * calculated by hand.
 */
export interface Story extends Expected {
  readonly history: History;
  /** Sales of one endpoint with this story; null if the chain of the endpoint is not read. */
  readonly sales: Sales | null;
  /** Number of networks on which buyers can pay the endpoint; 1 by default. */
  readonly networks?: number;
  readonly facts?: Partial<ScoreInputs>;
  /** Days since the endpoint was first seen; 14 by default. */
  readonly ageDays?: number;
  /**
   * True if the last probe may fail by chance. A failed last probe adds one warning, and the recommendation is not
   * `proceed`.
   */
  readonly lastProbeMayMiss?: true;
}

export const TERMS: ChallengeTerms = { microUsd: 10_000, payTo: 'treasury', network: 'eip155:8453' };

/**
 * Returns a probe history of some days in which every probe has the same finding, a latency of 100 ms and the given
 * payment terms.
 */
export function repeatForDays(
  count: number,
  finding: ProbeFinding,
  terms: Partial<ChallengeTerms> = {},
): History {
  return [{ slots: count * SLOTS_PER_DAY, finding, latencyMs: 100, terms: { ...TERMS, ...terms } }];
}

/** Returns a probe history that repeats a series: one failed probe, then `passes` passing probes. */
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
  const known = { falseUsdc: false, falseUsdcAsset: null, networkKnown: true, protocolVersion: 2 } as const;
  return { advertised: { amountUsd: '0.010000', asset: 'usdc', payTo, network, ...known, ...change } };
}

export const V1 = withListing({ protocolVersion: 1 });
/** Value of the component age after 14 days, interpolated between 0.4 at 7 days and 0.7 at 30 days. */
export const AGE_VALUE = 0.4 + (0.3 * 7) / 23;
/** Returns the story with the activity value that follows from its sales. */
export function withActivity(story: Story): Story {
  const [uptime, compliance, stability, , age, latency] = story.values;
  const activity = story.sales && computeActivity(story.sales);
  return { ...story, values: [uptime, compliance, stability, activity, age, latency] };
}

/**
 * Converts a test story to score inputs.
 *
 * @param now end of the story, in milliseconds since the epoch
 */
export function toScoreInputs(
  { history, sales, networks = 1, facts = {}, ageDays = 14 }: Story,
  now: number,
): ScoreInputs {
  const { latency, lastChallenge, ...rest } = facts;
  const folded = foldHistory(history, {
    ...{ now, listed: true, templated: false, description: 'Weather by city' },
    ...{
      settlement: sales && { ...computeSettlement(sales), ...(networks > 1 ? { partial: true } : {}) },
      networksRead: sales === null ? 0 : 1 / networks,
      firstSeen: now - ageDays * DAY_MS,
      ...withListing({}),
      ...rest,
    },
  });
  return { ...folded, ...(latency && { latency }), ...(lastChallenge && { lastChallenge }) };
}
