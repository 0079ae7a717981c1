import { ECOSYSTEM_EVENTS } from '@touchstone/contract';
import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { decodeEventParams, listFeeds } from '../../../../../views/events/event-params.ts';
import { loadEventCounts, loadEventPage, loadEventSubject } from '../../../../../views/events/load-events.ts';
import { createPageMetadata } from '../../../../../page-parts/create-page-metadata.ts';
import { Events } from '../../../../../views/events/events.tsx';

interface Props {
  /** Path segment with the parameters of the URL, encoded by `encodePageParams`. */
  readonly params: Promise<{ readonly query: string }>;
}

/** Returns no queries, so the build renders no page. */
export function generateStaticParams(): { query: string }[] {
  return [];
}

/** Creates the page metadata. Search engines must list only the page without parameters. */
export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { before, ...filter } = decodeEventParams((await params).query).params;
  const subject = await loadEventSubject(filter);
  const { kind } = filter;
  const what = kind === null ? 'Events' : `Events: ${ECOSYSTEM_EVENTS[kind].label}`;
  const title = subject ? `${what} of ${subject.name}` : what;
  return createPageMetadata({
    title: before === null ? title : `${title}, older`,
    description: kind === null ? 'Events of x402 endpoints.' : ECOSYSTEM_EVENTS[kind].meaning,
    path: '/events',
    indexed: false,
    formats: listFeeds(filter),
  });
}

export default async function FilteredEventsPage({ params }: Props) {
  const parsed = decodeEventParams((await params).query);
  const [subject, page, counts] = await Promise.all([
    loadEventSubject(parsed.params),
    loadEventPage(parsed.params),
    loadEventCounts(parsed.params),
  ]);
  if (subject === undefined) notFound();
  return <Events {...parsed} subject={subject} page={page} counts={counts} />;
}
