import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Watch, WatchEvent, WatchEvents } from '@touchstone/contract';
import { createContext, use } from 'react';
import { type WatchClient, isTemporary } from '../trpc/client.ts';

/** Opened watch. Only the client object, in the memory of this tab, has the secret. */
export interface Session {
  readonly id: string;
  readonly client: WatchClient;
}

/** Session with the state of its watch at the time of opening. */
export interface OpenedWatch extends Session {
  readonly watch: Watch;
}

/** Interval between two refreshes while the page is visible, in milliseconds. */
const REFRESH_MS = 15_000;
/** Maximum number of repeated calls after a temporary failure. After that, the next refresh calls again. */
const MAX_RETRIES = 2;

export const SessionContext = createContext<Session | null>(null);

/** Returns the session of the page. @throws Error outside of an opened watch. */
export function useSession(): Session {
  const session = use(SessionContext);
  if (session === null) throw new Error('No watch is open');
  return session;
}

const POLLING = {
  refetchInterval: REFRESH_MS,
  retry: (failures: number, error: Error) => failures < MAX_RETRIES && isTemporary(error),
} as const;

const toWatchKey = (id: string) => ['watch', id] as const;
const toLogKey = (id: string) => ['log', id] as const;
const toAttemptsKey = (id: string) => ['attempts', id] as const;

/** Reads the settings of the watch every 15 seconds. `first` is the state at the time when the page was opened. */
export function useWatch(first: Watch) {
  const { id, client } = useSession();
  return useQuery({
    ...POLLING,
    queryKey: toWatchKey(id),
    queryFn: ({ signal }): Promise<Watch> => client.read.query({ id }, { signal }),
    initialData: first,
  });
}

/** Reads the new events of the watch every 15 seconds. */
export function useLog() {
  const { id, client } = useSession();
  const queries = useQueryClient();
  return useQuery({
    ...POLLING,
    queryKey: toLogKey(id),
    queryFn: ({ signal }) => {
      const known = queries.getQueryData<WatchLog>(toLogKey(id)) ?? EMPTY_LOG;
      return readLog(client, { id, known, signal });
    },
    // A comparison of all entries at each refresh is not needed, because entries never change.
    structuralSharing: false,
  });
}

/** Reads the latest delivery attempts every 15 seconds. */
export function useAttempts() {
  const { id, client } = useSession();
  return useQuery({
    ...POLLING,
    queryKey: toAttemptsKey(id),
    queryFn: async ({ signal }) => (await client.attempts.query({ id }, { signal })).attempts,
  });
}

/** Shows a changed watch immediately, and reads its log and its delivery attempts again. */
export function showChangedWatch(queries: QueryClient, watch: Watch): void {
  queries.setQueryData(toWatchKey(watch.watch_id), watch);
  void queries.invalidateQueries({ queryKey: toLogKey(watch.watch_id) });
  void queries.invalidateQueries({ queryKey: toAttemptsKey(watch.watch_id) });
}

/** Events of a watch that the page has read, newest first, and the cursors for the next request. */
export interface WatchLog {
  readonly entries: readonly WatchEvent[];
  readonly since: string | undefined;
  readonly watchSince: string | undefined;
}

export const EMPTY_LOG: WatchLog = { entries: [], since: undefined, watchSince: undefined };

/** Adds the entries of one response to a log. Alerts and lifecycle events share one series of sequence numbers. */
function addPage(log: WatchLog, page: WatchEvents): WatchLog {
  const known = new Set(log.entries.map(({ event_id: id }) => id));
  const added = [...page.events, ...page.watch_events].filter(({ event_id: id }) => !known.has(id));
  return {
    entries:
      added.length === 0
        ? log.entries
        : [...added, ...log.entries].sort((one, other) => other.data.sequence - one.data.sequence),
    since: page.next_cursor,
    watchSince: page.watch_events_cursor,
  };
}

/**
 * Reads the log entries that follow the entries in `known`. Log entries never change, so no entry is read twice.
 *
 * @returns the complete log up to now
 */
export async function readLog(
  client: Pick<WatchClient, 'events'>,
  { id, known, signal }: { readonly id: string; readonly known: WatchLog; readonly signal: AbortSignal },
): Promise<WatchLog> {
  let log = known;
  for (;;) {
    const { since, watchSince } = log;
    const page = await client.events.query({ id, since, watchSince }, { signal });
    log = addPage(log, page);
    const isSame = log.since === since && log.watchSince === watchSince;
    if (!page.has_more || isSame) return log;
  }
}
