import { keepPaymentResult, releasePayment, settlePayment } from '@touchstone/store';
import {
  deliveredAnswer,
  inProgressAnswer,
  internalAnswer,
  problemAnswer,
  unpaidAnswer,
  unsettledAnswer,
} from './answers.ts';
import type { PaidRequest } from './purchase.ts';
import { settlePurchase, type SettlementEnd } from './settle-purchase.ts';
import type { Shop } from './shop.ts';
import type { WorkResult } from './types.ts';

/** Lets go of a payment; where that fails, its lease ends by itself. */
export const release = async ({ db, now, onTrouble }: Shop, { key }: PaidRequest): Promise<void> => {
  try {
    await releasePayment(db, key, now());
  } catch (error) {
    onTrouble('a payment could not be released', error);
  }
};

/** The receipt of a settled payment. It is handed out even where the row could not be written: the money has moved. */
const record = async (
  { db, now, onTrouble }: Shop,
  { key }: PaidRequest,
  { transaction, receipt }: Extract<SettlementEnd, { kind: 'settled' }>,
): Promise<string> => {
  try {
    return await settlePayment(db, key, { transaction, receipt, now: now() });
  } catch (error) {
    onTrouble('a settled payment could not be recorded; it will be found on the chain', error);
    return receipt;
  }
};

const settle = async (shop: Shop, paid: PaidRequest): Promise<SettlementEnd> => {
  try {
    return await settlePurchase(shop, paid);
  } catch (error) {
    shop.onTrouble('a settlement failed on our side', error);
    return { kind: 'unknown', reason: 'internal' };
  }
};

/** Settles a payment whose result is kept, and hands the result out. */
export const finish = async (shop: Shop, paid: PaidRequest, result: string): Promise<Response> => {
  const end = await settle(shop, paid);
  if (end.kind === 'settled') return deliveredAnswer(result, await record(shop, paid, end));
  // The result stays: the same request can settle again at once.
  await release(shop, paid);
  if (end.kind === 'unknown') {
    shop.onTrouble(`it is not known whether a payment was settled: ${end.reason}`, null);
    return unsettledAnswer();
  }
  const challenge = await shop.till.challenge(paid.place, end.reason);
  return unpaidAnswer(challenge, { receipt: end.receipt, first: !paid.resumed });
};

/** Does the work of a payment that was taken, keeps what it came to, and only then settles. */
export const earn = async (
  shop: Shop,
  paid: PaidRequest,
  work: () => Promise<WorkResult>,
): Promise<Response> => {
  let result: string;
  try {
    const done = await work();
    if ('problem' in done) {
      await release(shop, paid);
      return problemAnswer({ ...done.problem, notCharged: true });
    }
    result = JSON.stringify(done.body);
    const kept = { result, now: shop.now(), leaseSeconds: shop.leases.settleSeconds };
    // Whoever took it over, because this took too long, settles it.
    if (!(await keepPaymentResult(shop.db, paid.key, kept))) return inProgressAnswer();
  } catch (error) {
    shop.onTrouble('paid work failed', error);
    await release(shop, paid);
    return internalAnswer();
  }
  return finish(shop, paid, result);
};
