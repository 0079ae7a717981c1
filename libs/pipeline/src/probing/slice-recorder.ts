import type { ObservedProbe } from './observe.ts';
import type { RecordSummary } from './record.ts';
import type { SelfFailureFilter } from './self-inflicted-failures.ts';

export interface SliceOptions {
  /** Number of results that are collected and then recorded together, as one slice. */
  readonly sliceSize: number;
  /** Seconds after which the collected results are recorded even if the slice is not full. */
  readonly sliceSeconds: number;
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
  const total = { recorded: 0, dropped: 0, changed: 0, unstoredChallenges: 0 };
  let slice: ObservedProbe[] = [];
  let writing = Promise.resolve();
  const write = async (results: readonly ObservedProbe[]): Promise<void> => {
    const summary = await options.record(await options.filter(results));
    total.recorded += summary.recorded;
    total.dropped += summary.dropped;
    total.changed += summary.changed;
    total.unstoredChallenges += summary.unstoredChallenges;
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
      return { ...total };
    },
  };
}
