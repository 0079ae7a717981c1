import { formatCount } from '@touchstone/common';
import { ECOSYSTEM_EVENTS, type EcosystemEventKind } from '@touchstone/contract';
import type { EcosystemEvent } from '@touchstone/store';
import { GradeMark, RecommendationChip, ResourceText } from '@touchstone/ui';
import { toEventsUrl } from './event-params.ts';
import { toEventAnchor } from './events-feed.ts';
import { toProviderPath } from '../../serving/known-pages/page-paths.ts';

/** Events by UTC day of their first change, latest day first; within a day, latest update first. */
export function EventList({ events }: { readonly events: readonly EcosystemEvent[] }) {
  return groupByDay(events).map(([day, ofDay]) => (
    <section
      key={day}
      aria-labelledby={`day-${day}`}
      className="mt-8 gap-x-10 border-t border-edge pt-3 lg:grid lg:grid-cols-[9rem_1fr]"
    >
      <h2
        id={`day-${day}`}
        className="text-lg font-bold tabular-nums lg:sticky lg:top-6 lg:mt-3.5 lg:self-start"
      >
        <time dateTime={day}>{day}</time>
      </h2>
      <ol>
        {ofDay.map((event) => (
          <EventItem key={event.id} event={event} />
        ))}
      </ol>
    </section>
  ));
}

function EventItem({ event }: { readonly event: EcosystemEvent }) {
  const { kind, at, slug, resource, grade, recommendation, endpoints } = event;
  const { label, sentence } = ECOSYSTEM_EVENTS[kind];
  return (
    <li
      id={toEventAnchor(event)}
      className="grid grid-cols-[auto_1fr] gap-x-3 border-line py-4 not-first:border-t"
    >
      <EventIcon kind={kind} className="mt-1 size-5" />
      <div className="min-w-0">
        <p className="flex flex-wrap items-baseline justify-between gap-x-4">
          <strong>{label}</strong>
          <span className="text-sm text-ink-soft tabular-nums">
            {endpoints === 1 ? '' : 'from '}
            <a href={toEventPath(event)} rel="nofollow" className="inline-block py-0.5">
              <time dateTime={at}>{at.slice(11, 16)}</time> UTC
            </a>
          </span>
        </p>
        <p className="mt-1 text-sm">
          <a href={`/endpoint/${slug}`} className="inline-block py-0.5">
            <ResourceText resource={resource.replace(/^https:\/\//, '')} />
          </a>
        </p>
        <p className="mt-1 text-ink-soft">{endpoints === 1 ? sentence : <HostSentence event={event} />}</p>
        <p className="mt-2 flex flex-wrap items-center gap-x-2 text-sm">
          <span className="text-ink-soft">Current verdict:</span>{' '}
          <RecommendationChip recommendation={recommendation} />{' '}
          <GradeMark grade={grade} className="h-6 w-5" />
        </p>
      </div>
    </li>
  );
}

/** Returns the permanent path of an event: the page that begins with this event, whatever happens later. */
function toEventPath(event: EcosystemEvent): string {
  return `${toEventsUrl({ before: event.id })}#${toEventAnchor(event)}`;
}

/** Sentence about an event with several endpoints of one host. */
function HostSentence({ event: { kind, host, endpoints } }: { readonly event: EcosystemEvent }) {
  return (
    <>
      On this day, {formatCount(endpoints)} endpoints of{' '}
      <a href={toProviderPath(host)}>
        <bdi className="[overflow-wrap:anywhere]">{host}</bdi>
      </a>{' '}
      {ECOSYSTEM_EVENTS[kind].predicate}
    </>
  );
}

/** Groups events by UTC day, latest day first. An event that was found late follows events of a later day. */
function groupByDay(events: readonly EcosystemEvent[]): readonly (readonly [string, EcosystemEvent[]])[] {
  const days = Map.groupBy(events, ({ at }) => at.slice(0, 10));
  return [...days].toSorted(([one], [other]) => other.localeCompare(one));
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
  return (
    <svg viewBox="0 0 16 16" className={`shrink-0 ${tone} ${className}`} aria-hidden="true" focusable="false">
      <path
        d={path}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.75"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
