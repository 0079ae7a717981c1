import { DAY_MS } from '@touchstone/common';
import { TEXT_LIMITS, type TrustReport } from '@touchstone/contract';
import { cleanText } from '@touchstone/x402';
import { toKnownSettlement } from '../endpoint-state.ts';
import { parseUsd } from '../numbers/usd.ts';
import { formatUsd, parseIsoTimeOrNull, parseIsoTime, toDisplayText, normalizeUsd } from './report-values.ts';
import type { ScoreInputs } from '../types.ts';
import { WINDOW_DAYS } from '../window.ts';

/**
 * Converts score inputs to values that a report can contain without loss, so that readers can recompute the verdict
 * from the report. Prices and volumes are rounded to millionths of a dollar. Provider texts are cleaned, so a
 * description of only invisible characters counts as missing. Times after `now` become `now`, and changes before the
 * 30-day window are dropped. The score must be computed from the converted inputs.
 */
export function toPublishableInputs(inputs: ScoreInputs): ScoreInputs {
  const { now, advertised } = inputs;
  const oldest = now - WINDOW_DAYS * DAY_MS;
  return {
    ...inputs,
    firstSeen: Math.min(inputs.firstSeen, now),
    changes: inputs.changes.flatMap(({ kind, at }) => (at < oldest ? [] : [{ kind, at: Math.min(at, now) }])),
    description: cleanText(inputs.description, TEXT_LIMITS.description),
    advertised: advertised && {
      ...advertised,
      amountUsd: normalizeUsd(advertised.amountUsd),
      network: toDisplayText(advertised.network),
      payTo: toDisplayText(advertised.payTo),
    },
    medianPriceUsd30d: parseUsd(inputs.medianPriceUsd30d) === null ? null : inputs.medianPriceUsd30d,
    settlement: toPublishableSettlement(inputs),
  };
}

function toPublishableSettlement(inputs: ScoreInputs): ScoreInputs['settlement'] {
  const settlement = toKnownSettlement(inputs);
  return settlement && { ...settlement, volumeUsd30d: Number(formatUsd(settlement.volumeUsd30d)) };
}

/** Reads all score inputs from a report. */
export function readInputs(report: TrustReport): ScoreInputs {
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
function readSettlement(settlement: TrustReport['settlement']): ScoreInputs['settlement'] {
  if (settlement === null || settlement.volumeUsd30d === null) return null;
  const { volumeUsd30d, payers30d, topPayerShare, partial } = settlement;
  return {
    volumeUsd30d: Number(volumeUsd30d),
    payers30d: payers30d ?? 0,
    topPayerShare: topPayerShare ?? 0,
    ...(partial === true ? { partial } : {}),
  };
}

type Stats = TrustReport['stats'];

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
