import { getSiteOrigin } from '../../../../../platform/config/config.ts';
import { createPageMetadata } from '../../../../../page-parts/create-page-metadata.ts';
import { readThroughCache } from '../../../../../serving/page-cache/page-data.ts';
import { UNSTORED_TAG } from '../../../../../serving/page-cache/page-lifetime.ts';
import { decodePageParams } from '../../../../../serving/route-page.ts';
import { Unmonitored } from '../../../../../views/unmonitored/unmonitored.tsx';

interface Props {
  /** Path segment with the URL, encoded by `encodePageParams`. */
  readonly params: Promise<{ readonly url: string }>;
}

/** Returns no parameters, so the build renders no page. */
export function generateStaticParams(): { url: string }[] {
  return [];
}

/** The page has no separate URL: the proxy sends this page at the URL of the search. */
export const metadata = {
  ...createPageMetadata({
    title: 'Not monitored',
    description: 'Touchstone does not monitor this URL.',
    path: '/explore',
    indexed: false,
  }),
  alternates: {},
};

export default async function UnmonitoredPage({ params }: Props) {
  const segment = (await params).url;
  // The page is never stored, because clients can send any number of URLs.
  const page = await readThroughCache(['unmonitored', segment], UNSTORED_TAG, () =>
    Promise.resolve(decodePageParams(segment)),
  );
  const [host = '', fault = ''] = page.ignored;
  return (
    <Unmonitored
      baseUrl={getSiteOrigin(process.env)}
      url={{ resource: page.query, host: host || null, fault: fault || null }}
    />
  );
}
