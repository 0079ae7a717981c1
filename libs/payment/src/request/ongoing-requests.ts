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
export const createOngoingRequests = (): OngoingRequests => {
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
};
