/** Time for which a refused client is remembered, in milliseconds. */
const REMEMBERED_MS = 60_000;
/** Maximum number of clients that one process remembers. */
const MAX_CLIENTS = 10_000;

/** Clients that recently sent a payment for which work started early and was wasted. */
export interface RefusedClients {
  readonly add: (client: string) => void;
  readonly has: (client: string) => boolean;
}

/**
 * Creates an empty memory of clients. It forgets a client a minute after its last refusal, and the oldest one when there
 * are more than 10,000.
 * @param now returns the time in milliseconds since the epoch
 */
export const createRefusedClients = (now: () => number): RefusedClients => {
  /** Times of the last refusals, oldest first. */
  const refusals = new Map<string, number>();
  return {
    add: (client) => {
      refusals.delete(client);
      refusals.set(client, now());
      const [oldest] = refusals.keys();
      if (refusals.size > MAX_CLIENTS && oldest !== undefined) refusals.delete(oldest);
    },
    has: (client) => {
      const refusedAt = refusals.get(client);
      return refusedAt !== undefined && Math.abs(now() - refusedAt) < REMEMBERED_MS;
    },
  };
};
