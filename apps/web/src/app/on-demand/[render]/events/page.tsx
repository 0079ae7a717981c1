import { ATOM_TYPE, EVENTS_FEED_PATH } from '../../../../views/events/events-feed.ts';
import { NEWEST_EVENTS } from '../../../../views/events/event-params.ts';
import { loadFirstEvents } from '../../../../views/events/load-events.ts';
import { createPageMetadata } from '../../../../page-parts/create-page-metadata.ts';
import { Events } from '../../../../views/events/events.tsx';

export const metadata = createPageMetadata({
  title: 'Events',
  description:
    'What changed at x402 endpoints in the last 90 days: changes of payTo, price spikes, delistings and outages. Also as an Atom feed.',
  path: '/events',
  indexed: true,
  formats: { [ATOM_TYPE]: EVENTS_FEED_PATH },
});

export default async function EventsPage() {
  return <Events params={NEWEST_EVENTS} ignored={[]} page={await loadFirstEvents()} />;
}
