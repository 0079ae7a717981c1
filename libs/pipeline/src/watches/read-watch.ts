import {
  formatEventId,
  MAX_WATCH_EVENTS,
  parseWatchCursor,
  type Watch,
  type WatchEvents,
} from '@touchstone/contract';
import { findWatch, readWatchLog, type StoredWatch } from '@touchstone/store';
import { toDisplayResource } from '@touchstone/trust';
import { toWatchEvent } from '@touchstone/watch';
import { formatEndpointPage } from '../search/search-context.ts';
import { authorize } from './authorize.ts';
import { formatTime, toWatch } from './to-watch.ts';
import {
  createInvalid,
  type WatchContext,
  type WatchCredentials,
  type WatchProblem,
  type WatchResult,
} from './watch-context.ts';

type ReadContext = Pick<WatchContext, 'db' | 'baseUrl'>;

/** Reads the settings of a watch and the state of its destinations. */
export async function readWatch(
  context: ReadContext,
  credentials: WatchCredentials,
): Promise<WatchResult<Watch>> {
  const owned = await authorize(context, credentials);
  if (owned.kind === 'problem') return owned;
  return { kind: 'result', body: toWatch(owned.watch, context.baseUrl) };
}

/**
 * Reads a watch again after a change. Returns `previous` in the unlikely case that the watch was deleted in the
 * meantime.
 */
export async function readCurrent(
  { db }: Pick<WatchContext, 'db'>,
  previous: StoredWatch,
): Promise<StoredWatch> {
  return (await findWatch(db, previous.id)) ?? previous;
}

/** Request for the events of a watch. Each cursor may also be the id of the last event that was read. */
export interface EventsRequest extends WatchCredentials {
  /** Cursor of the alerts; absent for all alerts. */
  readonly since?: string | undefined;
  /** Cursor of the events on the watch itself; absent for all of them. */
  readonly watchSince?: string | undefined;
}

/** Reads the events of a watch after the cursors, oldest first: at most 100 alerts and 100 events on the watch. */
export async function readWatchEvents(
  context: ReadContext,
  request: EventsRequest,
): Promise<WatchResult<WatchEvents>> {
  const owned = await authorize(context, request);
  if (owned.kind === 'problem') return owned;
  const { watch } = owned;
  const alertsAfter = parseCursor('since', request.since, watch);
  if (typeof alertsAfter !== 'number') return alertsAfter;
  const lifecycleAfter = parseCursor('watch_since', request.watchSince, watch);
  if (typeof lifecycleAfter !== 'number') return lifecycleAfter;
  const log = await readWatchLog(context.db, {
    watchId: watch.id,
    alertsAfter,
    lifecycleAfter,
    limit: MAX_WATCH_EVENTS,
  });
  const endpoint = toDisplayResource(watch.resource);
  const about = {
    watchId: watch.id,
    resource: endpoint,
    endpointPage: formatEndpointPage(watch.slug, context.baseUrl),
  };
  const body: WatchEvents = {
    watch_id: watch.id,
    status: watch.status,
    endpoint,
    expires_at: formatTime(watch.expiresAt),
    events: log.alerts.map((entry) => toWatchEvent(entry, about)),
    next_cursor: formatEventId(watch.id, log.alerts.at(-1)?.sequence ?? alertsAfter),
    watch_events: log.lifecycle.map((entry) => toWatchEvent(entry, about)),
    watch_events_cursor: formatEventId(watch.id, log.lifecycle.at(-1)?.sequence ?? lifecycleAfter),
    has_more: log.hasMore,
  };
  return { kind: 'result', body };
}

/** Returns the sequence number after which a log is read, or the problem of a text that is no cursor of this watch. */
function parseCursor(
  name: 'since' | 'watch_since',
  text: string | undefined,
  { id, lastSequence }: StoredWatch,
): number | WatchProblem {
  if (text === undefined) return 0;
  const sequence = parseWatchCursor(text, id);
  if (sequence !== null && sequence <= lastSequence) return sequence;
  return createInvalid(
    name,
    `\`${name}\` must be a cursor or an event_id from the events of this watch. Leave it out to read all events.`,
  );
}
