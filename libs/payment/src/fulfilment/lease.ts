import { extendPaymentLease, type PaymentKey } from '@touchstone/store';
import type { SellerContext } from '../seller-context.ts';

/** Maximum duration of a lease without an extension, in seconds. After it, the payment of a killed process is free. */
const LEASE_SECONDS = 10;
/** Time between two extensions of a lease, in milliseconds. */
const EXTENSION_MS = 4_000;

/** Lease of a payment for one request, which the request extends while it works. */
export interface Lease {
  /**
   * Extends the lease every four seconds, for at most `maxSeconds` from now. The extension changes nothing before the
   * claim, and after the lease was released or taken over.
   * @returns duration of the lease until its first extension, in seconds
   */
  readonly hold: (maxSeconds: number) => number;
  readonly end: () => void;
}

export function createLease(
  { db, onError }: Pick<SellerContext, 'db' | 'onError'>,
  key: PaymentKey & { readonly owner: string },
): Lease {
  let timer: NodeJS.Timeout | undefined;
  const end = (): void => clearInterval(timer);
  return {
    end,
    hold: (maxSeconds) => {
      end();
      let extensions = Math.floor(((maxSeconds - LEASE_SECONDS) * 1_000) / EXTENSION_MS);
      const extend = async (): Promise<void> => {
        extensions -= 1;
        if (extensions <= 0) end();
        await extendPaymentLease(db, key, { leaseSeconds: LEASE_SECONDS }).catch((error: unknown) =>
          onError('the lease of a payment could not be extended', error),
        );
      };
      if (extensions > 0) timer = setInterval(() => void extend(), EXTENSION_MS).unref();
      return Math.min(LEASE_SECONDS, maxSeconds);
    },
  };
}
