import { createProblem } from '@touchstone/contract/shared/problem';
import { createPurchaseQueue } from '@touchstone/payment/queue/purchase-queue';
import { getProcessValue } from '../platform/process-value.ts';

/** Time after which a client can repeat a refused search, in seconds. */
export const SEARCH_RETRY_SECONDS = 5;

/** Problem of a search that was refused because too many searches wait. */
export const SEARCH_BUSY = createProblem(
  'rate-limited',
  `Too many searches are waiting. Send the same request again in ${SEARCH_RETRY_SECONDS} seconds.`,
);

/**
 * Maximum time for which a search waits, in milliseconds. A search that waited longer is refused, because the payment
 * lease of 30 seconds must not end during the search.
 */
const MAX_WAIT_MS = 5_000;

/** Maximum number of searches that run at the same time. One session of the embedded database runs all of them. */
const MAX_RUNNING = 2;
/** Maximum number of waiting searches. */
const MAX_WAITING = 20;

/** Client of all free searches in the queue of running searches. No client address has this name. */
const FREE = 'free searches';

/**
 * Creates the queues. Free searches wait in `free`, where clients take turns. In `running`, all free searches together
 * are one client, and each buyer is another client. The clients of `running` take turns, so a paid search starts before
 * the free searches that wait. A buyer has at most as many searches as slots of purchases.
 */
function openQueues() {
  const slots = { maxSlots: MAX_RUNNING, maxSlotsPerClient: MAX_RUNNING };
  const maxPurchases = MAX_RUNNING + MAX_WAITING;
  return {
    free: createPurchaseQueue({ ...slots, maxPurchases, maxPurchasesPerClient: 7 }),
    running: createPurchaseQueue({
      ...slots,
      maxPurchases: maxPurchases + MAX_RUNNING,
      maxPurchasesPerClient: 12,
    }),
  };
}

/** Returns the queues of this process. The proxy, the pages and the routes share the queues. */
const getQueues = () => getProcessValue('search-queues', openQueues);

/**
 * Runs a free search when it is the turn of its client.
 *
 * @param client client that sent the request, such as an IP address
 * @returns null if too many searches wait; then the search does not run
 */
export async function runFreeSearch<T>(client: string, search: () => Promise<T>): Promise<T | null> {
  const { free, running } = getQueues();
  const runInTime = createTimely(search);
  return free.run(client, async () => running.run(FREE, runInTime));
}

/** Runs a paid search when it is the turn of its buyer. Returns null like {@link runFreeSearch}. */
export async function runPaidSearch<T>(client: string, search: () => Promise<T>): Promise<T | null> {
  return getQueues().running.run(client, createTimely(search));
}

/** Returns true if a free search of a client can wait now. Resolves when it is the turn of the client. */
export async function canSearch(client: string): Promise<boolean> {
  return (await getQueues().free.run(client, () => Promise.resolve(true))) ?? false;
}

/** Creates a function that runs a search if the search waited for at most `MAX_WAIT_MS`. */
function createTimely<T>(search: () => Promise<T>): () => Promise<T | null> {
  const enteredAt = performance.now();
  return async () => (performance.now() - enteredAt > MAX_WAIT_MS ? null : search());
}
