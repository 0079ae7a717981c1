import { DAY_MS, MINUTE_MS } from '@touchstone/common';
import {
  claimDueClaims,
  deleteEndedClaims,
  recordClaimChecks,
  type ClaimCheck,
  type StoredClaim,
} from '@touchstone/store';
import pLimit from 'p-limit';
import type { PipelineContext } from '../context.ts';
import { toClaimTag } from '../pages.ts';
import { runBatches, runStep, type StepContext } from '../steps.ts';
import { CHECK_INTERVAL_MS } from './claim-host.ts';
import { getSharedCanaryCheck, type CanaryCheck } from '../probing/self-inflicted-failures.ts';
import type { ProofReader } from './read-proof.ts';

const BATCH_SIZE = 100;
const MAX_BATCHES = 50;
/** Number of hosts that are read at the same time. */
const CONCURRENCY = 8;
const LEASE_MS = 10 * MINUTE_MS;
/** Time for which a proof may be unreadable, because hosts have outages. */
const UNREADABLE_MS = 3 * DAY_MS;
/** Time for which ended claims are kept for their owner. */
const KEEP_MS = 30 * DAY_MS;

type CheckContext = Pick<PipelineContext, 'db' | 'now' | 'onChanged' | 'readProof' | 'canaries'>;

/** Result of a run: numbers of checked claims, of claims that were ended, and of old claims that were deleted. */
export interface ClaimsSummary {
  readonly checked: number;
  readonly ended: number;
  readonly deleted: number;
}

/**
 * Checks the proof of each active claim once a day. A claim ends when its host answers without the proof, or when the
 * proof could not be read for three days.
 */
export async function checkClaims(context: CheckContext & StepContext): Promise<ClaimsSummary> {
  const { db, now, readProof } = context;
  const deleteEnded = () => deleteEndedClaims(db, { before: now() - KEEP_MS, limit: 1_000 });
  const deleted = await runStep(context, 'delete ended claims', deleteEnded);
  if (!readProof) return { checked: 0, ended: 0, deleted };
  const batches = await runBatches(context, {
    ...{ name: 'check claims', max: MAX_BATCHES },
    run: () => checkBatch(context, readProof),
    isLast: ({ checked }) => checked < BATCH_SIZE,
  });
  return {
    checked: batches.reduce((sum, { checked }) => sum + checked, 0),
    ended: batches.reduce((sum, { ended }) => sum + ended, 0),
    deleted,
  };
}

async function checkBatch(
  { db, now, onChanged, canaries }: CheckContext,
  readProof: ProofReader,
): Promise<Omit<ClaimsSummary, 'deleted'>> {
  const leaseUntil = now() + LEASE_MS;
  const due = await claimDueClaims(db, { now: now(), leaseUntil, limit: BATCH_SIZE });
  const reader = { readProof, isOurFailure: getSharedCanaryCheck(canaries) };
  const checks = await pLimit(CONCURRENCY).map(due, (claim) => checkClaim(reader, claim));
  const at = now();
  const ended = await recordClaimChecks(
    db,
    checks.filter((check) => check !== null),
    { leaseUntil, now: at, nextCheckAt: at + CHECK_INTERVAL_MS, unreadableBefore: at - UNREADABLE_MS },
  );
  await onChanged(ended.map(toClaimTag));
  return { checked: due.length, ended: ended.length };
}

/** Returns the check of a claim; null after a failure of our own, so that the claim is checked again after its lease. */
async function checkClaim(
  { readProof, isOurFailure }: { readonly readProof: ProofReader; readonly isOurFailure: CanaryCheck },
  claim: StoredClaim,
): Promise<ClaimCheck | null> {
  const { found, isCertain, isOwnFailure } = await readProof(claim.host, [claim]);
  const proof = found.get(claim.id);
  if (proof !== undefined) return { id: claim.id, result: 'found', proof };
  if (isCertain) return { id: claim.id, result: 'missing' };
  return isOwnFailure || (await isOurFailure()) ? null : { id: claim.id, result: 'unreadable' };
}
