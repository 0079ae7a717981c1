import { formatTimestamp } from '@touchstone/common';
import {
  ECOSYSTEM_EVENT_KINDS,
  GRADES,
  RECOMMENDATIONS,
  type EcosystemEventKind,
} from '@touchstone/contract';
import { z } from 'zod';
import { call, type Db } from '../client/client.ts';
import { createRowSchema } from '../client/rows.ts';
import { isoTimestampSchema } from '../client/values.ts';

const eventSchema = createRowSchema({
  id: z.number().int().transform(String),
  /** Time of the first change among the endpoints, ISO 8601. */
  at: isoTimestampSchema,
  kind: z.enum(ECOSYSTEM_EVENT_KINDS),
  /** Time of the score that added the last endpoint, ISO 8601. Unlike `at`, it is never before an earlier event. */
  updatedAt: isoTimestampSchema,
  host: z.string(),
  /** Slug and URL of the endpoint of the query, or of the first endpoint with this event. */
  slug: z.string(),
  resource: z.string(),
  /** Current grade of this endpoint, and its current recommendation. */
  grade: z.enum(GRADES),
  recommendation: z.enum(RECOMMENDATIONS),
  /** Current listing of this endpoint, and the start of its current failure, ISO 8601; null while it works. */
  listingStatus: z.enum(['listed', 'delisted']),
  failingSince: isoTimestampSchema.nullable(),
  /** Number of endpoints of this host with this event on this UTC day, at least 1. */
  endpoints: z.number().int().min(1),
});

/** Event of a host on one UTC day: one or more of its endpoints entered the state that the kind names. */
export type EcosystemEvent = z.infer<typeof eventSchema>;

/** Kind, time and id of an event. */
export type EventEntry = Pick<EcosystemEvent, 'id' | 'kind' | 'at'>;

/** Endpoint or host of events; all endpoints by default. */
export interface EcosystemEventSubject {
  /** Host of the events, in lower case; all hosts by default. */
  readonly host?: string | null;
  /** Id of an endpoint with the events; all endpoints by default. With `endpointId`, `host` has no effect. */
  readonly endpointId?: string | null;
}

export interface EcosystemEventQuery extends EcosystemEventSubject {
  /** Kinds to return; an empty list returns all kinds. */
  readonly kinds: readonly EcosystemEventKind[];
  /** Value of `next` of the previous page, or the id of the first event to return; null for the first page. */
  readonly before: string | null;
  /** Maximum number of events, 1 to 100. */
  readonly limit: number;
}

export interface EcosystemEventPage {
  /** Events, latest update first. */
  readonly events: readonly EcosystemEvent[];
  /** Value of `before` for the next page; null on the last page. */
  readonly next: string | null;
}

/**
 * Pattern of a cursor: the time of an event's latest update in milliseconds since the epoch, and the id of the event.
 * Without the time, the page begins with the event, wherever its latest update has moved it.
 */
const CURSOR_PATTERN = /^(?:(\d{1,14})-)?(\d{1,15})$/;

/** Returns true if a value has the format of a cursor of `readEcosystemEvents`. */
export function isEventCursor(value: string): boolean {
  return CURSOR_PATTERN.test(value);
}

/**
 * Returns ecosystem events. The event with the latest update is the first. Every event has at least one endpoint
 * with a public snapshot.
 * @throws RangeError when `before` is not a cursor.
 */
export async function readEcosystemEvents(
  db: Db,
  { kinds, before, limit, ...subject }: EcosystemEventQuery,
): Promise<EcosystemEventPage> {
  const response = await call(db, 'ecosystem_events', {
    kinds: [...kinds],
    // The query requests one event more than the page shows, to find out if there is a next page.
    limit: limit + 1,
    ...subject,
    ...(before === null ? {} : parseCursor(before)),
  });
  const rows = z.array(eventSchema).parse(response);
  const events = rows.slice(0, limit);
  const last = events.at(-1);
  const hasMore = rows.length > events.length && last !== undefined;
  return { events, next: hasMore ? `${String(Date.parse(last.updatedAt))}-${last.id}` : null };
}

/** Number of events by kind; 0 for a kind without an event. */
export type EcosystemEventCounts = Readonly<Record<EcosystemEventKind, number>>;

const countsSchema = z.partialRecord(z.enum(ECOSYSTEM_EVENT_KINDS), z.number().int());

/** Returns the number of the events that `readEcosystemEvents` returns on all pages, by kind. */
export async function countEcosystemEvents(
  db: Db,
  subject: EcosystemEventSubject = {},
): Promise<EcosystemEventCounts> {
  const counts = countsSchema.parse(await call(db, 'ecosystem_event_counts', { ...subject }));
  const none = { 'takeover-suspected': 0, 'paid-not-delivered': 0, 'price-spike': 0, delisted: 0, outage: 0 };
  return { ...none, ...counts };
}

function parseCursor(cursor: string): { readonly beforeAt?: string; readonly beforeId: number } {
  const [, at, id] = CURSOR_PATTERN.exec(cursor) ?? [];
  if (id === undefined) throw new RangeError(`Not a cursor of events: ${cursor}`);
  return { ...(at === undefined ? {} : { beforeAt: formatTimestamp(Number(at)) }), beforeId: Number(id) };
}
