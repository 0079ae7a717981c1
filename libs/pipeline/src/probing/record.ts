import {
  isRefusedValue,
  recordObservations,
  skipRefusedItems,
  type StoreError,
  type StoredChallenge,
} from '@touchstone/store';
import type { PipelineContext } from '../context.ts';
import type { ObservedProbe } from './observe.ts';

export interface RecordSummary {
  readonly recorded: number;
  /**
   * Number of observations that were not recorded: their lease was lost, they were recorded before, or the database
   * refused them.
   */
  readonly dropped: number;
  /** Number of detected changes of advertised payment terms. */
  readonly changed: number;
  /** Number of new challenges that could not be stored. The next probe of the endpoint stores its challenge again. */
  readonly unstoredChallenges: number;
}

type RecordContext = Pick<PipelineContext, 'db' | 'owner' | 'now'>;

/**
 * Records a batch of observations in one database call, and each distinct challenge once.
 *
 * When the database refuses a value of an observation, the observation is recorded without the data that the provider
 * of the endpoint can choose. If the database refuses it again, it counts as dropped. The other observations of the
 * batch are recorded unchanged.
 *
 * @throws StoreError when the database fails or refuses all observations. For example, a missing day partition makes it
 * refuse every row.
 */
export async function recordProbes(
  context: RecordContext,
  observed: readonly ObservedProbe[],
): Promise<RecordSummary> {
  const record = async (some: readonly ObservedProbe[]) => [await recordBatch(context, some)];
  const refused: ObservedProbe[] = [];
  const summaries = await skipRefusedItems(observed, record, (one) => void refused.push(one));
  const errors: StoreError[] = [];
  const retried = await skipRefusedItems(refused.map(removeProviderData), record, (_, error) => {
    errors.push(error);
  });
  const [error] = errors;
  if (error !== undefined && errors.length === observed.length) throw error;
  const none = { recorded: 0, dropped: errors.length, changed: 0, unstoredChallenges: 0 };
  return [...summaries, ...retried].reduce(addRecorded, none);
}

function addRecorded(one: RecordSummary, other: RecordSummary): RecordSummary {
  return {
    recorded: one.recorded + other.recorded,
    dropped: one.dropped + other.dropped,
    changed: one.changed + other.changed,
    unstoredChallenges: one.unstoredChallenges + other.unstoredChallenges,
  };
}

function recordBatch(
  { db, owner, now }: RecordContext,
  observed: readonly ObservedProbe[],
): Promise<RecordSummary> {
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
 * Records one observation. If the database refuses one of its values, the observation is recorded without the data that
 * the provider of the endpoint can choose.
 *
 * @param save stores the observation in one database call
 */
export async function recordProbe<Result>(
  observed: ObservedProbe,
  save: (observed: ObservedProbe) => Promise<Result>,
): Promise<Result> {
  try {
    return await save(observed);
  } catch (error) {
    if (!isRefusedValue(error)) throw error;
    return save(removeProviderData(observed));
  }
}

/** Returns an observation without the data that the provider of the endpoint can choose. */
function removeProviderData({ observation }: ObservedProbe): ObservedProbe {
  return {
    challenge: null,
    observation: {
      ...observation,
      challengeHash: null,
      terms: null,
      amountUsd: null,
    },
  };
}
