import { storePaymentResult } from '@touchstone/store';
import { endUnpaid } from './claim-payment.ts';
import { encryptResult } from './known-payment.ts';
import type { WorkResult } from '../types.ts';
import type { Claim, PaidRequest } from './paid-request.ts';
import { respondUnclaimed } from './respond.ts';

/** Outcome of work: the result as JSON, the problem that prevented the result, or the failure of the work. */
export type WorkOutcome = { readonly json: string } | Extract<WorkResult, { problem: unknown }> | 'failed';

/** Does the work of a paid operation. Never rejects. */
export async function doWork<Input>(
  { context, paidOperation, key, client }: PaidRequest<Input>,
  input: Input,
): Promise<WorkOutcome> {
  try {
    const done = await paidOperation.work(input, key, { client });
    return 'problem' in done ? done : { json: JSON.stringify(done.body) };
  } catch (error) {
    context.onError('paid work failed', error);
    return 'failed';
  }
}

/** Releases a payment whose work has no result, and responds. */
export function respondWithoutResult<Input>(
  claim: Claim<Input>,
  outcome: Exclude<WorkOutcome, { json: string }>,
): Promise<Response> {
  if (outcome === 'failed') return endUnpaid(claim, 'work-failed', {});
  return endUnpaid(claim, 'work-refused', outcome);
}

/**
 * Stores a result before its payment is settled, encrypted if the operation has a cipher.
 * @returns null when the result is stored, otherwise the response
 */
export async function storeResult<Input>(claim: Claim<Input>, result: string): Promise<Response | null> {
  const { context, paidOperation } = claim.request;
  const { db, leases, onError } = context;
  try {
    const encrypted = await encryptResult(paidOperation, result);
    const stored = { result: encrypted, leaseSeconds: leases.settleSeconds };
    if (await storePaymentResult(db, claim.request.key, stored)) return null;
    return respondUnclaimed('lease-lost', {});
  } catch (error) {
    onError('the result of paid work could not be stored', error);
    return endUnpaid(claim, 'result-not-stored', {});
  }
}
