/** Request with a payment, for the time in which it is under way. */
export interface OngoingRequest {
  /** Returns true if another request with the same payment was under way at the same time. */
  readonly hasCopies: () => boolean;
}

/** Requests with payments that are under way in this process. */
export interface OngoingRequests {
  /**
   * Runs a request with a payment.
   * @param key key of the payment
   */
  readonly run: <T>(key: string, handle: (request: OngoingRequest) => Promise<T>) => Promise<T>;
}

/** Creates an empty set of requests. */
export function createOngoingRequests(): OngoingRequests {
  const requests = new Map<string, Set<{ hasCopies: boolean }>>();
  return {
    run: async (key, handle) => {
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
export function createRecentPayments(): RecentPayments {
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
}
