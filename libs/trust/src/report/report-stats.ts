import { DAY_MS } from '@touchstone/common';
import type { ChangeKind, TrustReport } from '@touchstone/contract';
import { countChallenges } from '../endpoint-state.ts';
import { toIsoTime, toIsoTimeOrNull } from './report-values.ts';
import type { ScoreInputs } from '../types.ts';
import { computeAgeMs, WINDOW_DAYS } from '../window.ts';

type Stats = TrustReport['stats'];
type LatencyDetails = Pick<NonNullable<Stats['latency']>, 'p99' | 'mean' | 'vantage'>;

/**
 * Returns the raw figures of a report.
 *
 * @param latency latency figures that a report shows but the score does not use
 */
export function toReportStats(inputs: ScoreInputs, latency: LatencyDetails | null): Stats {
  const { total, ...probes } = inputs.probes;
  const { pass, warnings, errors, unpayable } = inputs.envelopes;
  const derived = computeDerivedStats(inputs);
  return {
    scoredAt: toIsoTime(inputs.now),
    windowDays: derived.windowDays,
    probes: total,
    ...probes,
    envelopes: { checked: derived.checked, valid: derived.valid, pass, warnings, errors, unpayable },
    latency: inputs.latency && { ...inputs.latency, p99: null, mean: null, vantage: null, ...latency },
    changes: {
      price: derived.price,
      payTo: derived.payTo,
      assetNetwork: derived.assetNetwork,
      events: inputs.changes.map(({ kind, at }) => ({ kind, at: toIsoTime(at) })),
    },
    everChallenged: inputs.everChallenged,
    answeredFree: inputs.answeredFree,
    lastProbedAt: toIsoTimeOrNull(inputs.lastProbedAt),
    downSince: toIsoTimeOrNull(inputs.downSince),
    watchedSince: toIsoTimeOrNull(inputs.watchedSince),
    lastChallengedAt: toIsoTimeOrNull(inputs.lastChallengedAt),
    lastPayableAt: toIsoTimeOrNull(inputs.lastPayableAt),
    latestCompliance: inputs.latestCompliance,
    medianAmountUsd: inputs.medianPriceUsd30d,
    payToSharedWith: inputs.payToSharedWith ?? null,
    networksRead: inputs.networksRead,
    latestChallenge: inputs.lastChallenge ? toLatestChallenge(inputs.lastChallenge) : null,
    observedDays: derived.observedDays,
    firstSeen: toIsoTime(inputs.firstSeen),
  };
}

interface DerivedStats {
  readonly windowDays: number;
  readonly checked: number;
  readonly valid: number;
  readonly price: number;
  readonly payTo: number;
  readonly assetNetwork: number;
  readonly observedDays: number;
}

/** Computes those figures of `stats` in a report that are derived from score inputs, such as `observedDays`. */
export function computeDerivedStats(inputs: ScoreInputs): DerivedStats {
  const countChanges = (kind: ChangeKind): number =>
    inputs.changes.filter((change) => change.kind === kind).length;
  return {
    windowDays: WINDOW_DAYS,
    checked: countChallenges(inputs),
    valid: inputs.envelopes.pass + inputs.envelopes.warnings,
    price: countChanges('price_change'),
    payTo: countChanges('payto_change'),
    assetNetwork: countChanges('asset_network_change'),
    observedDays: Math.floor(computeAgeMs(inputs.now, inputs.firstSeen) / DAY_MS),
  };
}

/** Copies only the members that the report schema allows, because callers may pass objects with additional members. */
function toLatestChallenge({
  resourceInfoMissing,
  headerBodyMismatch,
}: NonNullable<ScoreInputs['lastChallenge']>): Stats['latestChallenge'] {
  return { resourceInfoMissing, headerBodyMismatch };
}
