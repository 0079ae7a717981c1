import { DAY_MS } from '@touchstone/common';
import type { ChangeKind, TrustReport } from '@touchstone/contract';
import { countChallenges } from '../endpoint-state.ts';
import { MAX_PERCENTILE_ERROR_PERCENT } from '../latency-histogram.ts';
import type { ScoreInputs } from '../types.ts';
import { computeAgeMs, WINDOW_DAYS } from '../window.ts';
import { formatUsd, toIsoTime, toIsoTimeOrNull } from './report-values.ts';

type Stats = TrustReport['stats'];

/** Latency figures that a report shows but the score does not use, in milliseconds. */
export interface LatencyDetails {
  readonly p99: number | null;
  readonly mean: number | null;
  readonly firstByte: Stats['firstByte'];
  /** Location from which latency is measured. */
  readonly vantage: string | null;
}

interface StatsFacts {
  readonly inputs: ScoreInputs;
  readonly latency: LatencyDetails | null;
  /** Time of the last probe of any outcome. */
  readonly lastProbedAt: number | null;
}

/** Returns the raw figures of a report. */
export function toReportStats({ inputs, latency, lastProbedAt }: StatsFacts): Stats {
  const derived = computeDerivedStats(inputs);
  return {
    scoredAt: toIsoTime(inputs.now),
    windowDays: derived.windowDays,
    ...toProbeStats(inputs, derived),
    ...toLatencyStats(inputs, latency),
    settledVolumeUsd30d: derived.settledVolumeUsd30d,
    distinctPayers30d: derived.distinctPayers30d,
    changes: {
      price: derived.price,
      payTo: derived.payTo,
      assetNetwork: derived.assetNetwork,
      events: inputs.changes.map(({ kind, at, before, after }) => ({
        kind,
        at: toIsoTime(at),
        before,
        after,
      })),
    },
    everChallenged: inputs.everChallenged,
    answeredFree: inputs.answeredFree,
    lastProbedAt: toIsoTimeOrNull(lastProbedAt),
    lastScoredAt: toIsoTimeOrNull(inputs.lastScoredAt),
    downSince: toIsoTimeOrNull(inputs.downSince),
    watchedSince: toIsoTimeOrNull(inputs.watchedSince),
    lastChallengedAt: toIsoTimeOrNull(inputs.lastChallengedAt),
    lastPayableAt: toIsoTimeOrNull(inputs.lastPayableAt),
    latestCompliance: inputs.latestCompliance,
    medianAmountUsd: inputs.medianPriceUsd30d,
    payToSharedWith: inputs.payToSharedWith ?? null,
    networksRead: inputs.networksRead,
    latestChallenge: inputs.lastChallenge ?? null,
    observedDays: derived.observedDays,
    firstSeen: toIsoTime(inputs.firstSeen),
  };
}

type ProbeStats =
  | 'probes30d'
  | 'scoredProbes30d'
  | 'up30d'
  | 'excluded30d'
  | 'blocked30d'
  | 'redirected30d'
  | 'last24h'
  | 'last7d'
  | 'envelopes';

function toProbeStats(
  { probes, envelopes, last24h, last7d }: ScoreInputs,
  derived: DerivedStats,
): Pick<Stats, ProbeStats> {
  const { pass, warnings, errors, unpayable } = envelopes;
  return {
    probes30d: probes.total,
    scoredProbes30d: probes.scored,
    up30d: probes.up,
    excluded30d: probes.excluded,
    blocked30d: probes.blocked,
    redirected30d: probes.redirected,
    last24h: { scored: last24h.scored, up: last24h.up, free: last24h.free, ...last24h.envelopes },
    last7d: { scored: last7d.scored, up: last7d.up },
    envelopes: { checked: derived.checked, valid: derived.valid, pass, warnings, errors, unpayable },
  };
}

function toLatencyStats(
  inputs: ScoreInputs,
  details: LatencyDetails | null,
): Pick<Stats, 'avgLatencyMs' | 'latency' | 'firstByte'> {
  return {
    avgLatencyMs: details?.mean ?? null,
    latency: inputs.latency && {
      p50: inputs.latency.p50,
      p95: inputs.latency.p95,
      p99: details?.p99 ?? null,
      n: inputs.latency.n,
      maxErrorPercent: MAX_PERCENTILE_ERROR_PERCENT,
      vantage: details?.vantage ?? null,
    },
    firstByte: details?.firstByte ?? null,
  };
}

interface DerivedStats {
  readonly windowDays: number;
  readonly checked: number;
  readonly valid: number;
  /** Absent without a latency. */
  readonly maxErrorPercent: number | undefined;
  readonly price: number;
  readonly payTo: number;
  readonly assetNetwork: number;
  readonly settledVolumeUsd30d: string | null;
  readonly distinctPayers30d: number | null;
  readonly observedDays: number;
}

/** Computes those figures of `stats` in a report that are derived from score inputs, such as `observedDays`. */
export function computeDerivedStats(inputs: ScoreInputs): DerivedStats {
  const countChanges = (kind: ChangeKind): number =>
    inputs.changes.filter((change) => change.kind === kind).length;
  const { settlement } = inputs;
  return {
    windowDays: WINDOW_DAYS,
    checked: countChallenges(inputs),
    valid: inputs.envelopes.pass + inputs.envelopes.warnings,
    maxErrorPercent: inputs.latency === null ? undefined : MAX_PERCENTILE_ERROR_PERCENT,
    price: countChanges('price_change'),
    payTo: countChanges('payto_change'),
    assetNetwork: countChanges('asset_network_change'),
    settledVolumeUsd30d: settlement && formatUsd(settlement.volumeUsd30d),
    distinctPayers30d: settlement && settlement.payers30d,
    observedDays: Math.floor(computeAgeMs(inputs.now, inputs.firstSeen) / DAY_MS),
  };
}
