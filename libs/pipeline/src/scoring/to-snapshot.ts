import { createHash } from 'node:crypto';
import { DAY_MS, formatTimestamp, formatTimestampOrNull, toPercent } from '@touchstone/common';
import { createSearchText } from '@touchstone/search';
import type { SnapshotRow, StoredScoringInput } from '@touchstone/store';
import {
  computePercentile,
  findDeliveryState,
  selectMainOption,
  toProbeCounts,
  type ReportFigures,
  type ScoreInputs,
  type Verdict,
} from '@touchstone/trust';
import { getAdvertisedOptions, toTokenKey, type ScorableEndpoint } from './scoring-inputs.ts';
import type { EcosystemEventKind } from '@touchstone/contract';

type Snapshot = SnapshotRow['snapshot'];

/** Creates the public snapshot of an endpoint, together with the score details that are not public. */
export function toSnapshotRow(stored: ScorableEndpoint, inputs: ScoreInputs, verdict: Verdict): SnapshotRow {
  const snapshot = toSnapshot(stored, inputs, verdict);
  return {
    snapshot,
    public: !stored.endpoint.removed,
    contentHash: hashContent(snapshot),
    detail: {
      scoringVersion: verdict.scoringVersion,
      inputs,
      facts: { ...toReportFigures(stored), alerts: toAlerts(stored, verdict) },
    },
    search: createSearchText(stored.endpoint),
    revision: stored.revision,
  };
}

function toSnapshot(stored: ScorableEndpoint, inputs: ScoreInputs, verdict: Verdict): Snapshot {
  const { endpoint, state, sums } = stored;
  const payOn = getAdvertisedOptions(stored);
  const main = selectMainOption(payOn);
  const latencyMs = toAverageMs(sums);
  return {
    endpointId: endpoint.id,
    slug: endpoint.slug,
    resource: endpoint.resource,
    host: endpoint.host,
    method: state.method ?? endpoint.declaredMethod,
    exampleRequest: endpoint.exampleRequest,
    serviceName: endpoint.serviceName,
    description: endpoint.description,
    templated: endpoint.templated,
    protocolVersion: state.terms?.version ?? endpoint.protocolVersion,
    score: verdict.score,
    scoreLow: verdict.scoreRange.low,
    scoreHigh: verdict.scoreRange.high,
    grade: verdict.grade,
    recommendation: verdict.recommendation,
    confidence: verdict.confidence,
    uptime30d: inputs.probes.scored === 0 ? null : toPercent(inputs.probes.up / inputs.probes.scored),
    latencyMs,
    latencyLabel: toLatencyLabel(latencyMs),
    latencyMsP50: inputs.latency && Math.round(inputs.latency.p50),
    latencyMsP95: inputs.latency && Math.round(inputs.latency.p95),
    ...toProbeCounts(inputs),
    ...toCadence(sums),
    amountUsd: main?.amountUsd ?? null,
    lowestPriceUsd30d: sums?.lowestPriceUsd ?? null,
    highestPriceUsd30d: sums?.highestPriceUsd ?? null,
    priceStability: toPriceStability(inputs),
    network: main?.network ?? null,
    payOn: [...payOn],
    firstSeen: formatTimestamp(endpoint.firstSeenAt),
    lastProbedAt: formatTimestampOrNull(getLastProbedAt(state)),
    listingStatus: endpoint.listingStatus,
    listingSource: endpoint.source,
    delistedAt: formatTimestampOrNull(endpoint.delistedAt),
    directories: [...endpoint.directories],
    failingSince: formatTimestampOrNull(state.failingSince),
    lastFailure: inputs.lastFailure && {
      ...inputs.lastFailure,
      at: formatTimestamp(inputs.lastFailure.at),
      since: formatTimestamp(inputs.lastFailure.since),
      causes30d: sums?.causes ?? {},
    },
    delivery: toDelivery(inputs),
    isCompliant: state.compliance && (state.compliance === 'pass' || state.compliance === 'warnings'),
    daysTracked: Math.max(0, Math.floor((inputs.now - endpoint.firstSeenAt) / DAY_MS)),
    errorFlags: verdict.flags.filter((flag) => flag.severity === 'error').length,
    warningFlags: verdict.flags.filter((flag) => flag.severity === 'warning').length,
  };
}

