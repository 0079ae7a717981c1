import {
  isRefusedValue,
  recordObservations,
  skipRefusedItems,
  type StoredChallenge,
} from '@touchstone/store';
import { addCounts } from '../add-counts.ts';
import type { PipelineContext } from '../context.ts';
import type { ObservedProbe } from './observe.ts';
import type { SelfFailureFilter } from './self-inflicted-failures.ts';

export const NOTHING_RECORDED = {
  recorded: 0,
  /**
   * Number of observations that were not recorded: their lease was lost, the observations were recorded before, or the
   * database refused the observations.
   */
  dropped: 0,
  /** Number of detected changes of advertised payment terms. */
  changed: 0,
  /** Number of new challenges that could not be stored. The next probe of the endpoint stores its challenge again. */
  unstoredChallenges: 0,
};
export type RecordSummary = Readonly<typeof NOTHING_RECORDED>;

type RecordContext = Pick<PipelineContext, 'db' | 'owner' | 'now'>;

/**
 * Records a batch of observations in one database call, and each distinct challenge once.
 *
 * When the database refuses a value of an observation, the observation is recorded without the data that the provider
 * of the endpoint can choose. If the database refuses the observation again, the observation counts as dropped. The
 * other observations of the batch are recorded unchanged.
 *
 * @throws StoreError when the database fails or refuses all observations. For example, without the partition of the
 * day, the database refuses every row.
 */
export async function recordProbes(
  context: RecordContext,
  observed: readonly ObservedProbe[],
): Promise<RecordSummary> {
  const record = async (some: readonly ObservedProbe[]) => [await recordBatch(context, some)];
  const refused: ObservedProbe[] = [];
  const summaries = await skipRefusedItems(observed, record, {
    onRefused: (one) => void refused.push(one),
  });
  const errors: Error[] = [];
  const retried = await skipRefusedItems(refused.map(removeProviderData), record, {
    onRefused: (_, error) => void errors.push(error),
  });
  const [error] = errors;
  if (error !== undefined && errors.length === observed.length) throw error;
  const none = { ...NOTHING_RECORDED, dropped: errors.length };
  return [...summaries, ...retried].reduce(addCounts, none);
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

/** Limits of a slice: results that are collected and then recorded together. */
export interface SliceLimits {
  /** Number of results in a full slice, which is recorded immediately. */
  readonly sliceSize: number;
  /** Seconds after which the collected results are recorded even if the slice is not full. */
  readonly sliceSeconds: number;
}

export interface SliceOptions extends SliceLimits {
  readonly filter: SelfFailureFilter['apply'];
  readonly record: (slice: readonly ObservedProbe[]) => Promise<RecordSummary>;
  /** Called when a slice could not be recorded. The caller then starts no further probe. */
  readonly onFailure: () => void;
}

export interface SliceRecorder {
  readonly add: (observed: ObservedProbe) => void;
  /** Records the remaining results. Rejects when any slice could not be recorded. */
  readonly end: () => Promise<RecordSummary>;
}

/**
 * Starts a recorder that records results in slices, one slice after the other. If the worker dies, the slices that were
 * already recorded are not lost.
 */
export function startSliceRecorder(options: SliceOptions): SliceRecorder {
  let total: RecordSummary = NOTHING_RECORDED;
  let slice: ObservedProbe[] = [];
  let writing = Promise.resolve();
  const write = async (results: readonly ObservedProbe[]): Promise<void> => {
    const summary = await options.record(await options.filter(results));
    total = addCounts(total, summary);
  };
  const flush = (): void => {
    if (slice.length === 0) return;
    const results = slice;
    slice = [];
    writing = writing.then(() => write(results));
    writing.catch(options.onFailure);
  };
  const timer = setInterval(flush, options.sliceSeconds * 1000);
  return {
    add: (observed) => {
      slice.push(observed);
      if (slice.length >= options.sliceSize) flush();
    },
    end: async () => {
      clearInterval(timer);
      flush();
      await writing;
      return total;
    },
  };
}
