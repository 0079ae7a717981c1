import { DAY_MS, HOUR_MS } from '@touchstone/common';
import type { ComplianceVerdict } from '@touchstone/contract';
import { computePercentile, LATENCY_BUCKETS, toLatencyBucket } from '../latency-histogram.ts';
import type { ScoreInputs, TermsChange } from '../types.ts';
import { WINDOW_DAYS } from '../window.ts';
import { findTermsChanges, type ComparableTerms } from './terms-changes.ts';

/** Interval between two scheduled probes of an endpoint, in milliseconds. */
const SLOT_MS = HOUR_MS / 2;
export const SLOTS_PER_DAY = 48;
/** Maximum number of consecutive missed probes that do not count as a gap in monitoring. */
const MAX_MISSED_SLOTS = 3;

/**
 * Result of a probe in a test history: a challenge with its compliance verdict, data without payment, a gate of another
 * payment protocol, an outage, a blocked or redirected probe, or a self-inflicted failure (`ours`). `away` means that
 * no probe was made.
 */
export type ProbeFinding =
  ComplianceVerdict | 'data' | 'gate' | 'down' | 'blocked' | 'redirected' | 'ours' | 'away';

/** Payment terms of a challenge. */
export interface ChallengeTerms {
  /** Price in millionths of a US dollar; null for a token with unknown dollar value. */
  readonly microUsd: number | null;
  readonly payTo: string;
  readonly network: string;
}

/** Consecutive scheduled probes with the same finding. Each slot is one probe. */
export interface Stretch {
  readonly slots: number;
  readonly finding: ProbeFinding;
  readonly terms?: ChallengeTerms;
  readonly latencyMs?: number;
}

export type History = readonly Stretch[];

const CHALLENGES: ReadonlySet<ProbeFinding> = new Set<ProbeFinding>([
  'pass',
  'warnings',
  'errors',
  'unpayable',
]);

function isChallenge(finding: ProbeFinding): finding is ComplianceVerdict {
  return CHALLENGES.has(finding);
}

/** Facts about an endpoint that do not come from its probes. */
export type EndpointFacts = Pick<
  ScoreInputs,
  'now' | 'listed' | 'templated' | 'description' | 'settlement' | 'networksRead'
> & { readonly advertised?: ScoreInputs['advertised']; readonly firstSeen?: number };

interface Folded {
  readonly probes: {
    total: number;
    scored: number;
    up: number;
    excluded: number;
    blocked: number;
    redirected: number;
  };
  readonly envelopes: Record<ComplianceVerdict, number>;
  readonly histogram: number[];
  readonly prices: { microUsd: number; count: number }[];
  readonly changes: TermsChange[];
  answeredFree: boolean;
  lastProbedAt: number | null;
  downSince: number | null;
  lastChallengedAt: number | null;
  lastPayableAt: number | null;
  latestCompliance: ComplianceVerdict | null;
  watchedSince: number | null;
  terms: ChallengeTerms | null;
}

/**
 * Stretch of probes with the times of its first and last probe in milliseconds. `counted` is the number of probes in
 * the last 30 days.
 */
interface Placed {
  readonly stretch: Stretch;
  readonly from: number;
  readonly last: number;
  readonly counted: number;
}

function createFolded(): Folded {
  return {
    probes: { total: 0, scored: 0, up: 0, excluded: 0, blocked: 0, redirected: 0 },
    envelopes: { pass: 0, warnings: 0, errors: 0, unpayable: 0 },
    histogram: Array.from({ length: LATENCY_BUCKETS }, () => 0),
    prices: [],
    changes: [],
    answeredFree: false,
    lastProbedAt: null,
    downSince: null,
    lastChallengedAt: null,
    lastPayableAt: null,
    latestCompliance: null,
    watchedSince: null,
    terms: null,
  };
}

/**
 * Assigns times to the stretches of a probe history. Probes are half an hour apart, and the last one is half an hour
 * before `now`.
 */
function placeStretches(history: History, now: number): Placed[] {
  const total = history.reduce((sum, { slots }) => sum + slots, 0);
  const windowFrom = total - WINDOW_DAYS * SLOTS_PER_DAY;
  const at = (slot: number): number => now - (total - slot) * SLOT_MS;
  let slot = 0;
  return history.map((stretch) => {
    const from = slot;
    slot += stretch.slots;
    const counted = Math.max(0, slot - Math.max(from, windowFrom));
    return { stretch, from: at(from), last: at(slot - 1), counted };
  });
}

