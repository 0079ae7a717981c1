import type { Metadata } from 'next';
import { getSiteOrigin } from '../../../../platform/config/config.ts';
import { listFeeds } from '../../../../views/events/event-params.ts';
import { loadFirstEvents } from '../../../../views/events/load-events.ts';
import { loadCategories, loadEcosystem, loadLeaderboard } from '../../../../serving/page-cache/page-data.ts';
import { createPageMetadata } from '../../../../page-parts/create-page-metadata.ts';
import { JsonLd, createSiteJsonLd } from '../../../../page-parts/json-ld.tsx';
import { Home } from '../../../../views/home/home.tsx';

export const metadata: Metadata = createPageMetadata({
  title: 'Touchstone: trust scores for x402 endpoints',
  titleIsComplete: true,
  description:
    'Check an x402 endpoint before you pay. Touchstone tests x402 endpoints about every 30 minutes and shows uptime, latency, price and a grade from A to F.',
  path: '/',
  indexed: true,
  formats: listFeeds(),
});

export default async function HomePage() {
  const origin = getSiteOrigin(process.env);
  const [ecosystem, best, { events }, categories] = await Promise.all([
    loadEcosystem(),
    loadLeaderboard(),
    loadFirstEvents(),
    loadCategories(),
  ]);
  return (
    <>
      <Home baseUrl={origin} ecosystem={ecosystem} best={best} events={events} categories={categories} />
      <JsonLd data={createSiteJsonLd(origin)} />
    </>
  );
}
