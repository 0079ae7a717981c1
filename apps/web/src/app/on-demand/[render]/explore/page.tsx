import type { Metadata } from 'next';
import { Explore } from '../../../../views/explore/explore.tsx';

/** Same value as `PAGE_LIFETIME_S`, because Next requires a literal here. The page changes only with a release. */
export const revalidate = 3600;

export const metadata: Metadata = {
  title: 'Search',
  description:
    'Find x402 endpoints by host, path, service name or description, with trust score, uptime and price.',
  alternates: { canonical: '/explore' },
};

export default function ExplorePage() {
  return <Explore query="" matches={[]} />;
}
