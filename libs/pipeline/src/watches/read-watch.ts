import { formatTimestamp, formatTimestampOrNull } from '@touchstone/common';
import {
  formatEventId,
  MAX_WATCH_EVENTS,
  parseWatchCursor,
  watchIdSchema,
  type Watch,
  type WatchEvents,
} from '@touchstone/contract';
import {
  findWatch,
  findWatchSecretHash,
  readWatchAttempts,
  readWatchLog,
  type StoredAttempt,
  type StoredWatch,
} from '@touchstone/store';
import { toDisplayResource } from '@touchstone/trust';
import { toWatchEvent, verifySecret } from '@touchstone/watch';
import { formatEndpointPage } from '../pages.ts';
import { toWatch } from './to-watch.ts';
import { createInvalid, createOperationProblem } from '../problem.ts';
import type { WatchContext, WatchCredentials, WatchProblem, WatchResult } from './watch-context.ts';

/** Value in place of a malformed id. No watch has this id. */
const NO_WATCH = '';

const UNAUTHORIZED = createOperationProblem(
  'unauthorized',
  'No watch has this id and this secret. Send the secret from the creation of the watch as Authorization: Bearer wsk_….',
);

/**
 * Returns the watch if the given secret is the secret of this watch. An unknown id and a wrong secret get the same
 * problem after the same work: one lookup of a secret hash and one comparison. The watch is read after the comparison,
 * because the duration of this second read depends on the watch.
 */
export async function authorize(
  { db }: Pick<WatchContext, 'db'>,
  { id, secret }: WatchCredentials,
): Promise<{ readonly kind: 'owned'; readonly watch: StoredWatch } | WatchProblem> {
  const secretHash = await findWatchSecretHash(db, watchIdSchema.safeParse(id).success ? id : NO_WATCH);
  if (!verifySecret(secret, secretHash)) return UNAUTHORIZED;
  const watch = await findWatch(db, id);
  return watch === null ? UNAUTHORIZED : { kind: 'owned', watch };
}

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
  /** Cursor of the events on the watch itself; absent for all such events. */
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
    expires_at: formatTimestamp(watch.expiresAt),
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

/** Maximum number of attempts in one response. */
const MAX_ATTEMPTS = 100;

/** Attempt to deliver an event, as the owner of the watch sees it. */
type WatchAttempt = ReturnType<typeof toAttempt>;

/** Reads the latest delivery attempts of a watch, newest first. */
export async function readAttempts(
  context: Pick<WatchContext, 'db'>,
  credentials: WatchCredentials,
): Promise<WatchResult<{ readonly attempts: readonly WatchAttempt[] }>> {
  const owned = await authorize(context, credentials);
  if (owned.kind === 'problem') return owned;
  const { id } = credentials;
  const stored = await readWatchAttempts(context.db, { watchId: id, limit: MAX_ATTEMPTS });
  return { kind: 'result', body: { attempts: stored.map((attempt) => toAttempt(id, attempt)) } };
}

function toAttempt(watchId: string, attempt: StoredAttempt) {
  const { channel, type, phase, reply, error, nextAttemptAt } = attempt;
  return {
    at: formatTimestamp(attempt.at),
    channel,
    /** Shortened URL of the destination. */
    url: attempt.label,
    event_id: formatEventId(watchId, attempt.sequence),
    type,
    duration_ms: attempt.durationMs,
    /** Phase in which the request failed; null for a complete response. */
    phase,
    http_status: attempt.httpStatus,
    /** Beginning of the response body, at most 1 kB. The receiver chose this text. */
    reply,
    error,
    ok: attempt.outcome === 'delivered',
    next_attempt_at: formatTimestampOrNull(nextAttemptAt),
  };
}
