import { WatchShell } from '../../../../interactive/watch/watch-shell.tsx';
import { findSampleResource } from '../../../../operations/documents/sample-resource.ts';
import { createPageMetadata } from '../../../../page-parts/create-page-metadata.ts';
import { getSiteOrigin } from '../../../../platform/config/config.ts';

export const metadata = createPageMetadata({
  title: 'Watch an endpoint',
  description:
    'Alerts when an x402 endpoint changes its payTo address or price, or goes down: a probe every 5 minutes for 30 days, to a webhook, Slack or Discord.',
  path: '/watch',
  indexed: true,
});

export default async function WatchPage() {
  const resource = await findSampleResource();
  return (
    <>
      <WatchShell
        baseUrl={getSiteOrigin(process.env)}
        resource={resource ?? 'https://api.example.com/v1/weather'}
      />
      <script src="/watch.js" defer />
    </>
  );
}
