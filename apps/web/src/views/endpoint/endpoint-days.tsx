import { formatDay, formatPeriod } from '@touchstone/common';
import { ECOSYSTEM_EVENTS, ECOSYSTEM_EVENT_DAYS } from '@touchstone/contract';
import type { EndpointDay, EventEntry, MaintenanceWindow, ProviderNotes, Snapshot } from '@touchstone/store';
import { UptimeStrip } from '@touchstone/ui';
import { EventIcon } from '../events/event-list.tsx';
import { toEventsUrl } from '../events/event-params.ts';
import { toEventAnchor } from '../events/events-feed.ts';
import { toDaySeries } from './day-series.ts';
import { describeEvent, sortByTime } from './endpoint-events.ts';
import { EventStatement, findMaintenance, MaintenanceList } from './provider-notes.tsx';
import { type EndpointProps, Section } from './section.tsx';

interface DaysProps extends EndpointProps {
  /** Days with probes; days without probes are left out. */
  readonly days: readonly EndpointDay[];
  /** Newest events of the endpoint. */
  readonly events: readonly EventEntry[];
  /** Announcements of the provider; null if no provider has claimed the host. */
  readonly notes: ProviderNotes | null;
}

/** Daily uptime of at most 30 UTC days with the public events of the endpoint, and a list of these events. */
export function EndpointDays({ snapshot, days, events, notes }: DaysProps) {
  const period = formatPeriod(days[0]?.day, snapshot.computedAt);
  const title = `${period.charAt(0).toUpperCase()}${period.slice(1)}`;
  const isFilled = snapshot.templated && days.length > 0;
  return (
    <div className="gap-x-10 lg:grid lg:grid-cols-[minmax(0,1fr)_21rem]">
      <Section id="days" title={isFilled ? `${title}, with example values in the URL` : title}>
        {days.length === 0 ? (
          <p className="max-w-3xl text-ink-soft">{explainMissingDays(snapshot)}</p>
        ) : (
          <UptimeStrip
            days={toDaySeries(days, snapshot.computedAt).uptime}
            marks={[
              ...events.map(({ kind, at }) => ({ day: formatDay(at), label: ECOSYSTEM_EVENTS[kind].label })),
              ...(notes?.maintenance ?? []).flatMap(listMaintenanceDays),
            ]}
          />
        )}
        <MaintenanceList windows={notes?.maintenance ?? []} />
      </Section>
      <Section id="events" title="What happened">
        <EventLinks snapshot={snapshot} days={days} events={sortByTime(events)} notes={notes} />
      </Section>
    </div>
  );
}

/** Returns a mark for each UTC day of a maintenance window, which has at most 24 hours. */
function listMaintenanceDays({ startsAt, endsAt }: MaintenanceWindow) {
  const days = new Set([formatDay(startsAt), formatDay(Date.parse(endsAt) - 1)]);
  return [...days].map((day) => ({ day, label: 'Announced maintenance' }));
}

/** Number of events that are shown without opening a section. */
const MAX_OPEN_EVENTS = 4;

/** Links to the entries of the events page, with kind and UTC day, newest first. */
function EventLinks({ snapshot, days, events, notes }: DaysProps) {
  if (events.length === 0)
    return (
      <p className="text-ink-soft">
        No public event in the last {ECOSYSTEM_EVENT_DAYS} days. <a href="#watch">Watch this endpoint</a>
      </p>
    );
  const [open, more] = [events.slice(0, MAX_OPEN_EVENTS), events.slice(MAX_OPEN_EVENTS)];
  return (
    <>
      <EventItems snapshot={snapshot} days={days} events={open} notes={notes} />
      {more.length === 0 ? null : (
        <details>
          <summary className="cursor-pointer py-1 text-sm text-ink-soft">{more.length} earlier</summary>
          <EventItems snapshot={snapshot} days={days} events={more} notes={notes} />
        </details>
      )}
      <p className="text-sm">
        <a href={toEventsUrl({ endpoint: snapshot.slug })} rel="nofollow" className="inline-block py-1">
          All its events
        </a>
        <span className="text-ink-soft"> · </span>
        <a href="/events#meanings" className="inline-block py-1">
          What they mean
        </a>
        <span className="text-ink-soft"> · </span>
        <a href="#watch" className="inline-block py-1">
          Watch this endpoint
        </a>
      </p>
    </>
  );
}

function EventItems({ snapshot, days, events, notes }: DaysProps) {
  return (
    <ul>
      {events.map((event) => {
        const maintenance = event.kind === 'outage' && findMaintenance(notes, event.at) !== undefined;
        const remarks = [
          describeEvent(event, snapshot, days),
          maintenance ? 'during announced maintenance' : null,
        ].filter((remark) => remark !== null);
        return (
          <li key={event.id} className="flex items-center gap-x-2 border-line py-1 not-first:border-t">
            <EventIcon kind={event.kind} className="size-4" />
            <span className="min-w-0 grow">
              <a
                href={`${toEventsUrl({ kind: event.kind, before: event.id })}#${toEventAnchor(event)}`}
                rel="nofollow"
                className="inline-block py-0.5"
              >
                {ECOSYSTEM_EVENTS[event.kind].label}
              </a>
              {remarks.length === 0 ? null : (
                <span className="text-sm text-ink-soft"> {remarks.join(', ')}</span>
              )}
              <EventStatement statement={notes?.statements.find(({ subject }) => subject === event.id)} />
            </span>
            <time dateTime={event.at} className="text-sm text-ink-soft tabular-nums">
              {formatDay(event.at)}
            </time>
          </li>
        );
      })}
    </ul>
  );
}

/** Returns the reason why an endpoint has no charts, as a sentence. */
function explainMissingDays({ templated, lastProbedAt }: Snapshot): string {
  if (templated) return 'No probe: a URL with placeholders cannot be probed, and no resolved URL is known.';
  return lastProbedAt === null
    ? 'No probe yet. Daily uptime, price and latency appear after the first one.'
    : 'No probe in the last 30 days, so there are no daily figures.';
}
