import { formatCount, formatShare } from '@touchstone/common';
import { ECOSYSTEM_EVENTS, ECOSYSTEM_EVENT_DAYS } from '@touchstone/contract';
import type { Ecosystem, EcosystemEvent, ListedSnapshot } from '@touchstone/store';
import { Age, EndpointList, GradeDistribution, ResourceText, Timestamp } from '@touchstone/ui';
import type { ReactNode } from 'react';
import { NO_PARAMS, toExploreUrl } from '../../interactive/explore/explore-params.ts';
import { toFeedPath } from '../events/event-params.ts';
import { EventIcon } from '../events/event-list.tsx';
import { EmptyState, NewestScore } from '../../page-parts/list-parts.tsx';

/**
 * Number of listed endpoints, share of endpoints that may be paid, number of probes, and grades, with the time of
 * the last probe.
 */
export function LiveFigures({ ecosystem }: { readonly ecosystem: Ecosystem }) {
  if (ecosystem.endpoints === 0) {
    return (
      <div className="mt-12">
        <EmptyState title="The first probes are running">
          Touchstone is reading the public directories and probing their endpoints for the first time. Grades
          appear here after the first probes.
        </EmptyState>
      </div>
    );
  }
  return (
    <section
      aria-labelledby="figures"
      className="mt-12 rounded-sm border border-stone-line bg-stone px-5 py-6 text-stone-ink sm:px-8 sm:py-8"
    >
      <div className="flex flex-wrap items-baseline justify-between gap-x-8 gap-y-1">
        <h2 id="figures">The endpoints that we monitor</h2>
        <LastProbe at={ecosystem.lastProbedAt} />
      </div>
      <div className="mt-6 grid gap-x-16 gap-y-8 lg:grid-cols-[1fr_1.25fr]">
        <Figures ecosystem={ecosystem} />
        <GradeDistribution
          noun="listed endpoint"
          counts={ecosystem.grades}
          probedUpTo={null}
          toHref={(grade) => toExploreUrl({ ...NO_PARAMS, grades: [grade] })}
        />
      </div>
    </section>
  );
}

function LastProbe({ at }: { readonly at: string | null }) {
  return (
    <p className="text-sm text-stone-soft">
      {at === null ? (
        'No probe yet'
      ) : (
        <>
          Last probe <Timestamp iso={at} />
          {' · '}
          <Age iso={at} />
        </>
      )}
    </p>
  );
}

function Figures({ ecosystem }: { readonly ecosystem: Ecosystem }) {
  const { endpoints, listed, providers, recommendations, probes30d } = ecosystem;
  return (
    <dl className="grid content-between gap-y-6 sm:max-lg:grid-cols-3 sm:max-lg:gap-x-8">
      <Figure
        label="Listed endpoints"
        value={<a href="/explore">{formatCount(listed)}</a>}
        note={`${endpoints === listed ? '' : `and ${formatCount(endpoints - listed)} that no directory lists, `}on ${formatCount(providers, 'host')}`}
      />
      <Figure
        label="Recommended for payment"
        value={listed === 0 ? 'none' : formatShare(recommendations.proceed / listed)}
        note={
          <>
            <a href={toExploreUrl({ ...NO_PARAMS, recommendations: ['proceed'] })}>
              {formatCount(recommendations.proceed)} of {formatCount(listed)}
            </a>{' '}
            listed, with the recommendation Proceed
          </>
        }
      />
      <Figure label="Probes, last 30 days" value={formatCount(probes30d)} note="unpaid test requests" />
    </dl>
  );
}

function Figure(props: { readonly label: string; readonly value: ReactNode; readonly note: ReactNode }) {
  return (
    <div className="flex flex-col">
      <dt className="text-stone-soft">{props.label}</dt>
      <dd className="text-4xl leading-tight font-bold">{props.value}</dd>
      <dd className="text-sm text-stone-soft">{props.note}</dd>
    </div>
  );
}

/** First endpoints of the leaderboard, shown on the front page. */
export function TopEndpoints({ snapshots }: { readonly snapshots: readonly ListedSnapshot[] }) {
  return (
    <section aria-labelledby="top">
      <h2 id="top">Best endpoints</h2>
      <p className="mt-1 text-sm text-ink-soft">
        Ordered by the lower bound of the score range. <NewestScore snapshots={snapshots} />
      </p>
      <div className="mt-4">
        <EndpointList endpoints={snapshots} sortedBy="score" />
      </div>
      <p className="mt-4">
        <a href="/trust/leaderboard">Full leaderboard</a>
      </p>
    </section>
  );
}

/** Newest events of the ecosystem, shown on the front page. */
export function NewestEvents({ events }: { readonly events: readonly EcosystemEvent[] }) {
  return (
    <section aria-labelledby="newest-events">
      <h2 id="newest-events">Latest changes</h2>
      <p className="mt-1 text-sm text-ink-soft">
        Changes of payTo, payments without delivery, price spikes, delistings and outages of the last{' '}
        {ECOSYSTEM_EVENT_DAYS} days.
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
                  <strong>{ECOSYSTEM_EVENTS[event.kind].label}</strong>
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
        <a href="/events">All events</a> · <a href={toFeedPath('atom')}>Atom feed</a>
      </p>
    </section>
  );
}
