import type { Turn } from '../queue/purchase-queue.ts';
import type { SellerContext } from '../seller-context.ts';
import type { Buyer, WorkResult } from '../types.ts';
import type { PaidRequest } from './paid-request.ts';

/** Work of a purchase. It may have started before its payment was verified. */
export interface PurchasedWork {
  /** Continues the work, or starts it, when the payment is verified. */
  readonly finish: () => Promise<WorkResult>;
  /** Ends early work at its first side effect. After `finish`, it does nothing. */
  readonly abandon: () => void;
}

/** Values with which the work of a purchase starts. */
interface WorkStart<Input> {
  readonly input: Input;
  readonly buyer: Buyer;
  readonly turn: Turn;
  /** False if the payment is not being verified, because an earlier request was. */
  readonly mayStartEarly: boolean;
}

/**
 * Prepares the work of a purchase. The work of an operation with `startsEarly` starts at once, unless early work for the
 * same client was abandoned in the last minute: reads cost time, so nobody gets many of them with refused payments.
 */
export const startWork = <Input>(
  { refusedClients }: Pick<SellerContext, 'refusedClients'>,
  { paidOperation, client }: Pick<PaidRequest<Input>, 'paidOperation' | 'client'>,
  { input, buyer, turn, mayStartEarly }: WorkStart<Input>,
): PurchasedWork => {
  const verification = Promise.withResolvers<undefined>();
  const { promise: verified } = verification;
  const run = async (): Promise<WorkResult> => paidOperation.work(input, buyer, { turn, client, verified });
  const startsEarly = mayStartEarly && paidOperation.startsEarly === true && !refusedClients.has(client);
  const early = startsEarly ? run() : null;
  // `finish` reports an error of the work, and work that only reads does not wait for the verification.
  early?.catch(() => undefined);
  verified.catch(() => undefined);
  let isFinished = false;
  return {
    finish: () => {
      isFinished = true;
      verification.resolve(undefined);
      return early ?? run();
    },
    abandon: () => {
      if (isFinished) return;
      verification.reject(new Error('the payment was not verified'));
      if (early !== null) refusedClients.add(client);
    },
  };
};
