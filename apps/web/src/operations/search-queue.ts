import { createProblem } from '@touchstone/contract/shared/problem';
import { getProcessValue } from '../platform/process-value.ts';

/** Time after which a client can repeat a refused search, in seconds. */
export const SEARCH_RETRY_SECONDS = 5;

/** Problem of a search that was refused because too many searches wait. */
export const SEARCH_BUSY = createProblem(
  'rate-limited',
  `Too many searches are waiting. Send the same request again in ${SEARCH_RETRY_SECONDS} seconds.`,
);

/** Error of a search that did not run, because too many searches wait or because its client disconnected. */
export class SearchBusyError extends Error {
  override readonly name = 'SearchBusyError';
}

/** Maximum time for which a search waits, in milliseconds. */
const MAX_WAIT_MS = 5_000;
/** Maximum number of searches that run at the same time. One session of the embedded database runs all of them. */
const MAX_RUNNING = 2;
/** Maximum number of waiting free searches, and of waiting paid searches. */
const MAX_WAITING = 20;

export interface SearchSender {
  /** Client that sent the request, such as an IP address. */
  readonly client: string;
  /** True for a paid search, which starts before all waiting free searches. */
  readonly isPaid?: boolean;
  /** Signal of the request. A search whose client disconnects does not wait any longer. */
  readonly signal?: AbortSignal;
}

/**
 * Runs a search when it is the turn of its client. All searches of this process share one queue. Clients take turns. If
 * too many searches wait, the client with the most waiting searches loses its newest one.
 *
 * @throws SearchBusyError if the search does not run
 */
export async function runSearch<T>(sender: SearchSender, search: () => Promise<T>): Promise<T> {
  const queue = getProcessValue('search-queue', createSearchQueue);
  if (!(await queue.enter(sender))) throw new SearchBusyError();
  try {
    return await search();
  } finally {
    queue.leave();
  }
}

/** Function that ends the wait of a search. */
type EndWait = (isTurn: boolean) => void;

/** Waiting searches by client, in the order in which the clients take turns. */
type Waiting = Map<string, readonly EndWait[]>;

function createSearchQueue() {
  const paid: Waiting = new Map();
  const free: Waiting = new Map();
  let running = 0;

  function startNext(): void {
    const waiting = paid.size > 0 ? paid : free;
    const [first] = waiting;
    if (first === undefined || running >= MAX_RUNNING) return;
    const [client, searches] = first;
    // The client moves to the end, so all other clients have their turn before its next search.
    waiting.delete(client);
    waiting.set(client, searches);
    running += 1;
    searches[0]?.(true);
  }

  return {
    /** Resolves to true when it is the turn of a search, and to false if the search is refused. */
    enter: ({ client, isPaid = false, signal }: SearchSender): Promise<boolean> =>
      new Promise((resolve) => {
        const waiting = isPaid ? paid : free;
        const end: EndWait = (isTurn) => {
          removeSearch(waiting, client, end);
          clearTimeout(timer);
          resolve(isTurn);
        };
        const timer = setTimeout(end, MAX_WAIT_MS, false);
        if (signal?.aborted === true || !makeRoom(waiting, client)) {
          end(false);
          return;
        }
        signal?.addEventListener('abort', () => end(false));
        waiting.set(client, [...(waiting.get(client) ?? []), end]);
        startNext();
      }),
    leave: (): void => {
      running -= 1;
      startNext();
    },
  };
}

function removeSearch(waiting: Waiting, client: string, search: EndWait): void {
  const others = waiting.get(client)?.filter((other) => other !== search) ?? [];
  if (others.length === 0) waiting.delete(client);
  else waiting.set(client, others);
}

/**
 * Returns true if one more search of a client can wait. In a full queue, the newest search of the client with the most
 * searches is refused for it, unless this client would then have as many searches.
 */
function makeRoom(waiting: Waiting, client: string): boolean {
  const all = [...waiting.values()];
  if (all.flat().length < MAX_WAITING) return true;
  const most = all.reduce<readonly EndWait[]>(
    (longest, searches) => (searches.length > longest.length ? searches : longest),
    [],
  );
  if (most.length <= (waiting.get(client)?.length ?? 0) + 1) return false;
  most.at(-1)?.(false);
  return true;
}
