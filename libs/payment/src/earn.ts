import { ChainUnreadable } from '@touchstone/chain';
import {
  keepPaymentResult,
  refusePayment,
  releasePayment,
  settlePayment,
  type ClaimedPayment,
} from '@touchstone/store';
import {
  deliveredAnswer,
  inProgressAnswer,
  internalAnswer,
  refusalAnswer,
  saleProblem,
  unsettledAnswer,
  unweighedAnswer,
} from './answers.ts';
import { canAfford } from './can-afford.ts';
import type { PaidRequest } from './purchase.ts';
import { settlePurchase, type SettlementEnd } from './settle-purchase.ts';
import type { Shop } from './shop.ts';
import type { WorkResult } from './types.ts';

/**
 * Lets go of a payment; where that fails, its lease ends by itself.
 * @returns whether it is certain that no settlement of it was begun, and that nobody else serves it
 */
export const release = async ({ db, now, onTrouble }: Shop, { key }: PaidRequest): Promise<boolean> => {
  try {
    return await releasePayment(db, key, now());
  } catch (error) {
    onTrouble('a payment could not be released', error);
    return false;
  }
};

/** The receipt of a settled payment. It is handed out even where the row could not be written: the money has moved. */
const record = async (
  { db, now, onTrouble }: Shop,
  { key }: PaidRequest,
  { transaction, receipt, audited }: Extract<SettlementEnd, { kind: 'settled' }>,
): Promise<string> => {
  try {
    return await settlePayment(db, key, { transaction, receipt, audited, now: now() });
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

type Undo = (() => Promise<void>) | undefined;

const takeBack = async ({ onTrouble }: Shop, undo: Undo): Promise<void> => {
  try {
    await undo?.();
  } catch (error) {
    onTrouble('what was done for a payment that failed could not be taken back', error);
  }
};

/** Gives up a payment that was refused. @returns false where that could not be written down, and it is still open */
const giveUp = async ({ db, now, onTrouble }: Shop, { key }: PaidRequest): Promise<boolean> => {
  try {
    return await refusePayment(db, key, now());
  } catch (error) {
    onTrouble('a refused payment could not be given up', error);
    return false;
  }
};

/** Settles a payment whose result is kept, and hands the result out. */
export const finish = async (
  shop: Shop,
  paid: PaidRequest,
  { result, undo }: { readonly result: string; readonly undo?: Undo },
): Promise<Response> => {
  const end = await settle(shop, paid);
  if (end.kind === 'settled') return deliveredAnswer(result, await record(shop, paid, end));
  if (end.kind === 'refused' && (await giveUp(shop, paid))) {
    await takeBack(shop, undo);
    return refusalAnswer(await shop.till.challenge(paid.place, end.reason), true, end.receipt);
  }
  // The result stays: the same request can settle again at once.
  await release(shop, paid);
  shop.onTrouble(`it is not known whether a payment was settled: ${end.reason}`, null);
  return unsettledAnswer();
};

interface Done {
  readonly result: string;
  readonly undo: Undo;
}

/** Does the work. @returns its result, or the answer where there is none */
const doWork = async (
  shop: Shop,
  paid: PaidRequest,
  work: () => Promise<WorkResult>,
): Promise<Done | Response> => {
  try {
    const done = await work();
    if ('problem' in done) return saleProblem(done.problem, await release(shop, paid));
    return { result: JSON.stringify(done.body), undo: done.undo };
  } catch (error) {
    shop.onTrouble('paid work failed', error);
    return internalAnswer(await release(shop, paid));
  }
};

/** Keeps a result. @returns null where it is kept, or the answer where it is not */
const keep = async (shop: Shop, paid: PaidRequest, { result, undo }: Done): Promise<Response | null> => {
  try {
    const kept = { result, now: shop.now(), leaseSeconds: shop.leases.settleSeconds };
    if (await keepPaymentResult(shop.db, paid.key, kept)) return null;
    // Whoever took it over, because this took too long, works for it and settles it.
    await takeBack(shop, undo);
    return inProgressAnswer();
  } catch (error) {
    shop.onTrouble('the result of paid work could not be kept', error);
    const clear = await release(shop, paid);
    // Where it may have been kept after all, it may yet be settled and handed out.
    if (clear) await takeBack(shop, undo);
    return internalAnswer(clear);
  }
};

/** Whether the work may begin: null, or the answer where it may not. */
const weigh = async (
  shop: Shop,
  paid: PaidRequest,
  open: ClaimedPayment['openPayments'],
): Promise<Response | null> => {
  try {
    if (await canAfford(shop, paid, open)) return null;
    const clear = await release(shop, paid);
    return refusalAnswer(await shop.till.challenge(paid.place, 'insufficient_funds'), clear);
  } catch (error) {
    const clear = await release(shop, paid);
    if (!(error instanceof ChainUnreadable)) throw error;
    shop.onTrouble(error.message, error);
    return unweighedAnswer(clear);
  }
};

/**
 * Does the work of a payment that was taken, keeps what it came to, and only then settles.
 * @param open what else its payer has open
 */
export const earn = async (
  shop: Shop,
  paid: PaidRequest,
  {
    open,
    work,
  }: {
    readonly open: ClaimedPayment['openPayments'];
    readonly work: () => Promise<WorkResult>;
  },
): Promise<Response> => {
  const poor = await weigh(shop, paid, open);
  if (poor !== null) return poor;
  const done = await doWork(shop, paid, work);
  if (done instanceof Response) return done;
  return (await keep(shop, paid, done)) ?? finish(shop, paid, done);
};
