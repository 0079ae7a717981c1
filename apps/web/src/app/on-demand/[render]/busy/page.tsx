import { createPageMetadata } from '../../../../page-parts/create-page-metadata.ts';
import { SearchBusy } from '../../../../views/errors/error-page.tsx';

/** Same value as `PAGE_LIFETIME_S`, because Next requires a literal here. The page changes only with a release. */
export const revalidate = 3600;

/** The page has no separate URL: the proxy sends this page with status 429 at the URL of each search. */
export const metadata = {
  ...createPageMetadata({
    title: 'Search busy',
    description: 'Too many searches are waiting.',
    path: '/',
    indexed: false,
  }),
  alternates: {},
};

export default function BusyPage() {
  return <SearchBusy />;
}
