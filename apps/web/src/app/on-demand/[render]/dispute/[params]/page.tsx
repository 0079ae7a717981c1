import { createPageMetadata } from '../../../../../page-parts/create-page-metadata.ts';
import { getSiteOrigin } from '../../../../../platform/config/config.ts';
import { readThroughCache } from '../../../../../serving/page-cache/page-data.ts';
import { UNSTORED_TAG } from '../../../../../serving/page-cache/page-lifetime.ts';
import { decodePageParams } from '../../../../../serving/route-page.ts';
import { readFields } from '../../../../../views/dispute/dispute-fields.ts';
import { prepareDispute } from '../../../../../views/dispute/prepare-dispute.ts';
import { DISPUTE_METADATA, DisputePage } from '../../../../../views/dispute/dispute-page.tsx';

interface Props {
  /** Path segment with the parameters of the URL, encoded by `encodePageParams`. */
  readonly params: Promise<{ readonly params: string }>;
}

/** Returns no parameters, so the build renders no page. */
export function generateStaticParams(): { params: string }[] {
  return [];
}

export const metadata = createPageMetadata(DISPUTE_METADATA);

export default async function FilledDisputePage({ params }: Props) {
  const segment = (await params).params;
  const baseUrl = getSiteOrigin(process.env);
  // The page is never stored, because its message has the time of the request.
  const page = await readThroughCache(['dispute', segment], UNSTORED_TAG, () => {
    const fields = readFields(new URLSearchParams(decodePageParams(segment).query));
    const isFilled = fields.text !== '' && fields.wallet !== '';
    const prepared = isFilled ? prepareDispute(fields, baseUrl, new Date().toISOString()) : null;
    return Promise.resolve({ fields, prepared });
  });
  return <DisputePage {...page} baseUrl={baseUrl} />;
}
