import { DAY_MS } from '@touchstone/common';
import { computeAgeMs, countChallenges, WINDOW_DAYS } from './endpoint-state.ts';
import type { ChangeKind, Report } from './report-schema.ts';
import { parseIsoTime, parseIsoTimeOrNull } from './report-values.ts';
import type { ScoreInputs } from './types.ts';

/** Reads all score inputs from a report. */
export function readInputs(report: Report): ScoreInputs {
  const { stats, advertised, settlement, listing } = report;
  return {
    now: parseIsoTime(stats.scoredAt),
    firstSeen: parseIsoTime(stats.firstSeen),
    listed: listing.status === 'listed',
    templated: report.templated,
    description: report.description,
    ...readCounts(stats),
    ...readTimes(stats),
    everChallenged: stats.everChallenged,
    answeredFree: stats.answeredFree,
    latestCompliance: stats.latestCompliance,
    advertised: advertised && {
      amountUsd: advertised.amountUsd,
      network: advertised.network,
      payTo: advertised.payTo,
      falseUsdc: advertised.falseUsdc,
      networkKnown: advertised.networkKnown,
      protocolVersion: advertised.protocolVersion,
    },
    medianPriceUsd30d: stats.medianAmountUsd,
    settlement: readSettlement(settlement),
    networksRead: stats.networksRead,
    ...(stats.payToSharedWith === null ? {} : { payToSharedWith: stats.payToSharedWith }),
    ...(stats.latestChallenge === null ? {} : { lastChallenge: stats.latestChallenge }),
  };
}

/**
 * Reads the settlements from a report. If the volume is missing, no chain was read. Other missing figures count as 0.
 */
function readSettlement(settlement: Report['settlement']): ScoreInputs['settlement'] {
  if (settlement === null || settlement.volumeUsd30d === null) return null;
  const { volumeUsd30d, payers30d, topPayerShare, partial } = settlement;
  return {
    volumeUsd30d: Number(volumeUsd30d),
    payers30d: payers30d ?? 0,
    topPayerShare: topPayerShare ?? 0,
    ...(partial === true ? { partial } : {}),
  };
}

type Stats = Report['stats'];

function readCounts(stats: Stats): Pick<ScoreInputs, 'probes' | 'envelopes' | 'latency' | 'changes'> {
  const { scored, up, excluded, blocked, redirected, latency, changes } = stats;
  const { pass, warnings, errors, unpayable } = stats.envelopes;
  return {
    probes: { total: stats.probes, scored, up, excluded, blocked, redirected },
    envelopes: { pass, warnings, errors, unpayable },
    latency: latency && { p50: latency.p50, p95: latency.p95, n: latency.n },
    changes: changes.events.map(({ kind, at }) => ({ kind, at: parseIsoTime(at) })),
  };
}

type Times = 'lastProbedAt' | 'downSince' | 'watchedSince' | 'lastChallengedAt' | 'lastPayableAt';

function readTimes(stats: Stats): Pick<ScoreInputs, Times> {
  return {
    lastProbedAt: parseIsoTimeOrNull(stats.lastProbedAt),
    downSince: parseIsoTimeOrNull(stats.downSince),
    watchedSince: parseIsoTimeOrNull(stats.watchedSince),
    lastChallengedAt: parseIsoTimeOrNull(stats.lastChallengedAt),
    lastPayableAt: parseIsoTimeOrNull(stats.lastPayableAt),
  };
}

/** Figures of `stats` that are derived from score inputs. */
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
