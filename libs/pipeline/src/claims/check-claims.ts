import { DAY_MS, MINUTE_MS } from '@touchstone/common';
import {
  applyOptOuts,
  claimDueClaims,
  deleteEndedClaims,
  recordClaimCheck,
  StoreError,
  type ClaimCheck,
  type DueClaim,
} from '@touchstone/store';
import pLimit from 'p-limit';
import { addCounts } from '../add-counts.ts';
import type { PipelineContext } from '../context.ts';
import { toClaimTag } from '../pages.ts';
import { runBatches, runStep, type StepContext } from '../steps.ts';
import { CHECK_INTERVAL_MS } from './claim-host.ts';
import { getSharedCanaryCheck, type CanaryCheck } from '../probing/self-inflicted-failures.ts';
import type { ProofReader } from './read-proof.ts';

const BATCH_SIZE = 100;
const MAX_BATCHES = 50;
/** Maximum number of endpoints that follow an opt-out in one call. The call stops the storing of scores. */
const OPT_OUT_BATCH_SIZE = 500;
/** Number of hosts that are read at the same time. */
const CONCURRENCY = 8;
const LEASE_MS = 10 * MINUTE_MS;
/** Time for which a proof may be unreadable, because hosts have outages. */
const UNREADABLE_MS = 3 * DAY_MS;
/** Time for which ended claims are kept for their owner. */
const KEEP_MS = 30 * DAY_MS;

type CheckContext = Pick<PipelineContext, 'db' | 'now' | 'onChanged' | 'readProof' | 'canaries' | 'logError'>;

/** Result of a run: numbers of checked claims, of claims that were ended, and of old claims that were deleted. */
export interface ClaimsSummary {
  readonly checked: number;
  readonly ended: number;
  readonly deleted: number;
}

/**
 * Checks the proof of each active claim once a day. A claim ends when its host answers without the proof, or when the
 * proof could not be read for three days. Then endpoints follow the opt-outs of their hosts.
 */
export async function checkClaims(context: CheckContext & StepContext): Promise<ClaimsSummary> {
  const { db, now, readProof } = context;
  const deleteEnded = () => deleteEndedClaims(db, { before: now() - KEEP_MS, limit: 1_000 });
  const deleted = await runStep(context, 'delete ended claims', deleteEnded);
  const batches = readProof
    ? await runBatches(context, {
        ...{ name: 'check claims', max: MAX_BATCHES },
        run: () => checkBatch(context, readProof),
        isLast: ({ checked }) => checked < BATCH_SIZE,
      })
    : [];
  await runBatches(context, {
    ...{ name: 'apply opt-outs', max: MAX_BATCHES },
    run: async () => {
      const hosts = await applyOptOuts(db, OPT_OUT_BATCH_SIZE);
      await context.onChanged(hosts.map(toClaimTag));
      return hosts.length;
    },
    isLast: (hosts) => hosts === 0,
  });
  return { ...batches.reduce((sum, batch) => addCounts(sum, batch), { checked: 0, ended: 0 }), deleted };
}

async function checkBatch(
  { db, now, onChanged, canaries, logError }: CheckContext,
  readProof: ProofReader,
): Promise<Omit<ClaimsSummary, 'deleted'>> {
  const leaseUntil = now() + LEASE_MS;
  const due = await claimDueClaims(db, { now: now(), leaseUntil, limit: BATCH_SIZE });
  const reader = { readProof, isOurFailure: getSharedCanaryCheck(canaries) };
  const results = await pLimit(CONCURRENCY).map(due, async (claim) => {
    const check = await checkClaim(reader, claim);
    if (check === null) return [];
    const at = now();
    const times = { leaseUntil, now: at, nextCheckAt: at + CHECK_INTERVAL_MS };
    try {
      return await recordClaimCheck(db, check, { ...times, unreadableBefore: at - UNREADABLE_MS });
    } catch (error) {
      // The claim is checked again after its lease.
      if (!(error instanceof StoreError)) throw error;
      logError?.(`The check of the claim ${claim.id} of ${claim.host} was not recorded: ${error.message}`);
      return [];
    }
  });
  const ended = results.flat();
  await onChanged(ended.map(toClaimTag));
  return { checked: due.length, ended: ended.length };
}

/** Returns the check of a claim; null after a failure of our own, so that the claim is checked again after its lease. */
async function checkClaim(
  { readProof, isOurFailure }: { readonly readProof: ProofReader; readonly isOurFailure: CanaryCheck },
  claim: DueClaim,
): Promise<ClaimCheck | null> {
  const { found, isCertain, isOwnFailure } = await readProof(claim.host, [claim]);
  const proof = found.get(claim.id);
  if (proof !== undefined) return { id: claim.id, result: 'found', proof };
  if (isCertain) return { id: claim.id, result: 'missing' };
  return isOwnFailure || (await isOurFailure()) ? null : { id: claim.id, result: 'unreadable' };
}
