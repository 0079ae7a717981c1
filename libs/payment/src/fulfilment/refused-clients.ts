/** Time for which a refused client is stored, in milliseconds. */
const STORED_MS = 60_000;
/** Maximum number of clients that one process stores. */
const MAX_CLIENTS = 10_000;

/** Clients whose payment was refused after its work had started early. */
export interface RefusedClients {
  readonly add: (client: string) => void;
  readonly has: (client: string) => boolean;
}

/**
 * Creates an empty store of refused clients. A client is deleted a minute after its last refusal, and earlier if there are
 * more than 10,000.
 * @param now returns the time of a monotonic clock in milliseconds
 */
export const createRefusedClients = (now: () => number): RefusedClients => {
  /** Times of the last refusals, oldest first. */
  const refusals = new Map<string, number>();
  const deleteOldest = (): void => {
    for (const [client, refusedAt] of refusals) {
      if (refusals.size <= MAX_CLIENTS && now() - refusedAt < STORED_MS) return;
      refusals.delete(client);
    }
  };
  return {
    add: (client) => {
      refusals.delete(client);
      refusals.set(client, now());
      deleteOldest();
    },
    has: (client) => {
      deleteOldest();
      return refusals.has(client);
    },
  };
};
