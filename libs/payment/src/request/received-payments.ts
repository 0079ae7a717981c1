/** Request with a payment, for the time in which it is under way. */
export interface OngoingRequest {
  /** Returns true if another request with the same payment was under way at the same time. */
  readonly hasCopies: () => boolean;
}

/** Creates an empty set of the requests with payments that are under way in this process. */
export function createOngoingRequests() {
  const requests = new Map<string, Set<{ hasCopies: boolean }>>();
  return {
    /**
     * Runs a request with a payment.
     * @param key key of the payment
     */
    run: async <T>(key: string, handle: (request: OngoingRequest) => Promise<T>): Promise<T> => {
      const copies = requests.get(key) ?? new Set();
      requests.set(key, copies);
      const own = { hasCopies: copies.size > 0 };
      for (const copy of copies) copy.hasCopies = true;
      copies.add(own);
      try {
        return await handle({ hasCopies: () => own.hasCopies });
      } finally {
        copies.delete(own);
        if (copies.size === 0) requests.delete(key);
      }
    },
  };
}

/** Maximum number of payments that one process remembers. */
const MAX_PAYMENTS = 10_000;

/** Creates an empty memory of received payments. After 10,000 payments it forgets the oldest one. */
export function createRecentPayments() {
  const hashes = new Set<string>();
  return {
    /**
     * Remembers a payment.
     * @param paymentHash hash of the signed values and the signature
     * @returns true if the payment was not remembered before
     */
    add: (paymentHash: string): boolean => {
      if (hashes.has(paymentHash)) return false;
      hashes.add(paymentHash);
      const [oldest] = hashes;
      if (hashes.size > MAX_PAYMENTS && oldest !== undefined) hashes.delete(oldest);
      return true;
    },
  };
}