function toDelivery(inputs: ScoreInputs): Snapshot['delivery'] {
  const { delivery } = inputs;
  if (delivery === undefined) return null;
  const [newest] = delivery.purchases;
  return {
    state: findDeliveryState(inputs),
    last: newest ? toLastPurchase(newest) : null,
    buyers: delivery.buyers,
  };
}

type LastPurchase = NonNullable<NonNullable<Snapshot['delivery']>['last']>;

function toLastPurchase(fact: NonNullable<ScoreInputs['delivery']>['purchases'][number]): LastPurchase {
  const { at, transaction: _, ...purchase } = fact;
  return { ...purchase, at: formatTimestamp(at) };
}

/** Returns the figures that the report contains and the score formula does not use. */
function toReportFigures(stored: ScorableEndpoint): ReportFigures {
  const { sums, state, settlement } = stored;
  const main = selectMainOption(getAdvertisedOptions(stored));
  const computeQuantile = (histogram: readonly number[] | null | undefined, q: number): number | null =>
    histogram ? computePercentile(histogram, q) : null;
  return {
    responseMsP99: computeQuantile(sums?.responseHistogram, 0.99),
    responseMsMean: toAverageMs(sums),
    firstByteMsP50: computeQuantile(sums?.latencyHistogram, 0.5),
    firstByteMsP95: computeQuantile(sums?.latencyHistogram, 0.95),
    lowestPriceUsd: sums?.lowestPriceUsd ?? null,
    highestPriceUsd: sums?.highestPriceUsd ?? null,
    lastProbedAt: getLastProbedAt(state),
    termsAt: state.termsAt,
    payToDistinct30d: (main && sums?.payToCounts?.[toTokenKey(main)]) ?? null,
    challengeHash: state.challengeHash,
    complianceAt: state.complianceAt,
    causes30d: sums?.causes ?? {},
    settlement: settlement.facts,
  };
}

/**
 * Returns the time of the latest probe. A live probe with an unchanged result adds no observation, but renews the times of
 * the latest success, of the latest failure and of the stored challenge.
 */
function getLastProbedAt({ lastProbedAt, ...times }: ScorableEndpoint['state']): number | null {
  const { lastUpAt, lastFailure, termsAt, complianceAt } = times;
  const renewed = [lastUpAt, lastFailure?.at, termsAt, complianceAt].map((at) => at ?? 0);
  return lastProbedAt && Math.max(lastProbedAt, ...renewed);
}

/** Returns the mean time to the end of the response in whole milliseconds; null without a measurement. */
function toAverageMs(sums: ScorableEndpoint['sums']): number | null {
  return sums !== null && sums.responseN > 0 ? Math.round(sums.responseSumMs / sums.responseN) : null;
}

/** Returns the numbers of probed and of due slots per day, and the mean interval between two probes. */
function toCadence(
  sums: ScorableEndpoint['sums'],
): Pick<Snapshot, 'probedPerDay' | 'duePerDay' | 'meanGapSeconds'> {
  if (sums === null || sums.dueSeconds === 0) {
    return { probedPerDay: null, duePerDay: null, meanGapSeconds: null };
  }
  const { slotsDue, slotsProbed, dueSeconds } = sums;
  // The numbers are rounded down, so 48 probed slots are shown only if at least 48 slots were probed.
  const perDay = (slots: number): number => Math.floor((slots * 864_000) / dueSeconds) / 10;
  return {
    probedPerDay: perDay(slotsProbed),
    duePerDay: perDay(slotsDue),
    meanGapSeconds: slotsProbed === 0 ? null : Math.round(dueSeconds / slotsProbed),
  };
}

function toLatencyLabel(ms: number | null): Snapshot['latencyLabel'] {
  if (ms === null) return null;
  if (ms < 400) return 'fast';
  if (ms < 1000) return 'moderate';
  return ms < 2000 ? 'sluggish' : 'slow';
}

/** Returns a label for the price changes; null before the first challenge, because a listing has no price history. */
function toPriceStability({
  templated,
  advertised,
  changes,
  everChallenged,
}: ScoreInputs): Snapshot['priceStability'] {
  if (!everChallenged) return null;
  if ((advertised?.amountUsd ?? null) === null) return null;
  if (templated) return 'per item';
  const priceChanges = changes.filter((change) => change.kind === 'price_change').length;
  if (priceChanges === 0) return 'stable';
  return priceChanges === 1 ? 'changed once' : 'varies';
}

