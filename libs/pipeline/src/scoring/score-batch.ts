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
import { toPageTags } from '../pages.ts';
import { readScorableEndpoints, toScoreInputs, type ScorableEndpoint } from './scoring-inputs.ts';
import { toSnapshotRow } from './to-snapshot.ts';

/**
 * Duration of the claim on the endpoints of a batch, in seconds. The claim outlasts the slowest batch, so that no other
 * worker scores the same endpoints.
 */
const LEASE_SECONDS = 180;
/**
 * Delay before an endpoint that could not be scored is scored again, in milliseconds. The delay equals the interval
 * between two directory readings.
 */
const RETRY_DELAY_MS = HOUR_MS;
const MAX_REASON_LENGTH = 300;

/** Endpoint that could not be scored, and the reason. */
export interface ScoreFailure {
  readonly endpointId: string;
  readonly reason: string;
}

export interface BatchScores {
  readonly scored: number;
  /** Number of scored endpoints whose visible content changed. */
  readonly changed: number;
  /** Endpoints that could not be scored. The scoring is repeated after an hour. */
  readonly failures: readonly ScoreFailure[];
  /** True when more endpoints may be in the scoring queue. */
  readonly more: boolean;
}

/**
 * Scores at most `limit` endpoints of the scoring queue, longest waiting first, and refreshes the pages whose content
 * changed. Several batches may run at the same time, because each batch claims its own endpoints. `aheadMs` adds the
 * endpoints that are due within this time, in milliseconds.
 *
 * When one endpoint cannot be scored, the other endpoints of the batch are still scored. When the whole batch fails,
 * its endpoints can be claimed again after three minutes.
 */
export async function scoreBatch(context: PipelineContext, limit: number, aheadMs = 0): Promise<BatchScores> {
  const now = context.now();
  const claim = await claimScores(context.db, { now: now + aheadMs, leaseSeconds: LEASE_SECONDS, limit });
  return { ...(await scoreEndpoints(context, claim.endpointIds, now)), more: claim.hasMore };
}

/**
 * Scores endpoints at the time `now` (milliseconds since the epoch) and refreshes the pages whose content changed. The
 * endpoints need not be in the scoring queue. Unknown ids are ignored.
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
  const inputs = await skipRefusedItems(endpointIds, read, {
    onRefused: (id, error) => addFailure(id, error.message),
  });
  const rows: SnapshotRow[] = [];
  for (const input of inputs) {
    try {
      rows.push(scoreOne(input, now));
    } catch (error) {
      addFailure(input.endpoint.id, String(error));
    }
  }
  const unscored = failures.length;
  const changed = await skipRefusedItems(rows, (some) => saveSnapshots(db, now, some), {
    onRefused: ({ snapshot }, error) => addFailure(snapshot.endpointId, error.message),
  });
  const failed = failures.map(({ endpointId }) => endpointId);
  if (failed.length > 0) await postponeScores(db, { endpointIds: failed, now, until: now + RETRY_DELAY_MS });
  const changedIds = new Set(changed);
  const hosts = rows.flatMap(({ snapshot }) => (changedIds.has(snapshot.endpointId) ? [snapshot.host] : []));
  await onChanged(toPageTags({ endpointIds: changed, hosts }));
  const scored = rows.length - (failures.length - unscored);
  return { scored, changed: changed.length, failures };
}

function scoreOne(stored: ScorableEndpoint, now: number): SnapshotRow {
  const inputs = toPublishableInputs(toScoreInputs(stored, now));
  return toSnapshotRow(stored, inputs, score(inputs));
}
