import { createPageMetadata } from '../../../../page-parts/create-page-metadata.ts';
import { Gone } from '../../../../views/errors/error-page.tsx';

/** Same value as `PAGE_LIFETIME_S`, because Next requires a literal here. The page changes only with a release. */
export const revalidate = 3600;

/** The page has no separate URL: the proxy sends this page with status 410 at the URL of each removed endpoint. */
export const metadata = {
  ...createPageMetadata({
    title: 'Endpoint removed',
    description: 'This endpoint was removed from Touchstone.',
    path: '/',
    indexed: false,
  }),
  alternates: {},
};

export default function GonePage() {
  return <Gone />;
}