/** Figures that change with every probe. If only these figures change, the page is not refreshed. */
const VOLATILE: ReadonlySet<string> = new Set<keyof Snapshot>([
  'lastProbedAt',
  'probes30d',
  'scoredProbes30d',
  'blocked30d',
  'probedPerDay',
  'duePerDay',
  'meanGapSeconds',
  'latencyMs',
  'latencyMsP50',
  'latencyMsP95',
  'daysTracked',
]);

/** Returns a hash of the visible content without the figures in `VOLATILE`. */
function hashContent({ lastFailure, ...snapshot }: Snapshot): string {
  const content = Object.entries(snapshot).filter(([name]) => !VOLATILE.has(name));
  // The time of the latest failure and the counts change with every failed probe.
  const failure = lastFailure && { ...lastFailure, at: null, causes30d: Object.keys(lastFailure.causes30d) };
  return createHash('sha256')
    .update(JSON.stringify([content, failure]))
    .digest('base64url');
}

/** Stored data of an endpoint from which its alerts are determined. */
export interface AlertSubject {
  readonly endpoint: Pick<
    StoredScoringInput['endpoint'],
    'templated' | 'listingStatus' | 'delistedAt' | 'firstSeenAt'
  >;
  readonly state: Pick<StoredScoringInput['state'], 'downSince' | 'lastCountedAt'>;
  readonly sums: { readonly probes: Pick<ScoreInputs['probes'], 'up'> } | null;
}

/** Ecosystem event that applies to an endpoint. */
export interface Alert {
  readonly kind: EcosystemEventKind;
  /** Time that distinguishes the event from earlier events of its kind, in ISO 8601; null if there is only one event. */
  readonly since: string | null;
  /** Time of the change in ISO 8601; null if unknown. */
  readonly changedAt: string | null;
}

/**
 * Returns the current alerts of an endpoint. An alert becomes an event if the previous score had no alert of the same
 * kind and time.
 *
 * - Takeover suspected: the flag stays for days. The time of the address change distinguishes a second takeover from
 *   the first. The alert of an endpoint with varying payTo addresses has no `since`, so further changes cause no new
 *   event. A change on the first day of an endpoint causes no event, because its payTo may vary by design.
 * - Paid, not delivered: the alert has no `since`, because older purchases leave the window. It ends with a delivery.
 * - Price spike: the alert has no `since`, and ends with the high price.
 * - URL templates: price and payTo address depend on the request, so they cause no alert.
 */
export function toAlerts(
  { endpoint, state, sums }: AlertSubject,
  { flags }: { readonly flags: readonly Pick<Verdict['flags'][number], 'slug' | 'since'>[] },
): readonly Alert[] {
  const alerts: Alert[] = [];
  const isRotating = flags.some(({ slug }) => slug === 'payto-varies');
  const add = (kind: EcosystemEventKind, at: number | null, isOneEvent = false): void => {
    const changedAt = formatTimestampOrNull(at);
    alerts.push({ kind, since: isOneEvent ? null : changedAt, changedAt });
  };
  const addFlagged = (kind: EcosystemEventKind, slug: string, isOneEvent: boolean): void => {
    const flag = endpoint.templated ? undefined : flags.find((each) => each.slug === slug);
    if (flag !== undefined) add(kind, flag.since, isOneEvent);
  };
  const payToFlag = flags.find(({ slug }) => slug === 'payto-changed-recently');
  const isFirstDay = (payToFlag?.since ?? Infinity) - endpoint.firstSeenAt < DAY_MS;
  if (!isFirstDay) addFlagged('takeover-suspected', 'payto-changed-recently', isRotating);
  addFlagged('paid-not-delivered', 'paid-not-delivered', true);
  addFlagged('price-spike', 'price-spike', true);
  if (endpoint.listingStatus === 'delisted') add('delisted', endpoint.delistedAt);
  if (isDown(state) && (sums?.probes.up ?? 0) > 0) add('outage', state.downSince);
  return alerts;
}

/**
 * Returns true after the second consecutive miss, which is normally the recheck. `downSince` is the time of the first
 * miss; a success sets `downSince` to null. If the last counted probe is later than `downSince`, this probe was another
 * miss.
 */
function isDown({ downSince, lastCountedAt }: AlertSubject['state']): boolean {
  return downSince !== null && lastCountedAt !== null && lastCountedAt > downSince;
}
