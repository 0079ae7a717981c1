import type { Turn } from '../queue/purchase-queue.ts';
import type { SellerContext } from '../seller-context.ts';
import type { Buyer, WorkResult } from '../types.ts';
import type { PaidRequest } from './paid-request.ts';
import { createRefusedClients } from './refused-clients.ts';

/** Maximum number of purchases in one process whose work has started before their payment is verified. */
const MAX_UNVERIFIED = 8;

/** Work that has started early. */
interface StartedWork {
  readonly result: Promise<WorkResult>;
  /** Ends the count of the work as unverified. */
  readonly uncount: () => void;
}

/** Limits of early work. */
export interface EarlyWork {
  /** Starts work. Returns null if its client or the process may start none. */
  readonly start: (client: string, run: () => Promise<WorkResult>) => StartedWork | null;
  /** Stores that a payment of a client was refused after its work had started early. */
  readonly refuse: (client: string) => void;
}

/**
 * Creates the limits of early work, which is useless if the payment is refused. At most 8 purchases have unverified work, and a
 * client starts none for a minute after a refusal. Abandoned work counts until it ends.
 * @param now returns the time of a monotonic clock in milliseconds
 */
export const createEarlyWork = (now: () => number): EarlyWork => {
  const refusedClients = createRefusedClients(now);
  let unverified = 0;
  return {
    start: (client, run) => {
      if (unverified >= MAX_UNVERIFIED || refusedClients.has(client)) return null;
      unverified += 1;
      let isCounted = true;
      const uncount = (): void => {
        if (isCounted) unverified -= 1;
        isCounted = false;
      };
      return { result: run().finally(uncount), uncount };
    },
    refuse: refusedClients.add,
  };
};

/** Work of a purchase. It may have started before the payment is verified. */
export interface PurchasedWork {
  /** Continues the work, or starts it. Called when the payment is claimed, verified and covered by the balance. */
  readonly finish: () => Promise<WorkResult>;
  /** Stores that the payment was refused. */
  readonly refuse: () => void;
  /** Ends early work where it waits for the verification. Does nothing after `finish`. */
  readonly abandon: () => void;
}

/** Values with which the work of a purchase starts. */
interface WorkStart<Input> {
  readonly input: Input;
  readonly buyer: Buyer;
  readonly turn: Turn;
  /** False for a payment that an earlier request had verified. */
  readonly mayStartEarly: boolean;
}

/** Creates the work of a purchase, and starts it if its operation has `startsEarly` and the limits allow it. */
export const startWork = <Input>(
  { earlyWork }: Pick<SellerContext, 'earlyWork'>,
  { paidOperation, client }: Pick<PaidRequest<Input>, 'paidOperation' | 'client'>,
  { input, buyer, turn, mayStartEarly }: WorkStart<Input>,
): PurchasedWork => {
  const verification = Promise.withResolvers<undefined>();
  const { promise: verified } = verification;
  const run = async (): Promise<WorkResult> => paidOperation.work(input, buyer, { turn, client, verified });
  const startsEarly = mayStartEarly && paidOperation.startsEarly === true;
  const started = startsEarly ? earlyWork.start(client, run) : null;
  // `finish` reports an error of the work, and work that only reads does not wait for the verification.
  started?.result.catch(() => undefined);
  verified.catch(() => undefined);
  return {
    finish: () => {
      started?.uncount();
      verification.resolve(undefined);
      return started?.result ?? run();
    },
    refuse: () => {
      if (started !== null) earlyWork.refuse(client);
    },
    abandon: () => {
      verification.reject(new Error('the payment was not verified'));
    },
  };
};
