const DATABASE_TIMEOUT_MS = 5_000;

/** A database that does not answer must not hold a visitor for longer than this. */
export const fetchInTime: typeof fetch = (input, init) => {
  const timeout = AbortSignal.timeout(DATABASE_TIMEOUT_MS);
  return fetch(input, { ...init, signal: init?.signal ? AbortSignal.any([init.signal, timeout]) : timeout });
};
