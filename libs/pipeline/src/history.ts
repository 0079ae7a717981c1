import { canonicalize } from '@touchstone/catalog';
import { TEXT_LIMITS, type History } from '@touchstone/contract';
import { readEndpointHistory, type Db, type StoredHistory } from '@touchstone/store';
import { percentile, reportedOption, shownResource, sixDecimals } from '@touchstone/trust';
import { cleanText } from '@touchstone/x402';
import { DAY_MS } from './context.ts';

/** Above this many probes the oldest ones are told by the hour. */
const MOST_RAW = 5_000;
/** Of an endpoint that changes its terms at every probe the newest changes are told. */
const MOST_EVENTS = 5_000;
const EVENT_BYTES = 8 * 1024 * 1024;
const MOST_OPTIONS = 100;

type StoredTerms = StoredHistory['events'][number]['before'];
type Point = History['probes'][number];

export interface HistoryRequest {
  /** The URL in any spelling; the history repeats it. */
  readonly resource: string;
  /** 1 to 90. */
  readonly days: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * What was seen of an endpoint in the last days: events of its listing and its terms, probes, and days, each with the
 * oldest first.
 *
 * @returns null where the URL is none, or not in the catalog
 * @throws StoreError when the database fails
 */
export async function readHistory(db: Db, { resource, days, now }: HistoryRequest): Promise<History | null> {
  const canonical = canonicalize(resource);
  if (!canonical.ok) return null;
  const from = now - days * DAY_MS;
  const stored = await readEndpointHistory(db, {
    endpointId: canonical.id,
    from,
    to: now,
    rawLimit: MOST_RAW,
    eventLimit: MOST_EVENTS,
    eventBytes: EVENT_BYTES,
  });
  if (stored === null || stored.resource !== canonical.resource) return null;
  return {
    resource: shownResource(resource),
    days,
    from: moment(from),
    to: moment(now),
    snapshots: stored.events.map(({ at, event, before, after }) => ({
      at: moment(at),
      event,
      before: shownTerms(before),
      after: shownTerms(after),
    })),
    probes: [
      ...stored.hourly.map(({ probes, up, ...point }) => ({ ...shownPoint(point), probes, up })),
      ...stored.raw.map(shownPoint),
    ],
    daily: stored.daily.map(({ day, probes, up, histogram, score }) => ({
      day,
      probes,
      up,
      latencyMsP50: histogram && percentile(histogram, 0.5),
      latencyMsP95: histogram && percentile(histogram, 0.95),
      score,
    })),
    probesResolution: stored.hourly.length > 0 ? 'hourly' : 'raw',
  };
}

const moment = (ms: number): string => new Date(ms).toISOString();

function shownPoint({ at, amountUsd, ...point }: StoredHistory['raw'][number]): Point {
  return { at: moment(at), ...point, amountUsd: sixDecimals(amountUsd) };
}

function shownTerms(terms: StoredTerms): History['snapshots'][number]['before'] {
  return (
    terms && {
      protocolVersion: terms.version,
      description: cleanText(terms.description, TEXT_LIMITS.description),
      options: terms.options
        .slice(0, MOST_OPTIONS)
        .map((option) => reportedOption({ ...option, falseUsdc: option.falseUsdc === true })),
    }
  );
}
