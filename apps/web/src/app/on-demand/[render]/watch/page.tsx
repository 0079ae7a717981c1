import { createPageMetadata } from '../../../../page-parts/create-page-metadata.ts';
import { WatchShell } from '../../../../interactive/watch/watch-shell.tsx';

/** Same value as `PAGE_LIFETIME_S`, because Next requires a literal here. The page changes only with a release. */
export const revalidate = 3600;

export const metadata = createPageMetadata({
  title: 'Watch',
  description:
    'Open your watch of an x402 endpoint: its state, its timeline of events, the delivery of alerts, and its settings.',
  path: '/watch',
  indexed: false,
});

export default function WatchPage() {
  return (
    <>
      <WatchShell />
      <script src="/watch.js" defer />
    </>
  );
}
