import { DAY_MS } from '@touchstone/common';
import { TEXT_LIMITS, type TrustReport } from '@touchstone/contract';
import { cleanText } from '@touchstone/x402';
import { toKnownSettlement } from '../endpoint-state.ts';
import { parseUsd } from '../numbers/usd.ts';
import { formatUsd, parseIsoTimeOrNull, parseIsoTime, toDisplayText, normalizeUsd } from './report-values.ts';
import type { Failure, ScoreInputs } from '../types.ts';
import { WINDOW_DAYS } from '../window.ts';

type LatestChallenge = NonNullable<ScoreInputs['lastChallenge']>;

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
    delistedAt: inputs.listed ? null : inputs.delistedAt,
    changes: inputs.changes.flatMap(({ kind, at, before, after }) =>
      at < oldest ? [] : [{ kind, at: Math.min(at, now), before: toText(before), after: toText(after) }],
    ),
    lastFailure: toPublishableFailure(inputs),
    description: cleanText(inputs.description, TEXT_LIMITS.description),
    advertised: advertised && {
      ...advertised,
      amountUsd: normalizeUsd(advertised.amountUsd),
      network: toDisplayText(advertised.network),
      asset: toText(advertised.asset),
      payTo: toText(advertised.payTo),
      falseUsdcAsset: advertised.falseUsdc ? toText(advertised.falseUsdcAsset) : null,
    },
    medianPriceUsd30d: parseUsd(inputs.medianPriceUsd30d) === null ? null : inputs.medianPriceUsd30d,
    settlement: toPublishableSettlement(inputs),
    ...(inputs.lastChallenge ? { lastChallenge: toPublishableChallenge(inputs.lastChallenge) } : {}),
  };
}

function toText(text: string | null): string | null {
  return cleanText(text, TEXT_LIMITS.address);
}

/** Returns the latest failure if it lies in the 30-day window, with a cleaned text. Times after `now` become `now`. */
function toPublishableFailure({ now, lastFailure }: ScoreInputs): Failure | null {
  if (lastFailure === null || lastFailure.at < now - WINDOW_DAYS * DAY_MS) return null;
  const at = Math.min(lastFailure.at, now);
  return {
    ...lastFailure,
    at,
    since: Math.min(lastFailure.since, at),
    detail: toDisplayText(lastFailure.detail, TEXT_LIMITS.failure),
  };
}

function toPublishableChallenge({
  resourceInfoMissing,
  headerBodyMismatch,
  notPayableReason,
}: LatestChallenge): LatestChallenge {
  return {
    resourceInfoMissing,
    headerBodyMismatch,
    notPayableReason: cleanText(notPayableReason, TEXT_LIMITS.failure),
  };
}

function toPublishableSettlement(inputs: ScoreInputs): ScoreInputs['settlement'] {
  const settlement = toKnownSettlement(inputs);
  return (
    settlement && {
      ...settlement,
      volumeUsd30d: Number(formatUsd(settlement.volumeUsd30d)),
      topPayerShare: settlement.payers30d <= 0 ? null : settlement.topPayerShare,
    }
  );
}

/** Reads all score inputs from a report. */
export function readInputs(report: TrustReport): ScoreInputs {
  const { stats, advertised, settlement, listing } = report;
  return {
    now: parseIsoTime(stats.scoredAt),
    firstSeen: parseIsoTime(stats.firstSeen),
    listed: listing.status === 'listed',
    delistedAt: parseIsoTimeOrNull(listing.delistedAt),
    lastFailure: readLastFailure(report),
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
      asset: advertised.asset,
      payTo: advertised.payTo,
      falseUsdc: advertised.falseUsdc,
      falseUsdcAsset: advertised.falseUsdcAsset,
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
    topPayerShare,
    ...(partial === true ? { partial } : {}),
  };
}

type Stats = TrustReport['stats'];

type Counts = 'probes' | 'envelopes' | 'last24h' | 'last7d' | 'latency' | 'changes';

function readCounts(stats: Stats): Pick<ScoreInputs, Counts> {
  const { latency, changes, last24h, last7d } = stats;
  return {
    probes: {
      total: stats.probes30d,
      scored: stats.scoredProbes30d,
      up: stats.up30d,
      excluded: stats.excluded30d,
      blocked: stats.blocked30d,
      redirected: stats.redirected30d,
    },
    envelopes: readEnvelopes(stats.envelopes),
    last24h: {
      scored: last24h.scored,
      up: last24h.up,
      free: last24h.free,
      envelopes: readEnvelopes(last24h),
    },
    last7d: { scored: last7d.scored, up: last7d.up },
    latency: latency && { p50: latency.p50, p95: latency.p95, n: latency.n },
    changes: changes.events.map(({ kind, at, before, after }) => ({
      kind,
      at: parseIsoTime(at),
      before,
      after,
    })),
  };
}

function readEnvelopes({
  pass,
  warnings,
  errors,
  unpayable,
}: ScoreInputs['envelopes']): ScoreInputs['envelopes'] {
  return { pass, warnings, errors, unpayable };
}

function readLastFailure({ lastFailure }: TrustReport): Failure | null {
  if (lastFailure === null) return null;
  const { at, since, phase, httpStatus, error, detail } = lastFailure;
  return { at: parseIsoTime(at), since: parseIsoTime(since), phase, httpStatus, error, detail };
}

type Times = 'lastScoredAt' | 'downSince' | 'watchedSince' | 'lastChallengedAt' | 'lastPayableAt';

function readTimes(stats: Stats): Pick<ScoreInputs, Times> {
  return {
    lastScoredAt: parseIsoTimeOrNull(stats.lastScoredAt),
    downSince: parseIsoTimeOrNull(stats.downSince),
    watchedSince: parseIsoTimeOrNull(stats.watchedSince),
    lastChallengedAt: parseIsoTimeOrNull(stats.lastChallengedAt),
    lastPayableAt: parseIsoTimeOrNull(stats.lastPayableAt),
  };
}
