import { toPercent } from '@touchstone/common';
import { LEADERBOARD_SIZE, TEXT_LIMITS, type Leaderboard, type Stats } from '@touchstone/contract';
import type { Ecosystem, Snapshot } from '@touchstone/store';
import { toDisplayResource, normalizeUsd } from '@touchstone/trust';
import { cleanText } from '@touchstone/x402';
import { formatEndpointPage } from '../pages.ts';

const MIN_CONFIDENCE = 0.5;

type Ranked = Leaderboard['endpoints'][number];

interface ResponseOptions {
  /** Base URL of the service. */
  readonly baseUrl: string;
  /** Time of the response, in milliseconds since the epoch. */
  readonly generatedAt: number;
}

/**
 * Creates the JSON response of the leaderboard.
 *
 * @param snapshots score snapshots from the public store, the best first. Snapshots that must not be ranked are left
 * out.
 */
export function toLeaderboard(
  snapshots: readonly Snapshot[],
  { baseUrl, generatedAt }: ResponseOptions,
): Leaderboard {
  const endpoints = snapshots
    .flatMap((snapshot): Omit<Ranked, 'rank'>[] => {
      const { grade, listingStatus, listingSource, confidence, errorFlags } = snapshot;
      const isListed = listingStatus === 'listed' && listingSource === 'directory';
      const isRanked = isListed && confidence >= MIN_CONFIDENCE && errorFlags === 0 && grade !== '?';
      return isRanked ? [toRanked({ ...snapshot, grade }, baseUrl)] : [];
    })
    .slice(0, LEADERBOARD_SIZE)
    .map((endpoint, index) => ({ rank: index + 1, ...endpoint }));
  return { generatedAt: new Date(generatedAt).toISOString(), count: endpoints.length, endpoints };
}

function toRanked(
  snapshot: Omit<Snapshot, 'grade'> & Pick<Ranked, 'grade'>,
  baseUrl: string,
): Omit<Ranked, 'rank'> {
  return {
    resource: toDisplayResource(snapshot.resource),
    serviceName: cleanText(snapshot.serviceName, TEXT_LIMITS.name),
    score: snapshot.score,
    scoreLow: snapshot.scoreLow,
    grade: snapshot.grade,
    recommendation: snapshot.recommendation,
    confidence: snapshot.confidence,
    uptime30d: snapshot.uptime30d,
    amountUsd: normalizeUsd(snapshot.amountUsd),
    network: cleanText(snapshot.network, TEXT_LIMITS.address),
    endpointPage: formatEndpointPage(snapshot.slug, baseUrl),
  };
}

/** Creates the JSON response of the ecosystem statistics. */
export function toStats(ecosystem: Ecosystem, { generatedAt }: Pick<ResponseOptions, 'generatedAt'>): Stats {
  const toShare = (part: number): number | null =>
    ecosystem.listed === 0 || ecosystem.lastProbedAt === null
      ? null
      : Number((toPercent(part / ecosystem.listed, Math.round) / 100).toFixed(3));
  return {
    generatedAt: new Date(generatedAt).toISOString(),
    ...ecosystem,
    reachableShare: toShare(ecosystem.reachable),
    compliantShare: toShare(ecosystem.compliant),
  };
}
