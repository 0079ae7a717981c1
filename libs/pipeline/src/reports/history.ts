import { canonicalize } from '@touchstone/catalog';
import { DAY_MS } from '@touchstone/common';
import { TEXT_LIMITS, type History } from '@touchstone/contract';
import { readEndpointHistory, type Db, type StoredHistory } from '@touchstone/store';
import { computePercentile, toReportOption, toDisplayResource, normalizeUsd } from '@touchstone/trust';
import { cleanText } from '@touchstone/x402';

/** Maximum number of single probes in a history. Older probes are aggregated per hour. */
const MAX_RAW_PROBES = 5_000;
/**
 * Maximum number of events in a history; the newest are kept. It is needed because an endpoint can change its payment
 * terms at every probe.
 */
const MAX_EVENTS = 5_000;
/** Maximum size of all events of a history together, in bytes. */
const MAX_EVENT_BYTES = 8 * 1024 * 1024;
const MAX_OPTIONS = 100;

type StoredState = StoredHistory['events'][number]['before'];
type Point = History['probes'][number];

export interface HistoryRequest {
  /** URL of the endpoint in any spelling. The history contains the URL in this spelling. */
  readonly resource: string;
  /** Length of the history in days, 1 to 90. */
  readonly days: number;
  /** End of the history, in milliseconds since the epoch. */
  readonly now: number;
  /** `daily` leaves out the single probes; default `all`. */
  readonly resolution?: 'all' | 'daily';
}

/**
 * Reads the history of an endpoint: changes of its listing and payment terms, probes, and daily figures. The oldest
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
  const stored = await readEndpointHistory(db, {
    endpointId: canonical.id,
    from,
    to: now,
    rawLimit: MAX_RAW_PROBES,
    eventLimit: MAX_EVENTS,
    eventBytes: MAX_EVENT_BYTES,
    isDailyOnly: resolution === 'daily',
  });
  if (stored === null || stored.resource !== canonical.resource) return null;
  return {
    resource: toDisplayResource(resource),
    days,
    from: toIsoTime(from),
    to: toIsoTime(now),
    snapshots: stored.events.map(({ at, event, before, after }) => ({
      at: toIsoTime(at),
      event,
      before: toReportedState(before),
      after: toReportedState(after),
    })),
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
    probesResolution: resolution === 'daily' ? 'daily' : stored.hourly.length > 0 ? 'hourly' : 'raw',
    lastFailure: toLastFailure(stored),
  };
}

function toLastFailure({ lastFailure, causes30d }: StoredHistory): History['lastFailure'] {
  return (
    lastFailure && {
      ...lastFailure,
      at: toIsoTime(lastFailure.at),
      since: toIsoTime(lastFailure.since),
      causes30d,
    }
  );
}

const toIsoTime = (ms: number): string => new Date(ms).toISOString();

function toPoint({ at, amountUsd, ...point }: StoredHistory['raw'][number]): Point {
  return { at: toIsoTime(at), ...point, amountUsd: normalizeUsd(amountUsd) };
}

/** Converts the payment terms before or after a change, or the texts of a directory, to the form of a history. */
function toReportedState(state: StoredState): History['snapshots'][number]['before'] {
  if (state === null) return null;
  const description = cleanText(state.description, TEXT_LIMITS.description);
  if ('directory' in state) {
    const serviceName = cleanText(state.serviceName, TEXT_LIMITS.name);
    return { directory: state.directory, serviceName, description };
  }
  return {
    protocolVersion: state.version,
    description,
    options: state.options
      .slice(0, MAX_OPTIONS)
      .map((option) => toReportOption({ ...option, falseUsdc: option.falseUsdc === true })),
  };
}
