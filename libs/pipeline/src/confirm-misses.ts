import { releaseLeases } from '@touchstone/store';
import type { PipelineContext } from './context.ts';
import { sweep, type SweepLimits, type SweepSummary } from './sweep.ts';

/** Seconds from one look for misses to the next: with the 45 after which the last of them is due, less than a minute. */
export const LOOK_EVERY_SECONDS = 10;

/** What is not asked soon is handed back, and the next look finds it. */
const LIMITS: SweepLimits = {
  batch: 500,
  inFlight: 48,
  perHost: 2,
  leaseSeconds: 60,
  deadlineSeconds: 15,
  sliceSeconds: 5,
  confirming: true,
};

/** The name under which a worker holds second looks. */
const lookingAs = (owner: string): string => `${owner}-confirming`;

/** Gives back what a worker that is known to be gone held, slots of its sweeps and second looks. */
export async function releaseAbandoned({ db, owner }: Pick<PipelineContext, 'db' | 'owner'>): Promise<void> {
  await releaseLeases(db, owner);
  await releaseLeases(db, lookingAs(owner));
}

/**
 * Probes once more what was missed for the first time, as soon as that is due and not when the next sweep comes. Looks
 * may overlap each other and a sweep: each holds what it claimed, under a name that no failing sweep releases.
 */
export function confirmMisses(context: PipelineContext): Promise<SweepSummary> {
  return sweep({ ...context, owner: lookingAs(context.owner) }, LIMITS);
}
