import type { ProcessLoad } from './event-loop-lag.ts';
import type { RecordSummary } from './record.ts';
import type { ExclusionCounts } from './self-inflicted-failures.ts';

/** Result of probing claimed slots of the probe schedule. */
export interface ProbedSummary extends RecordSummary, ExclusionCounts, ProcessLoad {
  /** Number of slots that were not probed before the deadline. They were released and are due again at once. */
  readonly released: number;
  /** Number of slots that were skipped because their host is paused. Each endpoint is due again at its next slot. */
  readonly skipped: number;
}

export interface BatchSummary extends ProbedSummary {
  readonly claimed: number;
}

export const EMPTY_BATCH: BatchSummary = {
  claimed: 0,
  recorded: 0,
  dropped: 0,
  changed: 0,
  unstoredChallenges: 0,
  released: 0,
  skipped: 0,
  excluded: 0,
  latenciesDropped: 0,
  lagMsP99: 0,
  lagMsMax: 0,
  cpuSeconds: 0,
  cpuShare: 0,
};

/** Combines two batches: adds counts and processor time, and takes the higher lag and processor share. */
export function addBatchSummaries(one: BatchSummary, other: BatchSummary): BatchSummary {
  return {
    claimed: one.claimed + other.claimed,
    recorded: one.recorded + other.recorded,
    dropped: one.dropped + other.dropped,
    changed: one.changed + other.changed,
    unstoredChallenges: one.unstoredChallenges + other.unstoredChallenges,
    released: one.released + other.released,
    skipped: one.skipped + other.skipped,
    excluded: one.excluded + other.excluded,
    latenciesDropped: one.latenciesDropped + other.latenciesDropped,
    lagMsP99: Math.max(one.lagMsP99, other.lagMsP99),
    lagMsMax: Math.max(one.lagMsMax, other.lagMsMax),
    cpuSeconds: one.cpuSeconds + other.cpuSeconds,
    cpuShare: Math.max(one.cpuShare, other.cpuShare),
  };
}
