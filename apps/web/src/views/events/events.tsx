import { formatCount } from '@touchstone/common';
import { ECOSYSTEM_EVENTS, ECOSYSTEM_EVENT_DAYS, ECOSYSTEM_EVENT_KINDS } from '@touchstone/contract';
import type { EcosystemEventCounts, EcosystemEventPage } from '@touchstone/store';
import { Age, PageFrame, Timestamp, toPlainText } from '@touchstone/ui';
import { toEventsUrl, toFeedPath, type EventParams } from './event-params.ts';
import type { EventSubject } from './load-events.ts';
import { EmptyState, IgnoredValues } from '../../page-parts/list-parts.tsx';
import { EventIcon, EventList } from './event-list.tsx';

interface Props {
  readonly params: EventParams;
  /** Invalid values of the URL. The page ignores these values. */
  readonly ignored: readonly string[];
  /** Endpoint or host of the events; null for the events of all endpoints. */
  readonly subject: EventSubject | null;
  readonly page: EcosystemEventPage;
  /** Number of events of each kind on all pages. */
  readonly counts: EcosystemEventCounts;
}

/** Events page: what changed at the endpoints, by UTC day, latest first. */
export function Events({ params, ignored, subject, page: { events, next }, counts }: Props) {
  const [newest] = events;
  return (
    <PageFrame current="events">
      <h1 className="[overflow-wrap:anywhere]">
        What changed at {subject === null ? 'x402 endpoints' : <Subject subject={subject} />}
      </h1>
      <p className="mt-3 max-w-2xl text-lg text-ink-soft">
        Changes of payTo, payments without delivery, price spikes, delistings and outages of the last{' '}
        {ECOSYSTEM_EVENT_DAYS} days. The same kind of event at several endpoints of a host on one UTC day is
        one entry. Each entry has the time of the change, and the current recommendation and grade. A good
        grade beside Avoid does not contain the reason to avoid. <a href="#meanings">What the events mean</a>
      </p>
      <p className="mt-2 text-sm text-ink-soft">
        {params.before === null && newest !== undefined ? (
          <>
            Latest update <Timestamp iso={newest.updatedAt} />
            {' · '}
            <Age iso={newest.updatedAt} />.{' '}
          </>
        ) : null}
        Subscribe to these events as an{' '}
        <a href={toFeedPath('atom', params)} className="inline-block py-1">
          Atom feed
        </a>{' '}
        or{' '}
        <a href={toFeedPath('json', params)} className="inline-block py-1">
          JSON feed
        </a>
        .
      </p>
      <Filters params={params} counts={counts} />
      <IgnoredValues values={ignored} />
      {events.length === 0 ? (
        <div className="mt-8">
          <NoEvents params={params} subject={subject} />
        </div>
      ) : (
        <EventList events={events} />
      )}
      <Pages params={params} next={next} />
      <Meanings />
    </PageFrame>
  );
}

function Subject({ subject: { name, path } }: { readonly subject: EventSubject }) {
  return (
    <a href={path}>
      <bdi>{toPlainText(name, Number.POSITIVE_INFINITY)}</bdi>
    </a>
  );
}

function Filters({ params, counts }: Pick<Props, 'params' | 'counts'>) {
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return (
    <nav aria-label="Kinds of events" className="mt-6">
      <ul className="flex flex-wrap gap-2">
        {[null, ...ECOSYSTEM_EVENT_KINDS].map((choice) => (
          <li key={choice ?? 'all'}>
            <a
              href={toEventsUrl({ ...params, kind: choice, before: null })}
              aria-current={choice === params.kind ? 'page' : undefined}
              className="inline-flex items-center gap-2 border border-edge bg-panel px-3 py-2 leading-none no-underline hover:border-accent aria-[current=page]:border-ink aria-[current=page]:bg-ink aria-[current=page]:text-ground aria-[current=page]:[&_svg]:text-current"
            >
              {choice === null ? null : <EventIcon kind={choice} className="size-4" />}
              {choice === null ? 'All events' : ECOSYSTEM_EVENTS[choice].label}{' '}
              <span className="tabular-nums">{formatCount(choice === null ? all : counts[choice])}</span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function NoEvents({ params, subject }: Pick<Props, 'params' | 'subject'>) {
  const { kind } = params;
  if (params.before !== null) {
    return (
      <EmptyState
        title="No older events"
        action={<a href={toEventsUrl({ ...params, before: null })}>Newest events</a>}
      >
        Events are kept for {ECOSYSTEM_EVENT_DAYS} days.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title={kind === null ? 'No events yet' : `No event of the kind “${ECOSYSTEM_EVENTS[kind].label}”`}
      action={
        kind === null && subject === null ? (
          <a href="/explore">Explore all endpoints</a>
        ) : (
          <a href="/events">All events</a>
        )
      }
    >
      An event appears here when a new score of an endpoint shows a change since its previous score.
    </EmptyState>
  );
}

function Pages({ params, next }: { readonly params: EventParams; readonly next: string | null }) {
  if (params.before === null && next === null) return null;
  return (
    <nav aria-label="Pages" className="mt-8 flex flex-wrap gap-x-8 border-t border-line pt-3">
      {next === null ? null : (
        <a
          href={toEventsUrl({ ...params, before: next })}
          rel="next"
          className="inline-block py-2 font-semibold"
        >
          Older events
        </a>
      )}
      {params.before === null ? null : (
        <a href={toEventsUrl({ ...params, before: null })} className="inline-block py-2">
          Newest events
        </a>
      )}
    </nav>
  );
}

/** Definitions of all kinds of events. */
function Meanings() {
  return (
    <section aria-labelledby="meanings" className="mt-16">
      <h2 id="meanings" className="scroll-mt-6">
        What the events mean
      </h2>
      <p className="mt-2 max-w-2xl text-ink-soft">
        An event says that something changed at its time, not why. The endpoint page shows the current state.
        The reasons, with their evidence, are part of the <a href="/docs">paid trust report</a>.
      </p>
      <dl className="mt-4 grid gap-x-10 gap-y-6 sm:grid-cols-2">
        {ECOSYSTEM_EVENT_KINDS.map((kind) => (
          <div key={kind} className="border-t border-line pt-3">
            <dt className="flex items-center gap-2 font-semibold">
              <EventIcon kind={kind} className="size-5" />
              {ECOSYSTEM_EVENTS[kind].label}
            </dt>
            <dd className="mt-1 text-ink-soft">{ECOSYSTEM_EVENTS[kind].meaning}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
