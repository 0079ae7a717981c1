import { listFeeds, NEWEST_EVENTS } from '../../../../views/events/event-params.ts';
import { loadEventCounts, loadFirstEvents } from '../../../../views/events/load-events.ts';
import { createPageMetadata } from '../../../../page-parts/create-page-metadata.ts';
import { Events } from '../../../../views/events/events.tsx';

export const metadata = createPageMetadata({
  title: 'Events',
  description:
    'What changed at x402 endpoints in the last 90 days: changes of payTo, price spikes, delistings and outages. Also as a feed.',
  path: '/events',
  indexed: true,
  formats: listFeeds(),
});

export default async function EventsPage() {
  const [page, counts] = await Promise.all([loadFirstEvents(), loadEventCounts(NEWEST_EVENTS)]);
  return <Events params={NEWEST_EVENTS} ignored={[]} subject={null} page={page} counts={counts} />;
}
