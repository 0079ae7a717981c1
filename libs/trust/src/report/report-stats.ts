import type { TrustReport } from '@touchstone/contract';
import { challengeCount } from '../endpoint-state.ts';
import { maybeMoment, moment } from './report-values.ts';
import { ageMs, DAY_MS, WINDOW_DAYS } from '../window.ts';
import type { ChangeKind, ScoreInputs } from '../types.ts';

type Stats = TrustReport['stats'];
type LatencyDetails = Pick<NonNullable<Stats['latency']>, 'p99' | 'mean' | 'vantage'>;

/** The raw figures of a report. `latency` is what is known of it beyond the inputs. */
export function reportedStats(inputs: ScoreInputs, latency: LatencyDetails | null): Stats {
  const { total, ...probes } = inputs.probes;
  const { pass, warnings, errors, unpayable } = inputs.envelopes;
  const summed = summedStats(inputs);
  return {
    scoredAt: moment(inputs.now),
    windowDays: summed.windowDays,
    probes: total,
    ...probes,
    envelopes: { checked: summed.checked, valid: summed.valid, pass, warnings, errors, unpayable },
    latency: inputs.latency && { ...inputs.latency, p99: null, mean: null, vantage: null, ...latency },
    changes: {
      price: summed.price,
      payTo: summed.payTo,
      assetNetwork: summed.assetNetwork,
      events: inputs.changes.map(({ kind, at }) => ({ kind, at: moment(at) })),
    },
    everChallenged: inputs.everChallenged,
    answeredFree: inputs.answeredFree,
    lastProbedAt: maybeMoment(inputs.lastProbedAt),
    downSince: maybeMoment(inputs.downSince),
    watchedSince: maybeMoment(inputs.watchedSince),
    lastChallengedAt: maybeMoment(inputs.lastChallengedAt),
    lastPayableAt: maybeMoment(inputs.lastPayableAt),
    latestCompliance: inputs.latestCompliance,
    medianAmountUsd: inputs.medianPriceUsd30d,
    payToSharedWith: inputs.payToSharedWith ?? null,
    networksRead: inputs.networksRead,
    latestChallenge: inputs.lastChallenge ? challengeOf(inputs.lastChallenge) : null,
    observedDays: summed.observedDays,
    firstSeen: moment(inputs.firstSeen),
  };
}

interface SummedStats {
  readonly windowDays: number;
  readonly checked: number;
  readonly valid: number;
  readonly price: number;
  readonly payTo: number;
  readonly assetNetwork: number;
  readonly observedDays: number;
}

/** The figures of `stats` that follow from others of them. */
export function summedStats(inputs: ScoreInputs): SummedStats {
  const changesOf = (kind: ChangeKind): number =>
    inputs.changes.filter((change) => change.kind === kind).length;
  return {
    windowDays: WINDOW_DAYS,
    checked: challengeCount(inputs),
    valid: inputs.envelopes.pass + inputs.envelopes.warnings,
    price: changesOf('price_change'),
    payTo: changesOf('payto_change'),
    assetNetwork: changesOf('asset_network_change'),
    observedDays: Math.floor(ageMs(inputs.now, inputs.firstSeen) / DAY_MS),
  };
}

/** Callers may hand over more than the formula reads of a challenge; a report carries no more than that. */
function challengeOf({
  resourceInfoMissing,
  headerBodyMismatch,
}: NonNullable<ScoreInputs['lastChallenge']>): Stats['latestChallenge'] {
  return { resourceInfoMissing, headerBodyMismatch };
}
