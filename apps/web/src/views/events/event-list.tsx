import type { EcosystemEvent } from '@touchstone/store';
import { formatCount, GradeMark, RecommendationChip, ResourceText } from '@touchstone/ui';
import { EVENT_TEXTS } from '../../events/event-texts.ts';
import { toEventAnchor } from '../../events/events-feed.ts';
import { groupByDay } from '../../events/group-by-day.ts';
import { toProviderPath } from '../../provider/host-path.ts';
import { EventIcon } from './event-icon.tsx';

/** Events by UTC day, latest update first. */
export function EventList({ events }: { readonly events: readonly EcosystemEvent[] }) {
  return groupByDay(events).map(({ day, events: ofDay }) => (
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
  const { kind, slug, resource, grade, recommendation, endpoints } = event;
  const { label, sentence } = EVENT_TEXTS[kind];
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
            <EventTimes event={event} /> UTC
          </span>
        </p>
        <p className="mt-1 text-sm">
          <a href={`/endpoint/${slug}`} className="inline-block py-0.5">
            <ResourceText resource={resource.replace(/^https:\/\//, '')} />
          </a>
        </p>
        <p className="mt-1 text-ink-soft">{endpoints === 1 ? sentence : <HostSentence event={event} />}</p>
        <p className="mt-2 flex flex-wrap items-center gap-x-2 text-sm">
          <span className="text-ink-soft">Verdict now:</span> <GradeMark grade={grade} className="h-6 w-5" />{' '}
          <RecommendationChip recommendation={recommendation} />
        </p>
      </div>
    </li>
  );
}

/** Time of an event in hours and minutes, and the time at which its number of endpoints last rose, if it differs. */
function EventTimes({ event: { at, updatedAt } }: { readonly event: EcosystemEvent }) {
  const [first, last] = [at, updatedAt].map((iso) => (
    <time key={iso} dateTime={iso}>
      {iso.slice(11, 16)}
    </time>
  ));
  return at.slice(0, 16) === updatedAt.slice(0, 16) ? (
    last
  ) : (
    <>
      {first} to {last}
    </>
  );
}

/** Sentence about an event with several endpoints of one host. */
function HostSentence({ event: { kind, host, endpoints } }: { readonly event: EcosystemEvent }) {
  return (
    <>
      On this day, {formatCount(endpoints)} endpoints of{' '}
      <a href={toProviderPath(host)}>
        <bdi className="[overflow-wrap:anywhere]">{host}</bdi>
      </a>{' '}
      {EVENT_TEXTS[kind].predicate}
    </>
  );
}
