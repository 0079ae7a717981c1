import { storePaymentResult } from '@touchstone/store';
import { endUnpaid } from './claim-payment.ts';
import { encryptResult } from './known-payment.ts';
import type { Claim } from './paid-request.ts';
import { respondUnclaimed } from './respond.ts';

/**
 * Does the work that a claimed payment buys.
 * @returns the result as JSON, or a response when the work has no result
 */
export async function doWork<Input>(claim: Claim<Input>): Promise<string | Response> {
  const { input, key, request } = claim;
  const { paidOperation, client, context } = request;
  try {
    const done = await paidOperation.work(input, key, { client });
    if ('problem' in done) return await endUnpaid(claim, 'work-refused', done);
    return JSON.stringify(done.body);
  } catch (error) {
    context.onError('paid work failed', error);
    return endUnpaid(claim, 'work-failed', {});
  }
}

/**
 * Stores a result before its payment is settled, encrypted if the operation has a cipher.
 * @returns null when the result is stored, otherwise the response
 */
export async function storeResult<Input>(claim: Claim<Input>, result: string): Promise<Response | null> {
  const { context, paidOperation } = claim.request;
  const { db, leases, now, onError } = context;
  try {
    const encrypted = await encryptResult(paidOperation, result);
    const stored = { result: encrypted, now: now(), leaseSeconds: leases.settleSeconds };
    if (await storePaymentResult(db, claim.key, stored)) return null;
    return respondUnclaimed('lease-lost', {});
  } catch (error) {
    onError('the result of paid work could not be stored', error);
    return endUnpaid(claim, 'result-not-stored', {});
  }
}
