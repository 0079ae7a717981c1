import { bucketOf, LATENCY_BUCKETS, percentile } from '../latency-histogram.ts';
import { DAY_MS, HOUR_MS, WINDOW_DAYS } from '../window.ts';
import { termsChanges, type ComparableTerms } from './terms-changes.ts';
import type { ComplianceVerdict, ScoreInputs, TermsChange } from '../types.ts';

/** Half an hour from probe to probe, and 48 of them a day. */
const SLOT_MS = HOUR_MS / 2;
export const SLOTS_PER_DAY = 48;
/** Slots without a probe from which on nobody was watching. */
const GAP_SLOTS = 3;

/** What a probe met: a challenge of some verdict, data, another payment gate, nothing, a refusal, or our own failure. */
export type Seen = ComplianceVerdict | 'data' | 'gate' | 'down' | 'blocked' | 'redirected' | 'ours' | 'away';

/** What a challenge asks for. */
export interface Terms {
  /** Null for a token whose worth in dollars is unknown. */
  readonly microUsd: number | null;
  readonly payTo: string;
  readonly network: string;
}

/** Slots in a row in which the same was met. */
export interface Stretch {
  readonly slots: number;
  readonly seen: Seen;
  readonly terms?: Terms;
  readonly latencyMs?: number;
}

export type History = readonly Stretch[];

const CHALLENGES: ReadonlySet<Seen> = new Set<Seen>(['pass', 'warnings', 'errors', 'unpayable']);

function isChallenge(seen: Seen): seen is ComplianceVerdict {
  return CHALLENGES.has(seen);
}

/** What an endpoint is known by besides its probes. */
export type Known = Pick<
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
  terms: Terms | null;
}

/** A stretch at its place: milliseconds of its first and last probe, and how many fall into the window. */
interface Placed {
  readonly stretch: Stretch;
  readonly from: number;
  readonly last: number;
  readonly counted: number;
}

function start(): Folded {
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

/** Slots follow one another up to `now`: the last was due half an hour before it. */
function place(history: History, now: number): Placed[] {
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

function count(folded: Folded, { stretch: { seen, latencyMs }, counted }: Placed): void {
  const { probes, envelopes, histogram } = folded;
  probes.total += counted;
  if (seen === 'ours') probes.excluded += counted;
  else if (seen === 'blocked' || seen === 'redirected') probes[seen] += counted;
  else probes.scored += counted;
  if (isChallenge(seen)) envelopes[seen] += counted;
  if (!isChallenge(seen) && seen !== 'data' && seen !== 'gate') return;
  probes.up += counted;
  if (latencyMs !== undefined) {
    const bucket = bucketOf(latencyMs);
    histogram[bucket] = (histogram[bucket] ?? 0) + counted;
  }
}

/** The state of an outage, which begins anew where nobody watched. */
function follow(folded: Folded, { stretch: { seen }, from, last, counted }: Placed, gap: boolean): void {
  if (gap) folded.downSince = null;
  if (gap || folded.watchedSince === null) folded.watchedSince = from;
  if (seen === 'ours' || seen === 'blocked' || seen === 'redirected') return;
  folded.lastProbedAt = last;
  folded.downSince = seen === 'down' ? (folded.downSince ?? from) : null;
  if (seen === 'data' && counted > 0) folded.answeredFree = true;
  if (!isChallenge(seen)) return;
  folded.lastChallengedAt = last;
  folded.latestCompliance = seen;
  if (seen !== 'unpayable') folded.lastPayableAt = last;
}

function compareTerms(
  folded: Folded,
  { stretch: { seen, terms }, from, counted }: Placed,
  oldest: number,
): void {
  if (terms === undefined || !isChallenge(seen)) return;
  if (terms.microUsd !== null) folded.prices.push({ microUsd: terms.microUsd, count: counted });
  const { terms: before } = folded;
  folded.terms = terms;
  if (before === null || from < oldest) return;
  const kinds = termsChanges(comparable(before), comparable(terms));
  folded.changes.push(...kinds.map((kind) => ({ kind, at: from })));
}

function comparable({ network, payTo, microUsd }: Terms): ComparableTerms {
  return { prices: { [network]: String(microUsd) }, payTo: { [network]: [payTo] } };
}

function usd(microUsd: number): string {
  return (microUsd / 1e6).toFixed(6);
}

/** The lower median of prices that were seen so many times each. */
function medianOf(prices: Folded['prices']): string | null {
  const total = prices.reduce((sum, price) => sum + price.count, 0);
  let below = 0;
  for (const price of prices.toSorted((one, other) => one.microUsd - other.microUsd)) {
    below += price.count;
    if (total > 0 && below * 2 >= total) return usd(price.microUsd);
  }
  return null;
}

function advertisedOf(terms: Terms | null, listed: ScoreInputs['advertised']): ScoreInputs['advertised'] {
  if (terms === null) return listed;
  const { payTo, network, microUsd } = terms;
  return {
    falseUsdc: false,
    networkKnown: true,
    protocolVersion: 2,
    ...listed,
    payTo,
    network,
    amountUsd: microUsd === null ? null : usd(microUsd),
  };
}

/**
 * The inputs that a history of probes leaves behind, folded as recording folds them: counts of the last 30 days, the
 * state at the last probe that counts, changes where a challenge asks for other terms than the one before.
 */
export function fold(history: History, { advertised = null, firstSeen, ...known }: Known): ScoreInputs {
  const folded = start();
  const placed = place(history, known.now);
  let away = 0;
  for (const part of placed) {
    if (part.stretch.seen === 'away') {
      away += part.stretch.slots;
    } else if (part.stretch.slots > 0) {
      count(folded, part);
      follow(folded, part, away > GAP_SLOTS);
      compareTerms(folded, part, known.now - WINDOW_DAYS * DAY_MS);
      away = 0;
    }
  }
  const { histogram, prices, terms, ...state } = folded;
  const [p50, p95] = [percentile(histogram, 0.5), percentile(histogram, 0.95)];
  return {
    ...known,
    ...state,
    firstSeen: firstSeen ?? placed[0]?.from ?? known.now,
    everChallenged: folded.lastChallengedAt !== null,
    latency: p50 === null || p95 === null ? null : { p50, p95, n: histogram.reduce((sum, n) => sum + n, 0) },
    advertised: advertisedOf(terms, advertised),
    medianPriceUsd30d: medianOf(prices),
  };
}
