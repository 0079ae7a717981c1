import { TEXT_LIMITS, type Leaderboard, type Stats } from '@touchstone/contract';
import type { Ecosystem, Snapshot } from '@touchstone/store';
import { shownResource, sixDecimals } from '@touchstone/trust';
import { cleanText } from '@touchstone/x402';

const LEADERBOARD_SIZE = 25;
const LEAST_CONFIDENCE = 0.5;

type Ranked = Leaderboard['endpoints'][number];

interface AnswerOptions {
  /** Address of the service that answers. */
  readonly baseUrl: string;
  /** Milliseconds since the epoch. */
  readonly generatedAt: number;
}

/**
 * The leaderboard as it is answered to machines.
 *
 * @param snapshots best first, as the public store reads them; what does not belong there is left out all the same
 */
export function leaderboardAnswer(
  snapshots: readonly Snapshot[],
  { baseUrl, generatedAt }: AnswerOptions,
): Leaderboard {
  const endpoints = snapshots
    .flatMap((snapshot): Omit<Ranked, 'rank'>[] => {
      const { grade, listingStatus, confidence, errorFlags } = snapshot;
      const belongs =
        listingStatus === 'listed' && confidence >= LEAST_CONFIDENCE && errorFlags === 0 && grade !== '?';
      return belongs ? [shown({ ...snapshot, grade }, baseUrl)] : [];
    })
    .slice(0, LEADERBOARD_SIZE)
    .map((endpoint, index) => ({ rank: index + 1, ...endpoint }));
  return { generatedAt: new Date(generatedAt).toISOString(), count: endpoints.length, endpoints };
}

function shown(
  snapshot: Omit<Snapshot, 'grade'> & Pick<Ranked, 'grade'>,
  baseUrl: string,
): Omit<Ranked, 'rank'> {
  return {
    resource: shownResource(snapshot.resource),
    serviceName: cleanText(snapshot.serviceName, TEXT_LIMITS.name),
    score: snapshot.score,
    grade: snapshot.grade,
    recommendation: snapshot.recommendation,
    confidence: snapshot.confidence,
    uptime30d: snapshot.uptime30d,
    amountUsd: sixDecimals(snapshot.amountUsd),
    network: cleanText(snapshot.network, TEXT_LIMITS.address),
    endpointPage: new URL(`/endpoint/${snapshot.slug}`, baseUrl).href,
  };
}

/** The ecosystem in numbers as it is answered to machines. */
export function statsAnswer(
  ecosystem: Ecosystem,
  { generatedAt }: Pick<AnswerOptions, 'generatedAt'>,
): Stats {
  return { generatedAt: new Date(generatedAt).toISOString(), ...ecosystem };
}
