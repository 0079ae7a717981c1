import { isKnownNetwork } from '@touchstone/x402';
import { percentile, type ScoreInputs } from '@touchstone/trust';
import type { StoredScoringInput } from '@touchstone/store';
import { advertisedBy, type Scorable } from './read-scorable.ts';
import { mainOption } from './terms.ts';

/** What the formula reads, from what is stored. */
export function toScoreInputs(stored: Scorable, now: number): ScoreInputs {
  const { endpoint, state, sums, settlement } = stored;
  return {
    now,
    firstSeen: endpoint.firstSeenAt,
    listed: endpoint.listingStatus === 'listed',
    templated: endpoint.templated,
    description: endpoint.description ?? state.terms?.description ?? null,
    probes: {
      total: sums?.probes ?? 0,
      scored: sums?.scored ?? 0,
      up: sums?.up ?? 0,
      excluded: sums?.excluded ?? 0,
      blocked: sums?.blocked ?? 0,
      redirected: sums?.redirected ?? 0,
    },
    envelopes: {
      pass: sums?.pass ?? 0,
      warnings: sums?.warnings ?? 0,
      errors: sums?.errors ?? 0,
      unpayable: sums?.unpayable ?? 0,
    },
    latency: latencyOf(sums),
    changes: stored.changes,
    everChallenged: state.lastChallengedAt !== null,
    answeredFree: (sums?.free ?? 0) > 0,
    downSince: state.downSince,
    lastChallengedAt: state.lastChallengedAt,
    lastPayableAt: state.lastPayableAt,
    advertised: advertisedOf(stored),
    medianPriceUsd30d: sums?.medianPriceUsd ?? null,
    settlement: settlement.inputs,
    networksRead: settlement.networksRead,
    lastProbedAt: state.lastCountedAt,
    latestCompliance: state.compliance,
    watchedSince: state.watchedSince,
    payToSharedWith: state.payToSharedWith,
    ...(state.terms ? { lastChallenge: state.terms } : {}),
  };
}

function latencyOf(sums: StoredScoringInput['sums']): ScoreInputs['latency'] {
  if (!sums?.latencyHistogram) return null;
  const p50 = percentile(sums.latencyHistogram, 0.5);
  const p95 = percentile(sums.latencyHistogram, 0.95);
  return p50 === null || p95 === null ? null : { p50, p95, n: sums.latencyN };
}

function advertisedOf(stored: StoredScoringInput): ScoreInputs['advertised'] {
  const { endpoint, state } = stored;
  const option = mainOption(advertisedBy(stored));
  return (
    option && {
      amountUsd: option.amountUsd,
      network: option.network,
      payTo: option.payTo,
      falseUsdc: state.terms?.falseUsdc ?? endpoint.listedOptions.some((listed) => listed.falseUsdc === true),
      networkKnown: isKnownNetwork(option.network),
      protocolVersion: state.terms?.version ?? endpoint.protocolVersion,
    }
  );
}
