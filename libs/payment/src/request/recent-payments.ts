/** Maximum number of payments that one process remembers. */
const MAX_PAYMENTS = 10_000;

/** Payments that this process received recently. */
export interface RecentPayments {
  /**
   * Remembers a payment.
   * @param paymentHash hash of the signed values and the signature
   * @returns true if the payment was not remembered before
   */
  readonly add: (paymentHash: string) => boolean;
}

/** Creates an empty memory of payments. After 10,000 payments it forgets the oldest one. */
export const createRecentPayments = (): RecentPayments => {
  const hashes = new Set<string>();
  return {
    add: (paymentHash) => {
      if (hashes.has(paymentHash)) return false;
      hashes.add(paymentHash);
      const [oldest] = hashes;
      if (hashes.size > MAX_PAYMENTS && oldest !== undefined) hashes.delete(oldest);
      return true;
    },
  };
};
