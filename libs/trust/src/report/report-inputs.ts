import { DAY_MS, formatTimestamp, formatTimestampOrNull } from '@touchstone/common';
import { TEXT_LIMITS, type TrustReport } from '@touchstone/contract';
import { cleanText } from '@touchstone/x402';
import {
  countChallenges,
  countChanges,
  isPayToVarying,
  toKnownSettlement,
  toProbeCounts,
  computeAgeMs,
  WINDOW_DAYS,
} from '../endpoint-state.ts';
import { MAX_PERCENTILE_ERROR_PERCENT } from '../latency-histogram.ts';
import { parseUsd } from '../numbers.ts';
import {
  formatUsd,
  parseIsoTimeOrNull,
  toDisplayResource,
  toDisplayText,
  normalizeUsd,
} from '../report-values.ts';
import { limitDelivery, readDelivery } from './report-delivery.ts';
import type { Failure, ReturningWallet, ScoreInputs } from '../types.ts';

/** Score inputs in a report: conversion of the score inputs to publishable values, to report members, and back. */

type Stats = TrustReport['stats'];

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
    ...limitDelivery(inputs),
    firstSeen: Math.min(inputs.firstSeen, now),
    delistedAt: inputs.listed ? null : inputs.delistedAt,
    changes: inputs.changes.flatMap(({ kind, at, before, after }) =>
      at < oldest ? [] : [{ kind, at: Math.min(at, now), before: toText(before), after: toText(after) }],
    ),
    ...convertVariation(inputs, (at) => Math.min(Math.max(at, oldest), now)),
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

type VariationAt<Time> = Omit<NonNullable<ScoreInputs['payToVariation']>, 'since' | 'lastChangedAt'> & {
  readonly since: Time;
  readonly lastChangedAt: Time;
};

