import { saveSnapshots, setBackScores, takeScores, type SnapshotRow } from '@touchstone/store';
import { publishable, score } from '@touchstone/trust';
import type { PipelineContext } from './context.ts';
import { readScorable, type Scorable } from './read-scorable.ts';
import { withoutRefused } from './refused-values.ts';
import { toScoreInputs } from './scoring-inputs.ts';
import { snapshotOf } from './snapshot-of.ts';

/** Longer than the slowest batch: until then nobody else scores what a batch took. */
const HOLD_SECONDS = 180;
/** What could not be scored is left alone for so long, as long as it takes until a directory is read again. */
const SET_BACK_MS = 60 * 60_000;
const REASON_LENGTH = 300;

/** An endpoint that could not be scored, and why. */
export interface ScoreFailure {
  readonly endpointId: string;
  readonly reason: string;
}

export interface BatchScores {
  readonly scored: number;
  /** Of those, endpoints of which a reader sees something new. */
  readonly changed: number;
  /** They wait for an hour. */
  readonly failures: readonly ScoreFailure[];
  /** Others may be left. */
  readonly more: boolean;
}

/**
 * Scores up to `limit` endpoints of those that wait, what a reader must learn at once before the rest, and has the pages
 * made anew that look different. Several may run at once: each takes its own. One endpoint that cannot be scored, whatever
 * the reason, keeps no other from its score. When it fails as a whole, what it took is taken again some minutes later.
 */
export async function scoreBatch(context: PipelineContext, limit: number): Promise<BatchScores> {
  const now = context.now();
  const { endpointIds, more } = await takeScores(context.db, { now, holdSeconds: HOLD_SECONDS, limit });
  return { ...(await scoreEndpoints(context, endpointIds, now)), more };
}

/**
 * Scores endpoints as of `now`, in milliseconds since the epoch, and has the pages made anew that look different; whether
 * they wait for it or not. What is no endpoint is passed over.
 */
export async function scoreEndpoints(
  { db, onChanged }: Pick<PipelineContext, 'db' | 'onChanged'>,
  endpointIds: readonly string[],
  now: number,
): Promise<Omit<BatchScores, 'more'>> {
  const failures: ScoreFailure[] = [];
  const fail = (endpointId: string, reason: string): void => {
    failures.push({ endpointId, reason: reason.replaceAll(/\s+/g, ' ').slice(0, REASON_LENGTH) });
  };
  const read = async (ids: readonly string[]): Promise<readonly Scorable[]> => {
    const { inputs, unreadable } = await readScorable(db, { now, endpointIds: ids });
    for (const { endpointId, reason } of unreadable) fail(endpointId, reason);
    return inputs;
  };
  const rows: SnapshotRow[] = [];
  for (const input of await withoutRefused(endpointIds, read, fail)) {
    try {
      rows.push(scoreOne(input, now));
    } catch (error) {
      fail(input.endpoint.id, String(error));
    }
  }
  const unscored = failures.length;
  const changed = await withoutRefused(
    rows,
    (some) => saveSnapshots(db, now, some),
    (row, reason) => fail(row.snapshot.endpointId, reason),
  );
  const failed = failures.map(({ endpointId }) => endpointId);
  if (failed.length > 0) await setBackScores(db, { endpointIds: failed, until: now + SET_BACK_MS });
  await onChanged(changed);
  const scored = rows.length - (failures.length - unscored);
  return { scored, changed: changed.length, failures };
}

function scoreOne(stored: Scorable, now: number): SnapshotRow {
  const inputs = publishable(toScoreInputs(stored, now));
  return snapshotOf(stored, inputs, score(inputs));
}
