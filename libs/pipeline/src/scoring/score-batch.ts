import { HOUR_MS } from '@touchstone/common';
import {
  claimScores,
  postponeScores,
  saveSnapshots,
  skipRefusedItems,
  type SnapshotRow,
} from '@touchstone/store';
import { score, toPublishableInputs } from '@touchstone/trust';
import type { PipelineContext } from '../context.ts';
import { readScorableEndpoints, toScoreInputs, type ScorableEndpoint } from './scoring-inputs.ts';
import { toSnapshotRow } from './to-snapshot.ts';

/** Duration of a claim. It exceeds the slowest batch, so no other worker scores the same endpoints. */
const LEASE_SECONDS = 180;
/** Delay before an endpoint that could not be scored is tried again: the interval between two directory readings. */
const RETRY_DELAY_MS = HOUR_MS;
const MAX_REASON_LENGTH = 300;

/** Endpoint that could not be scored, and the reason. */
export interface ScoreFailure {
  readonly endpointId: string;
  readonly reason: string;
}

export interface BatchScores {
  readonly scored: number;
  /** Scored endpoints whose visible content changed. */
  readonly changed: number;
  /** Endpoints that could not be scored. They are tried again after an hour. */
  readonly failures: readonly ScoreFailure[];
  /** True when other endpoints may still wait. */
  readonly more: boolean;
}

/**
 * Scores at most `limit` waiting endpoints, urgent changes first, and refreshes the pages whose content changed. Several
 * batches may run at once; each claims its own endpoints.
 *
 * An endpoint that cannot be scored does not prevent the scoring of the others. When the whole batch fails, its endpoints
 * are claimed again after the lease of three minutes.
 */
export async function scoreBatch(context: PipelineContext, limit: number): Promise<BatchScores> {
  const now = context.now();
  const claim = await claimScores(context.db, { now, leaseSeconds: LEASE_SECONDS, limit });
  return { ...(await scoreEndpoints(context, claim.endpointIds, now)), more: claim.hasMore };
}

/**
 * Scores endpoints as of `now` (milliseconds since the epoch), whether they are queued or not, and refreshes the pages
 * whose content changed. Unknown ids are ignored.
 */
export async function scoreEndpoints(
  { db, onChanged }: Pick<PipelineContext, 'db' | 'onChanged'>,
  endpointIds: readonly string[],
  now: number,
): Promise<Omit<BatchScores, 'more'>> {
  const failures: ScoreFailure[] = [];
  const addFailure = (endpointId: string, reason: string): void => {
    failures.push({ endpointId, reason: reason.replaceAll(/\s+/g, ' ').slice(0, MAX_REASON_LENGTH) });
  };
  const read = async (ids: readonly string[]): Promise<readonly ScorableEndpoint[]> => {
    const { inputs, unreadable } = await readScorableEndpoints(db, { now, endpointIds: ids });
    for (const { endpointId, reason } of unreadable) addFailure(endpointId, reason);
    return inputs;
  };
  const inputs = await skipRefusedItems(endpointIds, read, (id, error) => addFailure(id, error.message));
  const rows: SnapshotRow[] = [];
  for (const input of inputs) {
    try {
      rows.push(scoreOne(input, now));
    } catch (error) {
      addFailure(input.endpoint.id, String(error));
    }
  }
  const unscored = failures.length;
  const changed = await skipRefusedItems(
    rows,
    (some) => saveSnapshots(db, now, some),
    (row, error) => addFailure(row.snapshot.endpointId, error.message),
  );
  const failed = failures.map(({ endpointId }) => endpointId);
  if (failed.length > 0) await postponeScores(db, { endpointIds: failed, until: now + RETRY_DELAY_MS });
  await onChanged(changed);
  const scored = rows.length - (failures.length - unscored);
  return { scored, changed: changed.length, failures };
}

function scoreOne(stored: ScorableEndpoint, now: number): SnapshotRow {
  const inputs = toPublishableInputs(toScoreInputs(stored, now));
  return toSnapshotRow(stored, inputs, score(inputs));
}