/** Returns the variation of the payTo, if the payTo varied, with converted times and cleaned addresses. */
function convertVariation<From, To>(
  { payToVariation: variation }: { readonly payToVariation?: VariationAt<From> },
  convert: (time: From) => To,
): { readonly payToVariation?: VariationAt<To> } {
  if (variation === undefined) return {};
  const { changes, since, lastChangedAt, before, after } = variation;
  const times = { since: convert(since), lastChangedAt: convert(lastChangedAt) };
  return { payToVariation: { changes, ...times, before: toText(before), after: toText(after) } };
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

type LatestChallenge = NonNullable<ScoreInputs['lastChallenge']>;

function toPublishableChallenge(challenge: LatestChallenge): LatestChallenge {
  const { redirect, notPayableReason, neededSettings } = challenge;
  return {
    ...challenge,
    notPayableReason: cleanText(notPayableReason, TEXT_LIMITS.failure),
    neededSettings: neededSettings.map(({ kind, setting }) => ({
      kind,
      setting: toDisplayText(setting, TEXT_LIMITS.failure),
    })),
    redirect: redirect && { ...redirect, target: toDisplayResource(redirect.target) },
  };
}

type Settlement = NonNullable<ScoreInputs['settlement']>;

/**
 * Returns the volume that was sent back to payers and the wallets that sent it, if anything was sent back.
 *
 * @param text US dollars
 */
function toReturned(
  text: string | null,
  wallets: readonly ReturningWallet[],
): Pick<Settlement, 'returnedUsd30d' | 'returnedBy'> {
  const returnedUsd30d = Number(text ?? 0);
  return returnedUsd30d > 0 ? { returnedUsd30d, returnedBy: [...wallets] } : {};
}

function toPublishableWallet({ address, network, ...wallet }: ReturningWallet): ReturningWallet {
  return {
    ...{ ...wallet, address: toDisplayText(address), network: toDisplayText(network) },
    returnedUsd30d: Number(formatUsd(wallet.returnedUsd30d)),
  };
}

function toPublishableSettlement(inputs: ScoreInputs): ScoreInputs['settlement'] {
  const settlement = toKnownSettlement(inputs);
  if (settlement === null) return null;
  const { returnedUsd30d: returned = 0, returnedBy = [], ...kept } = settlement;
  return {
    ...kept,
    volumeUsd30d: Number(formatUsd(settlement.volumeUsd30d)),
    ...toReturned(formatUsd(returned), returnedBy.map(toPublishableWallet)),
    topPayerShare: settlement.payers30d <= 0 ? null : settlement.topPayerShare,
  };
}

/** Figures in the statistics of a report that the score does not use. */
export interface UnscoredStats extends Pick<
  Stats,
  'avgLatencyMs' | 'firstByte' | 'latencyVantage' | 'payToDistinct30d'
> {
  /** 99th percentile of the time to the last byte, in milliseconds. */
  readonly p99: number | null;
  /** Time of the latest payment terms, as ISO 8601; null if unknown. */
  readonly termsAt: string | null;
  /** Time of the last probe of any outcome, in milliseconds since the epoch. */
  readonly lastProbedAt: number | null;
}

/**
 * Returns the statistics of a report: the score inputs, figures derived from the score inputs, and figures that the
 * score does not use.
 */
export function toReportStats(inputs: ScoreInputs, unscored: UnscoredStats): Stats {
  const { probes, envelopes, last24h, last7d, latency, settlement } = inputs;
  const { pass, warnings, errors, unpayable } = envelopes;
  const { p99, latencyVantage } = unscored;
  return {
    scoredAt: formatTimestamp(inputs.now),
    windowDays: WINDOW_DAYS,
    ...toProbeCounts(inputs),
    up30d: probes.up,
    excluded30d: probes.excluded,
    redirected30d: probes.redirected,
    last24h: { scored: last24h.scored, up: last24h.up, free: last24h.free, ...last24h.envelopes },
    last7d: { scored: last7d.scored, up: last7d.up },
    envelopes: {
      ...{ checked: countChallenges(inputs.envelopes), valid: pass + warnings },
      ...{ pass, warnings, errors, unpayable },
    },
    avgLatencyMs: unscored.avgLatencyMs,
    latency: latency && {
      ...{ p50: latency.p50, p95: latency.p95, p99, n: latency.n },
      maxErrorPercent: MAX_PERCENTILE_ERROR_PERCENT,
      vantage: latencyVantage,
    },
    latencyVantage,
    firstByte: unscored.firstByte,
    settledVolumeUsd30d: settlement && formatUsd(settlement.volumeUsd30d),
    distinctPayers30d: settlement && settlement.payers30d,
    changes: {
      price: countChanges(inputs, 'price_change'),
      payTo: countChanges(inputs, 'payto_change'),
      assetNetwork: countChanges(inputs, 'asset_network_change'),
      events: inputs.changes.map((change) => ({ ...change, at: formatTimestamp(change.at) })),
      ...convertVariation(inputs, formatTimestamp),
    },
    payToVaries: isPayToVarying(inputs.payToVariation ?? null, parseIsoTimeOrNull(unscored.termsAt)),
    payToDistinct30d: unscored.payToDistinct30d,
    everChallenged: inputs.everChallenged,
    answeredFree: inputs.answeredFree,
    lastProbedAt: formatTimestampOrNull(unscored.lastProbedAt),
    lastScoredAt: formatTimestampOrNull(inputs.lastScoredAt),
    downSince: formatTimestampOrNull(inputs.downSince),
    watchedSince: formatTimestampOrNull(inputs.watchedSince),
    lastUpAt: formatTimestampOrNull(inputs.lastUpAt),
    lastChallengedAt: formatTimestampOrNull(inputs.lastChallengedAt),
    lastPayableAt: formatTimestampOrNull(inputs.lastPayableAt),
    latestCompliance: inputs.latestCompliance,
    medianAmountUsd: inputs.medianPriceUsd30d,
    payToSharedWith: inputs.payToSharedWith ?? null,
    payToSharedOnHost: inputs.payToSharedOnHost ?? null,
    networksRead: inputs.networksRead,
    latestChallenge: inputs.lastChallenge ?? null,
    observedDays: Math.floor(computeAgeMs(inputs.now, inputs.firstSeen) / DAY_MS),
    firstSeen: formatTimestamp(inputs.firstSeen),
  };
}

export function readInputs({ stats, listing, lastFailure, advertised, ...report }: TrustReport): ScoreInputs {
  const { latency, last24h, last7d } = stats;
  return {
    now: Date.parse(stats.scoredAt),
    firstSeen: Date.parse(stats.firstSeen),
    listed: listing.status === 'listed',
    delistedAt: parseIsoTimeOrNull(listing.delistedAt),
    templated: report.templated,
    description: report.description,
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
    changes: stats.changes.events.map((event) => ({ ...event, at: Date.parse(event.at) })),
    ...convertVariation(stats.changes, Date.parse),
    everChallenged: stats.everChallenged,
    answeredFree: stats.answeredFree,
    lastScoredAt: parseIsoTimeOrNull(stats.lastScoredAt),
    downSince: parseIsoTimeOrNull(stats.downSince),
    lastFailure: readLastFailure(lastFailure),
    lastUpAt: parseIsoTimeOrNull(stats.lastUpAt),
    lastChallengedAt: parseIsoTimeOrNull(stats.lastChallengedAt),
    lastPayableAt: parseIsoTimeOrNull(stats.lastPayableAt),
    latestCompliance: stats.latestCompliance,
    watchedSince: parseIsoTimeOrNull(stats.watchedSince),
    advertised: advertised && readAdvertised(advertised),
    medianPriceUsd30d: stats.medianAmountUsd,
    settlement: readSettlement(report.settlement),
    networksRead: stats.networksRead,
    ...readDelivery(report),
    ...(stats.payToSharedWith === null ? {} : { payToSharedWith: stats.payToSharedWith }),
    ...(stats.payToSharedOnHost === null ? {} : { payToSharedOnHost: stats.payToSharedOnHost }),
    ...(stats.latestChallenge === null ? {} : { lastChallenge: stats.latestChallenge }),
  };
}

type Envelopes = ScoreInputs['envelopes'];

function readEnvelopes({ pass, warnings, errors, unpayable }: Envelopes): Envelopes {
  return { pass, warnings, errors, unpayable };
}

function readLastFailure(failure: TrustReport['lastFailure']): Failure | null {
  if (failure === null) return null;
  const { causes30d: _, at, since, ...cause } = failure;
  return { at: Date.parse(at), since: Date.parse(since), ...cause };
}

function readAdvertised(advertised: NonNullable<TrustReport['advertised']>): ScoreInputs['advertised'] {
  const { amountUsd, network, asset, payTo } = advertised;
  const { falseUsdc, falseUsdcAsset, networkKnown, protocolVersion } = advertised;
  return { amountUsd, network, asset, payTo, falseUsdc, falseUsdcAsset, networkKnown, protocolVersion };
}

/**
 * Reads the settlements from a report. If the volume is missing, no chain was read. Other missing figures count as 0.
 */
function readSettlement(settlement: TrustReport['settlement']): ScoreInputs['settlement'] {
  if (settlement === null || settlement.volumeUsd30d === null) return null;
  const { volumeUsd30d, returnedUsd30d, payers30d, topPayerShare, partial } = settlement;
  const wallets = settlement.returnedBy.map(({ funded, ...wallet }) => ({
    ...{ ...wallet, isFunded: funded, returnedUsd30d: Number(wallet.returnedUsd30d) },
  }));
  return {
    volumeUsd30d: Number(volumeUsd30d),
    ...toReturned(returnedUsd30d, wallets),
    payers30d: payers30d ?? 0,
    topPayerShare,
    ...(partial === true ? { partial } : {}),
  };
}
