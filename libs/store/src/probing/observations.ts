import type { ComplianceVerdict } from '@touchstone/contract';
import { toJson } from '../client/json.ts';
import { unwrap, type Db } from '../client/client.ts';
import { formatTimestamp } from '../client/timestamps.ts';
import type { PayOn } from '../snapshots/snapshot.ts';

/** Payment terms of a readable challenge, in a form that can be compared with others. */
export interface PaymentTerms {
  readonly version: 1 | 2 | null;
  readonly options: readonly PayOn[];
  /** Amount by `network|asset`. */
  readonly prices: Readonly<Record<string, string>>;
  /** Sorted wallets by `network|asset`. */
  readonly payTo: Readonly<Record<string, readonly string[]>>;
  readonly falseUsdc: boolean;
  /** Description of the resource in the challenge; null if there is none. */
  readonly description: string | null;
  readonly resourceInfoMissing: boolean;
  /** Header and body differ in payTo, amount, network or asset. */
  readonly headerBodyMismatch: boolean;
}

export interface Observation {
  readonly endpointId: string;
  /** The claimed slot; null for a probe outside the schedule. */
  readonly slotAt: number | null;
  readonly at: number;
  readonly outcome: string;
  readonly vitality: 'up' | 'down' | 'neither';
  /** A self-inflicted failure, excluded from all figures. */
  readonly excluded: boolean;
  readonly httpStatus: number | null;
  readonly method: string;
  readonly latencyMs: number | null;
  readonly resolveMs: number | null;
  readonly connectMs: number | null;
  readonly tlsMs: number | null;
  readonly processingMs: number | null;
  readonly transferMs: number | null;
  /** Histogram bucket of the latency; null if the latency is not counted. */
  readonly bucket: number | null;
  readonly compliance: ComplianceVerdict | null;
  readonly challengeHash: string | null;
  readonly terms: PaymentTerms | null;
  readonly amountUsd: string | null;
  readonly failure: string | null;
}

export interface StoredChallenge {
  readonly hash: string;
  readonly version: 1 | 2 | null;
  readonly challenge: unknown;
}

const VITALITY = { up: 1, down: 0, neither: null } as const;

/** Converts an observation to a row for the SQL functions that record it. */
export function toObservationRow(observation: Observation) {
  return {
    ...observation,
    slotAt: observation.slotAt === null ? null : formatTimestamp(observation.slotAt),
    at: formatTimestamp(observation.at),
    vitality: VITALITY[observation.vitality],
  };
}

/**
 * Records a batch in one transaction. `dropped` counts rows with a lost lease, duplicates, and rows from after `now`.
 *
 * Challenges are sent afterwards, and only those that the database does not have: nearly all were stored by an earlier
 * probe. If that fails, the batch stays recorded and `unstoredChallenges` counts the missing ones. The next probe of
 * the endpoint sends them again.
 *
 * @throws StoreError when the observations could not be recorded; then none of them is.
 */
export async function recordObservations(
  db: Db,
  worker: { readonly owner: string; readonly now: number },
  batch: { readonly observations: readonly Observation[]; readonly challenges: readonly StoredChallenge[] },
): Promise<{ recorded: number; dropped: number; changed: number; unstoredChallenges: number }> {
  const rows = batch.observations.map(toObservationRow);
  const now = formatTimestamp(worker.now);
  const response = await db.rpc('record_observations', {
    p_owner: worker.owner,
    p_now: now,
    p_rows: toJson(rows),
  });
  const [result] = unwrap('record observations', response);
  if (result === undefined) {
    return { recorded: 0, dropped: batch.observations.length, changed: 0, unstoredChallenges: 0 };
  }
  const { missing, ...counts } = result;
  const missingHashes = new Set(missing);
  const challenges = batch.challenges.filter(({ hash }) => missingHashes.has(hash));
  const isStored = challenges.length === 0 || (await storeChallenges(db, now, challenges));
  return { ...counts, unstoredChallenges: isStored ? 0 : challenges.length };
}

/**
 * Stores challenges. Returns true if the call succeeded. It never rejects, because the observations with these
 * challenges are recorded already.
 */
export async function storeChallenges(
  db: Db,
  now: string,
  challenges: readonly StoredChallenge[],
): Promise<boolean> {
  const rows = challenges.map((row) => ({ ...row, challenge: JSON.stringify(row.challenge) }));
  const { error } = await db.rpc('store_challenges', { p_now: now, p_challenges: toJson(rows) });
  return error === null;
}
