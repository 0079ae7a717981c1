import { formatCount } from '@touchstone/common';
import { ECOSYSTEM_EVENTS, type EcosystemEventKind } from '@touchstone/contract';
import type { EcosystemEvent } from '@touchstone/store';
import { StrokeIcon, GradeMark, RecommendationChip, ResourceText } from '@touchstone/ui';
import { formatEnd } from '../endpoint/endpoint-events.ts';
import { toEventsUrl } from './event-params.ts';
import { toEventAnchor } from './events-feed.ts';
import { toProviderPath } from '../../serving/known-pages/page-paths.ts';

/** Events by UTC day of their first change, latest day and time first. */
export function EventList({ events }: { readonly events: readonly EcosystemEvent[] }) {
  return (
    <div className="mt-6 border-b border-edge">
      {groupByDay(events).map(([day, ofDay]) => (
        <section
          key={day}
          aria-labelledby={`day-${day}`}
          className="gap-x-10 border-t border-edge max-lg:pt-3 lg:grid lg:grid-cols-[7rem_1fr]"
        >
          <h2
            id={`day-${day}`}
            className="text-base font-bold tabular-nums lg:sticky lg:top-0 lg:self-start lg:py-3"
          >
            <time dateTime={day}>{day}</time>
          </h2>
          <ol>
            {ofDay.map((event) => (
              <EventItem key={event.id} event={event} />
            ))}
          </ol>
        </section>
      ))}
    </div>
  );
}

/** Event in one row; on a phone in two lines. */
function EventItem({ event }: { readonly event: EcosystemEvent }) {
  const { kind, at, slug, resource, grade, recommendation, endpoints } = event;
  // The current state is that of one endpoint.
  const end = endpoints === 1 ? formatEnd(kind, event) : null;
  return (
    <li
      id={toEventAnchor(event)}
      className="grid grid-cols-[1.25rem_1fr_auto_auto] items-center gap-x-3 border-line py-3 not-first:border-t sm:grid-cols-[1.25rem_8.5rem_1fr_auto_7rem]"
    >
      <EventIcon kind={kind} className="size-5" />
      <strong>{ECOSYSTEM_EVENTS[kind].label}</strong>
      <p className="min-w-0 text-sm max-sm:col-span-full max-sm:col-start-2 max-sm:row-start-2">
        <a href={`/endpoint/${slug}`} className="inline-block py-0.5">
          <ResourceText resource={resource.replace(/^https:\/\//, '')} />
        </a>
        {endpoints === 1 ? null : <OtherEndpoints event={event} />}
        {end === null ? null : <span className="text-ink-soft">{`, ${end}`}</span>}
      </p>
      <p className="flex items-center gap-x-1.5 text-sm">
        <span className="sr-only">Current verdict:</span>{' '}
        <RecommendationChip recommendation={recommendation} />{' '}
        <GradeMark
          grade={grade}
          variant={recommendation === 'avoid' ? 'muted' : 'solid'}
          className="h-6 w-5"
        />
      </p>
      <p className="text-right text-sm text-ink-soft tabular-nums">
        {endpoints === 1 ? '' : 'from '}
        <a href={toEventPath(event)} rel="nofollow" className="inline-block py-0.5">
          <time dateTime={at}>{at.slice(11, 16)}</time>
          <span className="max-sm:sr-only"> UTC</span>
        </a>
      </p>
    </li>
  );
}

/** Returns the permanent path of an event: the page that begins with this event, whatever happens later. */
function toEventPath(event: EcosystemEvent): string {
  return `${toEventsUrl({ before: event.id })}#${toEventAnchor(event)}`;
}

/** Number of the other endpoints of an event, and a link to their host. */
function OtherEndpoints({ event: { host, endpoints } }: { readonly event: EcosystemEvent }) {
  return (
    <span className="text-ink-soft">
      {' '}
      and {formatCount(endpoints - 1, 'other endpoint')} of{' '}
      <a href={toProviderPath(host)}>
        <bdi className="[overflow-wrap:anywhere]">{host}</bdi>
      </a>
    </span>
  );
}

/**
 * Groups events by UTC day, latest day first, and sorts the events of a day by time, latest first. An event that was found
 * late follows events of a later day.
 */
function groupByDay(events: readonly EcosystemEvent[]): readonly (readonly [string, EcosystemEvent[]])[] {
  const sorted = events.toSorted((one, other) => other.at.localeCompare(one.at));
  return [...Map.groupBy(sorted, ({ at }) => at.slice(0, 10))];
}

interface EventIconStyle {
  /** SVG path of the icon in a 16 by 16 drawing. Each kind has a different path, so that color is not the only sign. */
  readonly path: string;
  readonly tone: string;
}

const EVENT_ICONS: Readonly<Record<EcosystemEventKind, EventIconStyle>> = {
  // An arrow that leaves its line.
  'takeover-suspected': {
    path: 'M1.5 11.5h3.5l5-7h4.5M11.5 1.5l3 3-3 3M8.5 11.5h1.5M12 11.5h2.5',
    tone: 'text-bad',
  },
  // A coin that is struck off.
  'paid-not-delivered': {
    path: 'M8 2.5a5.5 5.5 0 1 0 0 11a5.5 5.5 0 1 0 0-11M5.8 5.8l4.4 4.4M10.2 5.8l-4.4 4.4',
    tone: 'text-bad',
  },
  // A line that rises steeply.
  'price-spike': { path: 'M1.5 12.5h5l3-3 4-7M10 3.5l3.5-1 1 3.5', tone: 'text-warn' },
  // A list whose last line is struck off.
  delisted: { path: 'M2 3.5h12M2 8h12M2 12.5h5M10 10.5l4 4M14 10.5l-4 4', tone: 'text-ink-soft' },
  // A signal that stops.
  outage: { path: 'M1.5 8h2.5l2-5 3 10 1-3M13 5.5v3M13 11v.5', tone: 'text-bad' },
};

/** Icon of a kind of events. The text beside it names the kind. */
export function EventIcon({
  kind,
  className = '',
}: {
  readonly kind: EcosystemEventKind;
  readonly className?: string;
}) {
  const { path, tone } = EVENT_ICONS[kind];
  return <StrokeIcon path={path} className={`shrink-0 ${tone} ${className}`} />;
}
