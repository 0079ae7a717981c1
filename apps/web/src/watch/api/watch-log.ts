import type { WatchEvent, WatchEvents } from '@touchstone/contract';
import type { WatchClient } from './watch-client.ts';

/** All entries of the log of a watch that were read so far, newest first, and the cursors of the next request. */
export interface WatchLog {
  readonly entries: readonly WatchEvent[];
  readonly since: string | undefined;
  readonly watchSince: string | undefined;
}

export const EMPTY_LOG: WatchLog = { entries: [], since: undefined, watchSince: undefined };

/** Adds the entries of one response to a log. Alerts and lifecycle events share one sequence. */
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
 * Reads the entries after the known ones. The log only grows, so known entries are never read again.
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
