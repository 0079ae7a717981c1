import { DAY_MS, HOUR_MS, formatUsd } from '@touchstone/common';
import type { ComplianceResult } from '@touchstone/contract';
import { computePercentile, LATENCY_BUCKETS, toLatencyBucket } from '../latency-histogram.ts';
import type { Failure, ScoreInputs, TermsChange } from '../types.ts';
import { WINDOW_DAYS } from '../endpoint-state.ts';
import {
  addToTally,
  CAUSES,
  createTally,
  isChallenge,
  isUp,
  type Cause,
  type ProbeFinding,
  type Tally,
} from './probe-findings.ts';
import { findTermsChanges, type ComparableTerms } from './terms-changes.ts';

/** Interval between two scheduled probes of an endpoint, in milliseconds. */
const SLOT_MS = HOUR_MS / 2;
export const SLOTS_PER_DAY = 48;
/** Maximum number of consecutive missed probes that do not count as a gap in monitoring. */
const MAX_MISSED_SLOTS = 3;

/** Payment terms of a challenge. */
export interface ChallengeTerms {
  /** Price in millionths of a US dollar; null for a token with unknown dollar value. */
  readonly microUsd: number | null;
  readonly payTo: string;
  readonly network: string;
}

/** Consecutive scheduled probes with the same finding. Each slot is one probe. */
interface Stretch {
  readonly slots: number;
  readonly finding: ProbeFinding;
  /** Cause of failed, blocked or redirected probes; by default, an HTTP status. */
  readonly cause?: Cause;
  readonly terms?: ChallengeTerms;
  readonly latencyMs?: number;
}

export type History = readonly Stretch[];

/** Facts about an endpoint that do not come from its probes. */
export type EndpointFacts = Pick<
  ScoreInputs,
  'now' | 'listed' | 'templated' | 'description' | 'settlement' | 'networksRead'
> & { readonly advertised?: ScoreInputs['advertised']; readonly firstSeen?: number };

interface Folded {
  readonly totals: { total: number; excluded: number; blocked: number; redirected: number };
  /** Counts of the last 30 days, of the last seven days in UTC and of the last 24 hours. */
  readonly periods: Readonly<Record<Period, Tally>>;
  readonly histogram: number[];
  readonly prices: { microUsd: number; count: number }[];
  readonly changes: TermsChange[];
  lastScoredAt: number | null;
  /** Start of the current series of probes that were not up; null while the endpoint is up. */
  failingSince: number | null;
  lastFailure: Failure | null;
  downSince: number | null;
  lastUpAt: number | null;
  lastChallengedAt: number | null;
  lastPayableAt: number | null;
  latestCompliance: ComplianceResult | null;
  watchedSince: number | null;
  terms: ChallengeTerms | null;
}

type Period = 'month' | 'week' | 'day';

/**
 * Stretch of probes with the times of its first and last probe in milliseconds. `counted` is the number of probes in
 * the last 30 days, `recent` the number in each period.
 */
interface Placed {
  readonly stretch: Stretch;
  readonly from: number;
  readonly last: number;
  readonly counted: number;
  readonly recent: Readonly<Record<Period, number>>;
}

function createFolded(): Folded {
  return {
    totals: { total: 0, excluded: 0, blocked: 0, redirected: 0 },
    periods: { month: createTally(), week: createTally(), day: createTally() },
    histogram: Array.from({ length: LATENCY_BUCKETS }, () => 0),
    prices: [],
    changes: [],
    lastScoredAt: null,
    failingSince: null,
    lastFailure: null,
    downSince: null,
    lastUpAt: null,
    lastChallengedAt: null,
    lastPayableAt: null,
    latestCompliance: null,
    watchedSince: null,
    terms: null,
  };
}

/**
 * Assigns times to the stretches of a probe history. Probes are half an hour apart, and the last probe is half an hour
 * before `now`.
 */
function placeStretches(history: History, now: number): Placed[] {
  const total = history.reduce((sum, { slots }) => sum + slots, 0);
  const at = (slot: number): number => now - (total - slot) * SLOT_MS;
  const today = Math.floor(now / DAY_MS) * DAY_MS;
  const week = (now - today + 6 * DAY_MS) / SLOT_MS;
  let slot = 0;
  return history.map((stretch) => {
    const from = slot;
    slot += stretch.slots;
    const countLast = (slots: number): number =>
      Math.max(0, Math.floor(slot - Math.max(from, total - slots)));
    const recent = {
      month: countLast(WINDOW_DAYS * SLOTS_PER_DAY),
      week: countLast(week),
      day: countLast(SLOTS_PER_DAY),
    };
    return { stretch, from: at(from), last: at(slot - 1), counted: recent.month, recent };
  });
}

