import { TEXT_LIMITS, type TrustReport } from '@touchstone/contract';
import { cleanText } from '@touchstone/x402';
import { knownSettlement } from '../endpoint-state.ts';
import { dollars, fromMaybeMoment, fromMoment, shownText, sixDecimals } from './report-values.ts';
import { DAY_MS, WINDOW_DAYS } from '../window.ts';
import type { ScoreInputs } from '../types.ts';
import { parseUsd } from '../numbers/usd.ts';

/**
 * Inputs as a report can carry them: prices and volumes in whole micro-dollars, texts of providers cleaned. What is scored and
 * published comes through here first, so that a description of nothing but invisible characters is none to the
 * formula either. What a clock that runs ahead dates after the present happened just now, and changes from before the
 * window are none.
 */
export function publishable(inputs: ScoreInputs): ScoreInputs {
  const { now, advertised } = inputs;
  const oldest = now - WINDOW_DAYS * DAY_MS;
  return {
    ...inputs,
    firstSeen: Math.min(inputs.firstSeen, now),
    changes: inputs.changes.flatMap(({ kind, at }) => (at < oldest ? [] : [{ kind, at: Math.min(at, now) }])),
    description: cleanText(inputs.description, TEXT_LIMITS.description),
    advertised: advertised && {
      ...advertised,
      amountUsd: sixDecimals(advertised.amountUsd),
      network: shownText(advertised.network),
      payTo: shownText(advertised.payTo),
    },
    medianPriceUsd30d: parseUsd(inputs.medianPriceUsd30d) === null ? null : inputs.medianPriceUsd30d,
    settlement: publishableSettlement(inputs),
  };
}

function publishableSettlement(inputs: ScoreInputs): ScoreInputs['settlement'] {
  const settlement = knownSettlement(inputs);
  return settlement && { ...settlement, volumeUsd30d: Number(dollars(settlement.volumeUsd30d)) };
}

/** Everything the score was computed from, read back from a report. */
export function inputsOf(report: TrustReport): ScoreInputs {
  const { stats, advertised, settlement, listing } = report;
  return {
    now: fromMoment(stats.scoredAt),
    firstSeen: fromMoment(stats.firstSeen),
    listed: listing.status === 'listed',
    templated: report.templated,
    description: report.description,
    ...countsOf(stats),
    ...timesOf(stats),
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
    settlement: settlementOf(settlement),
    networksRead: stats.networksRead,
    ...(stats.payToSharedWith === null ? {} : { payToSharedWith: stats.payToSharedWith }),
    ...(stats.latestChallenge === null ? {} : { lastChallenge: stats.latestChallenge }),
  };
}

/** Whether a chain was read is whether there is a volume; figures that lack beside it are none. */
function settlementOf(settlement: TrustReport['settlement']): ScoreInputs['settlement'] {
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

function countsOf(stats: Stats): Pick<ScoreInputs, 'probes' | 'envelopes' | 'latency' | 'changes'> {
  const { scored, up, excluded, blocked, redirected, latency, changes } = stats;
  const { pass, warnings, errors, unpayable } = stats.envelopes;
  return {
    probes: { total: stats.probes, scored, up, excluded, blocked, redirected },
    envelopes: { pass, warnings, errors, unpayable },
    latency: latency && { p50: latency.p50, p95: latency.p95, n: latency.n },
    changes: changes.events.map(({ kind, at }) => ({ kind, at: fromMoment(at) })),
  };
}

type Times = 'lastProbedAt' | 'downSince' | 'watchedSince' | 'lastChallengedAt' | 'lastPayableAt';

function timesOf(stats: Stats): Pick<ScoreInputs, Times> {
  return {
    lastProbedAt: fromMaybeMoment(stats.lastProbedAt),
    downSince: fromMaybeMoment(stats.downSince),
    watchedSince: fromMaybeMoment(stats.watchedSince),
    lastChallengedAt: fromMaybeMoment(stats.lastChallengedAt),
    lastPayableAt: fromMaybeMoment(stats.lastPayableAt),
  };
}