function countProbes(folded: Folded, { stretch: { finding, latencyMs }, counted }: Placed): void {
  const { probes, envelopes, histogram } = folded;
  probes.total += counted;
  if (finding === 'ours') probes.excluded += counted;
  else if (finding === 'blocked' || finding === 'redirected') probes[finding] += counted;
  else probes.scored += counted;
  if (isChallenge(finding)) envelopes[finding] += counted;
  if (!isChallenge(finding) && finding !== 'data' && finding !== 'gate') return;
  probes.up += counted;
  if (latencyMs !== undefined) {
    const bucket = toLatencyBucket(latencyMs);
    histogram[bucket] = (histogram[bucket] ?? 0) + counted;
  }
}

/**
 * Updates the state of the endpoint with a stretch of probes. After a gap in monitoring, an outage starts at the first
 * probe after the gap.
 */
function updateState(
  folded: Folded,
  { stretch: { finding }, from, last, counted }: Placed,
  gap: boolean,
): void {
  if (gap) folded.downSince = null;
  if (gap || folded.watchedSince === null) folded.watchedSince = from;
  if (finding === 'ours' || finding === 'blocked' || finding === 'redirected') return;
  folded.lastProbedAt = last;
  folded.downSince = finding === 'down' ? (folded.downSince ?? from) : null;
  if (finding === 'data' && counted > 0) folded.answeredFree = true;
  if (!isChallenge(finding)) return;
  folded.lastChallengedAt = last;
  folded.latestCompliance = finding;
  if (finding !== 'unpayable') folded.lastPayableAt = last;
}

function compareTerms(
  folded: Folded,
  { stretch: { finding, terms }, from, counted }: Placed,
  oldest: number,
): void {
  if (terms === undefined || !isChallenge(finding)) return;
  if (terms.microUsd !== null) folded.prices.push({ microUsd: terms.microUsd, count: counted });
  const { terms: before } = folded;
  folded.terms = terms;
  if (before === null || from < oldest) return;
  const kinds = findTermsChanges(toComparableTerms(before), toComparableTerms(terms));
  folded.changes.push(...kinds.map((kind) => ({ kind, at: from })));
}

function toComparableTerms({ network, payTo, microUsd }: ChallengeTerms): ComparableTerms {
  return { prices: { [network]: String(microUsd) }, payTo: { [network]: [payTo] } };
}

function formatMicroUsd(microUsd: number): string {
  return (microUsd / 1e6).toFixed(6);
}

/** Returns the lower median of the prices. Each price is weighted by the number of probes that received it. */
function findMedianPrice(prices: Folded['prices']): string | null {
  const total = prices.reduce((sum, price) => sum + price.count, 0);
  let below = 0;
  for (const price of prices.toSorted((one, other) => one.microUsd - other.microUsd)) {
    below += price.count;
    if (total > 0 && below * 2 >= total) return formatMicroUsd(price.microUsd);
  }
  return null;
}

function toAdvertised(
  terms: ChallengeTerms | null,
  listed: ScoreInputs['advertised'],
): ScoreInputs['advertised'] {
  if (terms === null) return listed;
  const { payTo, network, microUsd } = terms;
  return {
    falseUsdc: false,
    networkKnown: true,
    protocolVersion: 2,
    ...listed,
    payTo,
    network,
    amountUsd: microUsd === null ? null : formatMicroUsd(microUsd),
  };
}

/**
 * Converts a probe history to score inputs by the same rules that the service applies to real probes. The inputs
 * contain counts of the last 30 days, the state at the last scored probe, and the changes between the payment terms of
 * consecutive challenges.
 */
export function foldHistory(
  history: History,
  { advertised = null, firstSeen, ...known }: EndpointFacts,
): ScoreInputs {
  const folded = createFolded();
  const placed = placeStretches(history, known.now);
  let missedSlots = 0;
  for (const part of placed) {
    if (part.stretch.finding === 'away') {
      missedSlots += part.stretch.slots;
    } else if (part.stretch.slots > 0) {
      countProbes(folded, part);
      updateState(folded, part, missedSlots > MAX_MISSED_SLOTS);
      compareTerms(folded, part, known.now - WINDOW_DAYS * DAY_MS);
      missedSlots = 0;
    }
  }
  const { histogram, prices, terms, ...state } = folded;
  const [p50, p95] = [computePercentile(histogram, 0.5), computePercentile(histogram, 0.95)];
  return {
    ...known,
    ...state,
    firstSeen: firstSeen ?? placed[0]?.from ?? known.now,
    everChallenged: folded.lastChallengedAt !== null,
    latency: p50 === null || p95 === null ? null : { p50, p95, n: histogram.reduce((sum, n) => sum + n, 0) },
    advertised: toAdvertised(terms, advertised),
    medianPriceUsd30d: findMedianPrice(prices),
  };
}