function countProbes(folded: Folded, { stretch: { finding, latencyMs }, counted, recent }: Placed): void {
  const { totals, periods, histogram } = folded;
  totals.total += counted;
  if (finding === 'ours') totals.excluded += counted;
  if (finding === 'blocked' || finding === 'redirected') totals[finding] += counted;
  for (const period of ['month', 'week', 'day'] as const) {
    addToTally(periods[period], finding, recent[period]);
  }
  if (isUp(finding) && latencyMs !== undefined) {
    const bucket = toLatencyBucket(latencyMs);
    histogram[bucket] = (histogram[bucket] ?? 0) + counted;
  }
}

/** Updates the latest failure. A monitoring gap does not interrupt a series of failed probes. */
function updateFailure(folded: Folded, { stretch: { finding, cause }, from, last }: Placed): void {
  if (isUp(finding)) folded.failingSince = null;
  const found = cause ?? CAUSES[finding];
  if (isUp(finding) || found === undefined) return;
  folded.failingSince ??= from;
  folded.lastFailure = { ...found, at: last, since: folded.failingSince };
}

/**
 * Updates the state of the endpoint with a stretch of probes. After a gap in monitoring, an outage starts at the first
 * probe after the gap.
 */
function updateState(folded: Folded, { stretch: { finding }, from, last }: Placed, gap: boolean): void {
  if (gap) folded.downSince = null;
  if (gap || folded.watchedSince === null) folded.watchedSince = from;
  if (finding === 'ours' || finding === 'blocked' || finding === 'redirected') return;
  folded.lastScoredAt = last;
  folded.downSince = finding === 'down' ? (folded.downSince ?? from) : null;
  if (isUp(finding)) folded.lastUpAt = last;
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
  folded.changes.push(...kinds.map((kind) => ({ kind, at: from, ...toChangeValues(kind, before, terms) })));
}

/** Returns the values that a change shows: price, payTo address, or network. */
function toChangeValues(
  kind: TermsChange['kind'],
  before: ChallengeTerms,
  after: ChallengeTerms,
): Pick<TermsChange, 'before' | 'after'> {
  const format = (terms: ChallengeTerms): string => {
    if (kind === 'asset_network_change') return terms.network;
    if (kind === 'payto_change') return terms.payTo;
    return terms.microUsd === null ? 'unknown' : formatUsd(terms.microUsd / 1e6);
  };
  return { before: format(before), after: format(after) };
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
    asset: 'usdc',
    falseUsdc: false,
    falseUsdcAsset: null,
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
      updateFailure(folded, part);
      compareTerms(folded, part, known.now - WINDOW_DAYS * DAY_MS);
      missedSlots = 0;
    }
  }
  const { histogram, prices, terms, totals, periods } = folded;
  const { month, week, day } = periods;
  const [p50, p95] = [computePercentile(histogram, 0.5), computePercentile(histogram, 0.95)];
  return {
    ...known,
    changes: folded.changes,
    lastScoredAt: folded.lastScoredAt,
    downSince: folded.downSince,
    lastFailure: folded.lastFailure,
    lastUpAt: folded.lastUpAt,
    lastChallengedAt: folded.lastChallengedAt,
    lastPayableAt: folded.lastPayableAt,
    latestCompliance: folded.latestCompliance,
    watchedSince: folded.watchedSince,
    delistedAt: null,
    probes: { ...totals, scored: month.scored, up: month.up },
    envelopes: month.envelopes,
    last24h: day,
    last7d: { scored: week.scored, up: week.up },
    answeredFree: month.free > 0,
    firstSeen: firstSeen ?? placed[0]?.from ?? known.now,
    everChallenged: folded.lastChallengedAt !== null,
    latency: p50 === null || p95 === null ? null : { p50, p95, n: histogram.reduce((sum, n) => sum + n, 0) },
    advertised: toAdvertised(terms, advertised),
    medianPriceUsd30d: findMedianPrice(prices),
  };
}
