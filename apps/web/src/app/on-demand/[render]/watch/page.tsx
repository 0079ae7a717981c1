import type { Metadata } from 'next';
import { WatchShell } from '../../../../views/watch/watch-shell.tsx';

/** Same value as `PAGE_LIFETIME_S`, because Next requires a literal here. The page changes only with a release. */
export const revalidate = 3600;

export const metadata: Metadata = {
  title: 'Watch',
  description:
    'Open your watch of an x402 endpoint: its state, its timeline of events, the delivery of alerts, and its settings.',
  alternates: { canonical: '/watch' },
};

export default function WatchPage() {
  return (
    <>
      <WatchShell />
      <script src="/watch.js" defer />
    </>
  );
}
