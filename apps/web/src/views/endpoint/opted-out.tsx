import { formatDay } from '@touchstone/common';
import { ECOSYSTEM_EVENTS } from '@touchstone/contract';
import type { EventEntry } from '@touchstone/store';
import { PageFrame, ResourceText, toPlainText } from '@touchstone/ui';
import type { Metadata } from 'next';
import { createPageMetadata } from '../../page-parts/create-page-metadata.ts';

interface OptedOutProps {
  readonly resource: string;
  /** Time of the opt-out, ISO 8601. */
  readonly optedOutAt: string;
  /** Day of the last score before the opt-out, if its recommendation was `avoid`; null otherwise. */
  readonly avoidedOn: string | null;
  /** Public events before the opt-out. Only changes of wallets stay public. */
  readonly events: readonly EventEntry[];
}

/** Page of an endpoint whose provider opted out of probing and listing. It has no verdict and no figures. */
export function OptedOut({ resource, optedOutAt, avoidedOn, events }: OptedOutProps) {
  return (
    <PageFrame>
      <h1 className="mt-1 text-base leading-snug font-semibold sm:mt-2 sm:text-2xl">
        <ResourceText resource={resource} />
      </h1>
      <p className="mt-4 max-w-3xl text-lg">Opted out by the provider on {formatDay(optedOutAt)}.</p>
      <p className="mt-2 max-w-3xl">
        Touchstone does not probe this endpoint, does not list it, and has no score of it.{' '}
        {avoidedOn === null
          ? 'This says nothing good or bad about the endpoint, and the guard refuses to pay it by default.'
          : `Before the opt-out, at its last score on ${avoidedOn}, the recommendation was: avoid. The guard refuses to pay the endpoint by default.`}{' '}
        The provider proved control of the host and can end the opt-out at any time.
      </p>
      {events.length === 0 ? null : (
        <section aria-labelledby="events-title" className="mt-4 max-w-3xl">
          <h2 id="events-title" className="text-xl font-bold">
            Before the opt-out
          </h2>
          <p className="text-ink-soft">
            An opt-out does not hide that the payTo address of an endpoint changed.
          </p>
          <ul>
            {events.map(({ id, kind, at }) => (
              <li key={id} className="py-1">
                {ECOSYSTEM_EVENTS[kind].label} <time dateTime={at}>{formatDay(at)}</time>
              </li>
            ))}
          </ul>
        </section>
      )}
      <p className="mt-4">
        <a href="/explore" className="inline-block py-2.5">
          Explore other endpoints
        </a>
      </p>
    </PageFrame>
  );
}

/** Creates the metadata of the page of an endpoint whose provider opted out. Search engines must not list the page. */
export function createOptedOutMetadata(slug: string, { resource }: { readonly resource: string }): Metadata {
  const name = toPlainText(resource.replace(/^https:\/\//, ''), 60);
  return createPageMetadata({
    title: `Opted out: ${name}`,
    description: `The provider of ${name} opted out of probing and listing by Touchstone.`,
    path: `/endpoint/${slug}`,
    indexed: false,
  });
}
