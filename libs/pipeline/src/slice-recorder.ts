import type { BatchJudge } from './judge-batch.ts';
import type { Observed } from './observe.ts';
import type { RecordSummary } from './record.ts';

export interface SliceOptions {
  /** A slice is recorded when it is this large, or this old. */
  readonly sliceSize: number;
  readonly sliceSeconds: number;
  readonly judge: BatchJudge['judge'];
  readonly record: (slice: readonly Observed[]) => Promise<RecordSummary>;
  /** Told when a slice could not be recorded, so that nothing more is asked in vain. */
  readonly onFailure: () => void;
}

export interface SliceRecorder {
  readonly add: (observed: Observed) => void;
  /** Records what is left. Rejects when any slice could not be recorded. */
  readonly end: () => Promise<RecordSummary>;
}

/** Records results as they come, one slice after the other, so that a process that dies takes only the last with it. */
export function startSliceRecorder(options: SliceOptions): SliceRecorder {
  const total = { recorded: 0, dropped: 0, changed: 0, unkept: 0 };
  let slice: Observed[] = [];
  let writing = Promise.resolve();
  const write = async (taken: readonly Observed[]): Promise<void> => {
    const { recorded, dropped, changed, unkept } = await options.record(await options.judge(taken));
    total.recorded += recorded;
    total.dropped += dropped;
    total.changed += changed;
    total.unkept += unkept;
  };
  const flush = (): void => {
    if (slice.length === 0) return;
    const taken = slice;
    slice = [];
    writing = writing.then(() => write(taken));
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
