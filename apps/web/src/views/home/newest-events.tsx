import { ECOSYSTEM_EVENT_DAYS } from '@touchstone/contract';
import type { EcosystemEvent } from '@touchstone/store';
import { formatCount, ResourceText, Timestamp } from '@touchstone/ui';
import { EVENT_TEXTS } from '../../events/event-texts.ts';
import { EVENTS_FEED_PATH } from '../../events/events-feed.ts';
import { EventIcon } from '../events/event-icon.tsx';

/** Newest events of the ecosystem, shown on the front page. */
export function NewestEvents({ events }: { readonly events: readonly EcosystemEvent[] }) {
  return (
    <section aria-labelledby="newest-events">
      <h2 id="newest-events" className="text-2xl font-bold">
        Latest changes
      </h2>
      <p className="mt-1 text-sm text-ink-soft">
        Suspected takeovers, price spikes, delistings and outages of the last {ECOSYSTEM_EVENT_DAYS} days.
      </p>
      {events.length === 0 ? (
        <p className="mt-4 border-y border-line py-4 text-ink-soft">No event yet.</p>
      ) : (
        <ol className="mt-4 border-b border-line">
          {events.map((event) => (
            <li key={event.id} className="grid grid-cols-[auto_1fr] gap-x-3 border-t border-line py-3">
              <EventIcon kind={event.kind} className="mt-1 size-5" />
              <div className="min-w-0">
                <p className="flex flex-wrap items-baseline justify-between gap-x-4">
                  <strong>{EVENT_TEXTS[event.kind].label}</strong>
                  <span className="text-sm text-ink-soft">
                    <Timestamp iso={event.at} />
                  </span>
                </p>
                <a href={`/endpoint/${event.slug}`} className="text-sm">
                  <ResourceText resource={event.resource.replace(/^https:\/\//, '')} />
                </a>
                {event.endpoints === 1 ? null : (
                  <p className="text-sm text-ink-soft">
                    and {formatCount(event.endpoints - 1)} other{' '}
                    {event.endpoints === 2 ? 'endpoint' : 'endpoints'} of this host
                  </p>
                )}
              </div>
            </li>
          ))}
        </ol>
      )}
      <p className="mt-4">
        <a href="/events">All events</a> · <a href={EVENTS_FEED_PATH}>Atom feed</a>
      </p>
    </section>
  );
}
