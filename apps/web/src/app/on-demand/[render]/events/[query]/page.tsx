import { ECOSYSTEM_EVENTS } from '@touchstone/contract';
import type { Metadata } from 'next';
import { ATOM_TYPE, toFeedPath } from '../../../../../views/events/events-feed.ts';
import { decodeEventParams } from '../../../../../views/events/event-params.ts';
import { loadEventPage } from '../../../../../views/events/load-events.ts';
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
  const { kind, before } = decodeEventParams((await params).query).params;
  const subject = kind === null ? 'Events' : `Events: ${ECOSYSTEM_EVENTS[kind].label}`;
  return createPageMetadata({
    title: before === null ? subject : `${subject}, older`,
    description: kind === null ? 'Older events of x402 endpoints.' : ECOSYSTEM_EVENTS[kind].meaning,
    path: '/events',
    indexed: false,
    formats: { [ATOM_TYPE]: toFeedPath(kind) },
  });
}

export default async function FilteredEventsPage({ params }: Props) {
  const parsed = decodeEventParams((await params).query);
  const page = await loadEventPage(parsed.params.kind, parsed.params.before);
  return <Events params={parsed.params} ignored={parsed.ignored} page={page} />;
}
