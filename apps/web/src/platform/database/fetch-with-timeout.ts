const DATABASE_TIMEOUT_MS = 5_000;

/** Fetches with a timeout of 5 seconds, so that an unresponsive database does not block a request for longer. */
export const fetchWithTimeout: typeof fetch = (input, init) => {
  const timeout = AbortSignal.timeout(DATABASE_TIMEOUT_MS);
  return fetch(input, { ...init, signal: init?.signal ? AbortSignal.any([init.signal, timeout]) : timeout });
};
