import { createHash } from 'node:crypto';
import type { ReportFigures, SnapshotRow } from '@touchstone/store';
import { percentile, type ScoreInputs, type Verdict } from '@touchstone/trust';
import { DAY_MS } from './context.ts';
import { advertisedBy, type Scorable } from './read-scorable.ts';
import { mainOption } from './terms.ts';

type Shown = SnapshotRow['snapshot'];

/** The public snapshot of an endpoint, and beside it the reasons that are not public. */
export function snapshotOf(stored: Scorable, inputs: ScoreInputs, verdict: Verdict): SnapshotRow {
  const snapshot = shown(stored, inputs, verdict);
  return {
    snapshot,
    public: !stored.endpoint.removed,
    contentHash: contentHash(snapshot),
    detail: { scoringVersion: verdict.scoringVersion, inputs, facts: factsOf(stored) },
    revision: stored.revision,
  };
}

function shown(stored: Scorable, inputs: ScoreInputs, verdict: Verdict): Shown {
  const { endpoint, state, sums } = stored;
  const payOn = advertisedBy(stored);
  const main = mainOption(payOn);
  const latencyMs = sums && sums.latencyN > 0 ? Math.round(sums.latencySumMs / sums.latencyN) : null;
  return {
    endpointId: endpoint.id,
    slug: endpoint.slug,
    resource: endpoint.resource,
    host: endpoint.host,
    method: state.method ?? endpoint.declaredMethod,
    serviceName: endpoint.serviceName,
    description: endpoint.description,
    templated: endpoint.templated,
    protocolVersion: state.terms?.version ?? endpoint.protocolVersion,
    score: verdict.score,
    grade: verdict.grade,
    recommendation: verdict.recommendation,
    confidence: verdict.confidence,
    uptime30d: uptimePercent(inputs.probes),
    latencyMs,
    latencyLabel: latencyLabel(latencyMs),
    probes30d: inputs.probes.total,
    ...cadenceOf(sums),
    amountUsd: main?.amountUsd ?? null,
    priceStability: priceStability(inputs),
    network: main?.network ?? null,
    payOn: [...payOn],
    firstSeen: new Date(endpoint.firstSeenAt).toISOString(),
    lastProbedAt: state.lastProbedAt === null ? null : new Date(state.lastProbedAt).toISOString(),
    listingStatus: endpoint.listingStatus,
    delistedAt: endpoint.delistedAt === null ? null : new Date(endpoint.delistedAt).toISOString(),
    directories: [...endpoint.directories],
    daysTracked: Math.max(0, Math.floor((inputs.now - endpoint.firstSeenAt) / DAY_MS)),
    errorFlags: verdict.flags.filter((flag) => flag.severity === 'error').length,
    warningFlags: verdict.flags.filter((flag) => flag.severity === 'warning').length,
    betterAlternatives: null,
  };
}

/** Figures of the report that the formula does not read. */
function factsOf({ sums, state, settlement }: Scorable): ReportFigures {
  const isTimed = sums !== null && sums.latencyN > 0;
  return {
    latencyMsP99: sums?.latencyHistogram ? percentile(sums.latencyHistogram, 0.99) : null,
    latencyMsMean: isTimed ? Math.round((10 * sums.latencySumMs) / sums.latencyN) / 10 : null,
    lowestPriceUsd: sums?.lowestPriceUsd ?? null,
    highestPriceUsd: sums?.highestPriceUsd ?? null,
    lastProbedAt: state.lastProbedAt,
    termsAt: state.termsAt,
    challengeHash: state.challengeHash,
    settlement: settlement.facts,
  };
}

/** Percent with one decimal, rounded down so that 100.0 means that not one probe missed. */
function uptimePercent({ scored, up }: ScoreInputs['probes']): number | null {
  return scored === 0 ? null : Math.floor((up * 1000) / scored) / 10;
}

/** How often it was probed in truth, from the slots that came due and the time they cover. */
function cadenceOf(sums: Scorable['sums']): Pick<Shown, 'probedPerDay' | 'duePerDay' | 'meanGapSeconds'> {
  if (sums === null || sums.dueSeconds === 0) {
    return { probedPerDay: null, duePerDay: null, meanGapSeconds: null };
  }
  const { slotsDue, slotsProbed, dueSeconds } = sums;
  // Rounded down: all of 48 means that not one slot was missed.
  const perDay = (slots: number): number => Math.floor((slots * 864_000) / dueSeconds) / 10;
  return {
    probedPerDay: perDay(slotsProbed),
    duePerDay: perDay(slotsDue),
    meanGapSeconds: slotsProbed === 0 ? null : Math.round(dueSeconds / slotsProbed),
  };
}

function latencyLabel(ms: number | null): Shown['latencyLabel'] {
  if (ms === null) return null;
  if (ms < 400) return 'fast';
  if (ms < 1000) return 'moderate';
  return ms < 2000 ? 'sluggish' : 'slow';
}

/** Unknown where no challenge was read: a listing says nothing about what was asked over time. */
function priceStability({
  templated,
  advertised,
  changes,
  everChallenged,
}: ScoreInputs): Shown['priceStability'] {
  if (!everChallenged) return null;
  if ((advertised?.amountUsd ?? null) === null) return null;
  if (templated) return 'per item';
  const moves = changes.filter((change) => change.kind === 'price_change').length;
  if (moves === 0) return 'stable';
  return moves === 1 ? 'changed once' : 'varies';
}

/** Figures that move with every probe and say nothing new. */
const VOLATILE: ReadonlySet<string> = new Set<keyof Shown>([
  'lastProbedAt',
  'probes30d',
  'probedPerDay',
  'duePerDay',
  'meanGapSeconds',
  'latencyMs',
  'daysTracked',
]);

/** Hash of what a reader sees, less what is volatile. */
function contentHash(snapshot: Shown): string {
  const content = Object.entries(snapshot).filter(([name]) => !VOLATILE.has(name));
  return createHash('sha256').update(JSON.stringify(content)).digest('base64url');
}
