import { formatTimestamp, formatTimestampOrNull } from '@touchstone/common';
import type { ComplianceResult, FailurePhase } from '@touchstone/contract';
import type { ChallengeRedirect, ClientSetting } from '@touchstone/trust';
import { call, callForRow, type Db } from '../client/client.ts';
import type { PayOn } from '../snapshots/snapshot.ts';

/** Payment terms of a readable challenge, normalized so that changes can be detected by comparison. */
export interface PaymentTerms {
  readonly version: 1 | 2 | null;
  readonly options: readonly PayOn[];
  /** Amounts in atomic units, by `network|asset`. */
  readonly prices: Readonly<Record<string, string>>;
  /** Sorted wallet addresses, by `network|asset`. */
  readonly payTo: Readonly<Record<string, readonly string[]>>;
  readonly falseUsdc: boolean;
  /** Description of the resource in the challenge; null if the challenge has no description. */
  readonly description: string | null;
  readonly resourceInfoMissing: boolean;
  /** True if the challenges in header and body differ in payTo, amount, network or asset. */
  readonly headerBodyMismatch: boolean;
  /** Settings that a buyer must change before clients pay the challenge; empty if the default settings are enough. */
  readonly neededSettings: readonly ClientSetting[];
  /** Redirect that led to the challenge; null if the requested URL itself sent the challenge. */
  readonly redirect: ChallengeRedirect | null;
}

export interface Observation {
  readonly endpointId: string;
  /** Scheduled time of the claimed slot; null for a probe outside the schedule. */
  readonly slotAt: number | null;
  readonly at: number;
  readonly outcome: string;
  readonly vitality: 'up' | 'down' | 'neither';
  /** True if this service caused the failure itself. Such observations are excluded from all figures. */
  readonly excluded: boolean;
  readonly httpStatus: number | null;
  readonly method: string;
  readonly latencyMs: number | null;
  /** Index of the histogram bucket that counts the latency; null if the latency is not counted. */
  readonly bucket: number | null;
  readonly compliance: ComplianceResult | null;
  readonly challengeHash: string | null;
  readonly terms: PaymentTerms | null;
  readonly amountUsd: string | null;
  /** Cause of the failure in kebab case, such as `http-410` or `timeout`; null for a successful probe. */
  readonly failure: string | null;
  /** Phase in which the request failed; null for a successful probe. */
  readonly failurePhase: FailurePhase | null;
  /** Cause as one sentence; null for a successful probe. This sentence is stored only in the state of the endpoint. */
  readonly failureDetail: string | null;
  /** Time to the last byte of the response; null if no complete response arrived. */
  readonly responseMs: number | null;
  /** Index of the histogram bucket that counts `responseMs`; null if this time is not counted. */
  readonly responseBucket: number | null;
}

export interface StoredChallenge {
  readonly hash: string;
  readonly version: 1 | 2 | null;
  readonly challenge: unknown;
}

const VITALITY = { up: 1, down: 0, neither: null } as const;

/** Converts an observation to a row for the SQL functions that record observations. */
export function toObservationRow(observation: Observation) {
  return {
    ...observation,
    slotAt: formatTimestampOrNull(observation.slotAt),
    at: formatTimestamp(observation.at),
    vitality: VITALITY[observation.vitality],
  };
}

/**
 * Records a batch of observations in one transaction. `dropped` counts duplicates, observations from after `now` or of a
 * packed day, and observations whose slot lease was lost.
 *
 * A second database call stores the challenges that the database does not have; nearly all were stored by earlier
 * probes. If the second call fails, the observations stay recorded, and `unstoredChallenges` counts the missing
 * challenges. The next probes of the endpoints send these challenges again.
 *
 * @throws StoreError when the observations could not be recorded. Then none of the observations is stored.
 */
export async function recordObservations(
  db: Db,
  worker: { readonly owner: string; readonly now: number },
  batch: { readonly observations: readonly Observation[]; readonly challenges: readonly StoredChallenge[] },
): Promise<{ recorded: number; dropped: number; changed: number; unstoredChallenges: number }> {
  const rows = batch.observations.map(toObservationRow);
  const now = formatTimestamp(worker.now);
  const { missing, ...counts } = await callForRow(db, 'record_observations', {
    owner: worker.owner,
    now,
    rows,
  });
  const missingHashes = new Set(missing);
  const challenges = batch.challenges.filter(({ hash }) => missingHashes.has(hash));
  const isStored = challenges.length === 0 || (await storeChallenges(db, now, challenges));
  return { ...counts, unstoredChallenges: isStored ? 0 : challenges.length };
}

/**
 * Stores challenges and returns true if the call succeeded. Never rejects, because the observations with these
 * challenges are already recorded.
 */
export async function storeChallenges(
  db: Db,
  now: string,
  challenges: readonly StoredChallenge[],
): Promise<boolean> {
  const rows = challenges.map((row) => ({ ...row, challenge: JSON.stringify(row.challenge) }));
  return call(db, 'store_challenges', { now, challenges: rows }).then(
    () => true,
    () => false,
  );
}
