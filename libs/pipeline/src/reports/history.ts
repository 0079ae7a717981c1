import { canonicalize } from '@touchstone/catalog';
import { DAY_MS, formatTimestamp } from '@touchstone/common';
import { TEXT_LIMITS, type History } from '@touchstone/contract';
import { readEndpointHistory, type Db, type StoredHistory } from '@touchstone/store';
import { computePercentile, toReportOption, toDisplayResource, normalizeUsd } from '@touchstone/trust';
import { cleanText } from '@touchstone/x402';

/** Maximum number of single probes in a history. Older probes are aggregated per hour. */
const MAX_RAW_PROBES = 5_000;
/**
 * Maximum number of events in a history; the newest are kept. An endpoint can change its payment terms at every probe.
 */
const MAX_EVENTS = 5_000;
/** Maximum size of all events of a history together, in bytes. */
const MAX_EVENT_BYTES = 8 * 1024 * 1024;
const MAX_OPTIONS = 100;
/**
 * Maximum number of failure causes in a history; the most frequent causes are kept. Only an endpoint with many
 * different HTTP statuses has more causes.
 */
const MAX_CAUSES = 20;
/**
 * Limits of the events of a history with the resolution `daily`. The limits keep a history of 30 days below 15 kB,
 * because an endpoint can advertise many options and long texts. `eventBytes` applies to all events together.
 */
const DAILY = { events: 20, eventBytes: 9_000, purchases: 10, options: 3, descriptionChars: 100 } as const;

type StoredEvent = StoredHistory['events'][number];
type StoredState = StoredHistory['events'][number]['before'];
type Event = History['snapshots'][number];
type State = Event['before'];
type Point = History['probes'][number];
type Purchase = History['purchases'][number];

export interface HistoryRequest {
  /** URL of the endpoint in any spelling. The history contains the URL in this spelling. */
  readonly resource: string;
  /** Length of the history in days, 1 to 90. */
  readonly days: number;
  /** End of the history, in milliseconds since the epoch. */
  readonly now: number;
  /** `daily` leaves out the single probes and shortens the events; default `all`. */
  readonly resolution?: 'all' | 'daily';
}

/**
 * Reads the history of an endpoint: changes of its listing and payment terms, probes, test purchases, and daily figures. The oldest
 * entry of each list is first.
 *
 * @returns null when the URL is invalid or not in the catalog
 * @throws StoreError when the database fails
 */
export async function readHistory(
  db: Db,
  { resource, days, now, resolution = 'all' }: HistoryRequest,
): Promise<History | null> {
  const canonical = canonicalize(resource);
  if (!canonical.ok) return null;
  const from = now - days * DAY_MS;
  const isDaily = resolution === 'daily';
  const stored = await readEndpointHistory(db, {
    endpointId: canonical.id,
    from,
    to: now,
    rawLimit: MAX_RAW_PROBES,
    eventLimit: isDaily ? DAILY.events : MAX_EVENTS,
    eventBytes: MAX_EVENT_BYTES,
    dailyOnly: isDaily,
  });
  if (stored === null || stored.resource !== canonical.resource) return null;
  return {
    resource: toDisplayResource(resource),
    days,
    from: formatTimestamp(from),
    to: formatTimestamp(now),
    snapshots: isDaily ? toDailyEvents(stored.events) : stored.events.map((event) => toEvent(event)),
    probes: [
      ...stored.hourly.map(({ probes, up, ...point }) => ({ ...toPoint(point), probes, up })),
      ...stored.raw.map(toPoint),
    ],
    daily: stored.daily.map(({ day, probes, scored, up, histogram, score }) => ({
      day,
      probes,
      scored,
      up,
      latencyMsP50: histogram && computePercentile(histogram, 0.5),
      latencyMsP95: histogram && computePercentile(histogram, 0.95),
      score,
    })),
    purchases: stored.purchases.slice(isDaily ? -DAILY.purchases : 0).map(toPurchase),
    probesResolution: isDaily ? 'daily' : stored.hourly.length > 0 ? 'hourly' : 'raw',
    lastFailure: toLastFailure(stored),
  };
}

function toPurchase({ at, amountUsd, ...purchase }: StoredHistory['purchases'][number]): Purchase {
  return { ...purchase, at: formatTimestamp(at), amountUsd: normalizeUsd(amountUsd) ?? '0.000000' };
}

function toLastFailure({ lastFailure, causes30d }: StoredHistory): History['lastFailure'] {
  return (
    lastFailure && {
      ...lastFailure,
      at: formatTimestamp(lastFailure.at),
      since: formatTimestamp(lastFailure.since),
      causes30d: Object.fromEntries(
        Object.entries(causes30d)
          .toSorted(([, one], [, other]) => other - one)
          .slice(0, MAX_CAUSES),
      ),
    }
  );
}

function toPoint({ at, amountUsd, ...point }: StoredHistory['raw'][number]): Point {
  return { at: formatTimestamp(at), ...point, amountUsd: normalizeUsd(amountUsd) };
}

function toEvent({ at, event, varies, before, after }: StoredEvent, maxDescription?: number): Event {
  return {
    at: formatTimestamp(at),
    event,
    ...(varies && { varies }),
    before: toReportedState(before, maxDescription),
    after: toReportedState(after, maxDescription),
  };
}

/**
 * Converts the payment terms before or after a change, or the texts of a directory, to the form of a history.
 *
 * @param maxDescription maximum length of the description, in UTF-16 code units
 */
function toReportedState(state: StoredState, maxDescription: number = TEXT_LIMITS.description): State {
  if (state === null) return null;
  const description = cleanText(state.description, maxDescription);
  if ('directory' in state) {
    const serviceName = cleanText(state.serviceName, TEXT_LIMITS.name);
    return { directory: state.directory, serviceName, description };
  }
  return {
    protocolVersion: state.version,
    description,
    options: state.options.slice(0, MAX_OPTIONS).map(toReportOption),
  };
}

/** Shortens events to the limits of `DAILY`. An event that does not fit beside the newer events is left out. */
function toDailyEvents(stored: readonly StoredEvent[]): Event[] {
  const kept: Event[] = [];
  let bytes = 0;
  for (const one of stored.toReversed()) {
    const { before, after, ...event } = toEvent(one, DAILY.descriptionChars);
    const short = {
      ...event,
      before: selectChangedOptions(before, after),
      after: selectChangedOptions(after, before),
    };
    const size = Buffer.byteLength(JSON.stringify(short));
    if (bytes + size > DAILY.eventBytes) continue;
    bytes += size;
    kept.unshift(short);
  }
  return kept;
}

/**
 * Returns payment terms with at most three of their options. Options that the other payment terms also contain are left
 * out.
 */
function selectChangedOptions(state: State, other: State): State {
  if (state === null || !('options' in state)) return state;
  const others = new Set(other !== null && 'options' in other ? other.options.map(toKey) : []);
  const options = state.options.filter((option) => !others.has(toKey(option))).slice(0, DAILY.options);
  return { ...state, options };
}

const toKey = (option: unknown): string => JSON.stringify(option);
