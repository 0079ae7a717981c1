import { parseRetryAfter } from '@touchstone/common';
import { parseWatchCursor, type WatchStatus } from '@touchstone/contract';
import { CliError, type CommandTools } from '../command-tools.ts';
import { createNoResponseError, TEMPORARY_STATUSES } from '../service/request.ts';
import {
  createResponseError,
  type OwnedWatch,
  readWatchResponse,
  type ReceivedEvent,
  receivedEventsSchema,
  sendWatchRequest,
} from './owned-watch.ts';

interface EventsRequest {
  readonly start: Cursors;
  /** Pause between two requests, in milliseconds; null to read the present events only. */
  readonly intervalMs: number | null;
  readonly format: (event: ReceivedEvent) => string;
  /** Signal that ends the command. */
  readonly signal: AbortSignal;
}

export interface EventsOutcome {
  /** Sequence number up to which all events were printed; 0 when no event was printed. */
  readonly position: number;
  readonly count: number;
  readonly status: NewEvents['status'];
  /** True if the log has more events than were printed. */
  readonly hasMore: boolean;
  /** Error that ended the requests. Always null if `intervalMs` is given, because errors are then only reported. */
  readonly error: CliError | null;
}

/**
 * Prints the events of a watch. With an interval, waits for new events until the signal is aborted, the watch is over,
 * or the output is closed. Temporary errors are reported once, and the requests continue.
 *
 * @throws CliError for an error that is not temporary
 */
export async function followEvents(
  watch: OwnedWatch,
  { start, intervalMs, format, signal }: EventsRequest,
  tools: Pick<CommandTools, 'out' | 'printMessage' | 'sleep'>,
): Promise<EventsOutcome> {
  const reportOutage = createOutageReport(tools);
  let cursors = start;
  let count = 0;
  let position = 0;
  let status: NewEvents['status'] = null;
  for (;;) {
    const read = await readNewEvents(watch, cursors, signal);
    for (const event of read.events) await tools.out.write(format(event));
    ({ cursors } = read);
    count += read.events.length;
    position = Math.max(position, toPosition(watch.id, read));
    status = read.status ?? status;
    const hasMore = read.failure === null && !read.isComplete;
    const outcome = { position, count, status, hasMore, error: null };
    if (signal.aborted || tools.out.isClosed) return outcome;
    if (intervalMs === null) return { ...outcome, error: read.failure?.error ?? null };
    reportOutage(read.failure, intervalMs);
    if (read.isComplete && isOver(status)) return outcome;
    const pauseMs = Math.max(intervalMs, read.failure?.pauseMs ?? 0);
    if (!(await wait(tools.sleep(pauseMs, signal), signal))) return outcome;
  }
}

/** Returns true for a watch that gets no more events. */
export function isOver(status: NewEvents['status']): boolean {
  return status === 'cancelled' || status === 'expired';
}

/** Creates a function that reports the beginning and the end of an outage, and not each failed request. */
function createOutageReport({ printMessage }: Pick<CommandTools, 'printMessage'>) {
  let isDown = false;
  return (failure: TemporaryFailure | null, intervalMs: number): void => {
    const repeat = `The request is repeated every ${String(intervalMs / 1_000)} s.`;
    if (failure !== null && !isDown) printMessage(`${failure.error.message} ${repeat}`);
    if (failure === null && isDown) printMessage('The service responds again.');
    isDown = failure !== null;
  };
}

/** Waits for the end of a pause. @returns false if the signal ended the pause */
async function wait(pause: Promise<void>, signal: AbortSignal): Promise<boolean> {
  try {
    await pause;
    return true;
  } catch (error) {
    if (signal.aborted) return false;
    throw error;
  }
}

/**
 * Returns the sequence number up to which all events were read. Alerts and events on the watch itself are numbered
 * together, but read as two lists. After an incomplete read, one list can be ahead of the other list.
 */
function toPosition(id: string, { cursors, isComplete }: NewEvents): number {
  const sequences = [cursors.alerts, cursors.watchEvents].map((cursor) => parseWatchCursor(cursor, id) ?? 0);
  return isComplete ? Math.max(...sequences) : Math.min(...sequences);
}

/** Positions in the log of a watch: the last alert and the last event on the watch itself that were read. */
interface Cursors {
  readonly alerts: string;
  readonly watchEvents: string;
}

/** A failed request that can succeed later. */
interface TemporaryFailure {
  readonly error: CliError;
  /** Minimum pause before the next request, in milliseconds. */
  readonly pauseMs: number;
}

/** New events of a watch. After a failed request, `events` contains all events of the earlier requests. */
interface NewEvents {
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

/**
 * Reads the events after two cursors, from at most 100 responses.
 *
 * @throws CliError for an error that is not temporary
 */
async function readNewEvents(watch: OwnedWatch, start: Cursors, signal: AbortSignal): Promise<NewEvents> {
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
    if (isComplete) break;
  }
  // A response has alerts and events on the watch itself in two lists. The log has all of these events in one list.
  const sorted = events.toSorted((a, b) => a.data.sequence - b.data.sequence);
  return { events: sorted, cursors, status, failure, isComplete };
}

interface EventPage extends Pick<NewEvents, 'events' | 'cursors' | 'isComplete'> {
  readonly status: WatchStatus;
}

async function readPage(
  watch: OwnedWatch,
  { alerts, watchEvents }: Cursors,
  signal: AbortSignal,
): Promise<EventPage | TemporaryFailure> {
  const query = { since: alerts, watch_since: watchEvents };
  const received = await sendWatchRequest(watch, { method: 'GET', path: '/events', query, signal });
  if ('error' in received) return { error: createNoResponseError(watch.service, received.error), pauseMs: 0 };
  const { status, headers } = received;
  if (TEMPORARY_STATUSES.has(status)) {
    return { error: createResponseError(received), pauseMs: parseRetryAfter(headers, Date.now()) ?? 0 };
  }
  const page = readWatchResponse(received, receivedEventsSchema);
  const next = { alerts: page.next_cursor, watchEvents: page.watch_events_cursor };
  if (!isAfter(watch.id, alerts, next.alerts) || !isAfter(watch.id, watchEvents, next.watchEvents))
    throw new CliError(
      'The service sent a cursor that is not of this watch, or before the events that were read.',
    );
  return {
    events: [...page.events, ...page.watch_events],
    cursors: next,
    status: page.status,
    isComplete: !page.has_more,
  };
}

/** Returns true if `cursor` belongs to the watch and is not earlier than `before`. */
function isAfter(id: string, before: string, cursor: string): boolean {
  const sequence = parseWatchCursor(cursor, id);
  return sequence !== null && sequence >= (parseWatchCursor(before, id) ?? 0);
}
