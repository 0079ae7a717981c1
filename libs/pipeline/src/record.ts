import { recordObservations, StoreError, type StoredChallenge } from '@touchstone/store';
import type { PipelineContext } from './context.ts';
import type { Observed } from './observe.ts';

export interface RecordSummary {
  readonly recorded: number;
  /** Rows whose lease was lost, or that were there already. */
  readonly dropped: number;
  /** Changes of advertised terms. */
  readonly changed: number;
  /** New challenges that could not be stored; the next probe of their endpoints brings them again. */
  readonly unkept: number;
}

type Recorder = Pick<PipelineContext, 'db' | 'owner' | 'now'>;

/**
 * Records what was observed in one call, each distinct challenge once. When the database refuses a value in the batch,
 * the batch is halved until the observation with that value stands alone, which is then recorded without what its
 * endpoint said: no answer of one endpoint keeps the others from being recorded.
 */
export async function record(recorder: Recorder, observed: readonly Observed[]): Promise<RecordSummary> {
  try {
    return await recordBatch(recorder, observed);
  } catch (error) {
    if (!isRefusedValue(error)) throw error;
    const [only, ...others] = observed;
    if (only === undefined) throw error;
    if (others.length === 0) return recordBatch(recorder, [withoutItsWords(only)]);
    const half = Math.ceil(observed.length / 2);
    const first = await record(recorder, observed.slice(0, half));
    const second = await record(recorder, observed.slice(half));
    return {
      recorded: first.recorded + second.recorded,
      dropped: first.dropped + second.dropped,
      changed: first.changed + second.changed,
      unkept: first.unkept + second.unkept,
    };
  }
}

function recordBatch({ db, owner, now }: Recorder, observed: readonly Observed[]): Promise<RecordSummary> {
  const challenges = new Map<string, StoredChallenge>();
  for (const { challenge } of observed) if (challenge) challenges.set(challenge.hash, challenge);
  const observations = observed.map(({ observation }) => observation);
  return recordObservations(
    db,
    { owner, now: now() },
    { observations, challenges: [...challenges.values()] },
  );
}

/**
 * Records one observation, and where the database refuses a value of it, the same without what its endpoint said.
 *
 * @param recordIt stores it in one call
 */
export async function recordOne<Result>(
  observed: Observed,
  recordIt: (observed: Observed) => Promise<Result>,
): Promise<Result> {
  try {
    return await recordIt(observed);
  } catch (error) {
    if (!isRefusedValue(error)) throw error;
    return recordIt(withoutItsWords(observed));
  }
}

/** Class 22 of SQLSTATE: data exceptions, such as a number out of range or a character that cannot be stored. */
function isRefusedValue(error: unknown): boolean {
  return error instanceof StoreError && error.code?.startsWith('22') === true;
}

function withoutItsWords({ observation }: Observed): Observed {
  return {
    challenge: null,
    observation: {
      ...observation,
      challengeHash: null,
      terms: null,
      amountUsd: null,
      failure: 'not storable',
    },
  };
}
