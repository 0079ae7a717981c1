import { parseRetryAfter } from '@touchstone/common';
import { parseWatchCursor, type WatchStatus } from '@touchstone/contract';
import { CliError } from '../../cli-error.ts';
import type { OwnedWatch } from '../owned-watch.ts';
import { receivedEventsSchema, type ReceivedEvent } from '../received-watch.ts';
import { createNoResponseError, readWatchResponse, sendWatchRequest } from '../request-watch.ts';

/** Positions in the log of a watch: the last alert and the last event on the watch itself that were read. */
export interface Cursors {
  readonly alerts: string;
  readonly watchEvents: string;
}

/** A failed request that can succeed later. */
export interface TemporaryFailure {
  readonly error: CliError;
  /** Minimum pause before the next request, in milliseconds. */
  readonly pauseMs: number;
}

/** New events of a watch. If a request failed, the events of the requests before it are complete. */
export interface NewEvents {
  /** Events in the order of the log. */
  readonly events: readonly ReceivedEvent[];
  readonly cursors: Cursors;
  /** State of the watch; null if no request succeeded. */
  readonly status: WatchStatus | null;
  readonly failure: TemporaryFailure | null;
  /** True if the last response had all remaining events. */
  readonly isComplete: boolean;
}

/** Maximum number of responses that are collected before their events are printed. A response has at most 200 events. */
const MAX_RESPONSES = 100;
/** Statuses of temporary errors. */
const TEMPORARY_STATUSES: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);

/**
 * Reads the events after two cursors, at most those of 100 responses.
 *
 * @throws CliError for an error that is not temporary
 */
export async function readNewEvents(
  watch: OwnedWatch,
  start: Cursors,
  signal: AbortSignal,
): Promise<NewEvents> {
  const events: ReceivedEvent[] = [];
  let cursors = start;
  let status: WatchStatus | null = null;
  let failure: TemporaryFailure | null = null;
  let isComplete = false;
  for (let responses = 0; responses < MAX_RESPONSES; responses += 1) {
    const read = await readPage(watch, cursors, signal);
    if ('error' in read) {
      failure = read;
      break;
    }
    events.push(...read.events);
    ({ cursors, status, isComplete } = read);
    if (isComplete || !read.isNew) break;
  }
  // A response has alerts and events on the watch itself in two lists. Both are in the same log.
  const sorted = events.toSorted((a, b) => a.data.sequence - b.data.sequence);
  return { events: sorted, cursors, status, failure, isComplete };
}

interface EventPage extends Pick<NewEvents, 'events' | 'cursors' | 'isComplete'> {
  readonly status: WatchStatus;
  /** False if the cursors are the ones that were sent. Such a service must not be requested again without a pause. */
  readonly isNew: boolean;
}

async function readPage(
  watch: OwnedWatch,
  { alerts, watchEvents }: Cursors,
  signal: AbortSignal,
): Promise<EventPage | TemporaryFailure> {
  const query = { since: alerts, watch_since: watchEvents };
  const received = await sendWatchRequest(watch, { method: 'GET', path: '/events', query, signal });
  if ('error' in received) return { error: createNoResponseError(watch, received.error), pauseMs: 0 };
  const { status, headers } = received;
  if (TEMPORARY_STATUSES.has(status)) {
    return { error: readError(received), pauseMs: parseRetryAfter(headers, Date.now()) ?? 0 };
  }
  const page = readWatchResponse(received, receivedEventsSchema);
  const next = { alerts: page.next_cursor, watchEvents: page.watch_events_cursor };
  if (!isAfter(watch.id, alerts, next.alerts) || !isAfter(watch.id, watchEvents, next.watchEvents))
    throw new CliError(
      'The service sent a cursor that is not of this watch, or before the events that were read.',
    );
  const isSame = next.alerts === alerts && next.watchEvents === watchEvents;
  return {
    events: [...page.events, ...page.watch_events],
    cursors: next,
    status: page.status,
    isComplete: !page.has_more,
    isNew: !isSame,
  };
}

function readError(received: Parameters<typeof readWatchResponse>[0]): CliError {
  try {
    readWatchResponse(received, receivedEventsSchema);
  } catch (error) {
    if (error instanceof CliError) return error;
    throw error;
  }
  throw new Error('An error response was read as events');
}

/** Returns true if a cursor is of this watch and not before another cursor. */
function isAfter(id: string, before: string, cursor: string): boolean {
  const sequence = parseWatchCursor(cursor, id);
  return sequence !== null && sequence >= (parseWatchCursor(before, id) ?? 0);
}
