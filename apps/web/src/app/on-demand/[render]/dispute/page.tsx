import { createPageMetadata } from '../../../../page-parts/create-page-metadata.ts';
import { getSiteOrigin } from '../../../../platform/config/config.ts';
import { readFields } from '../../../../views/dispute/dispute-fields.ts';
import { DISPUTE_METADATA, DisputePage } from '../../../../views/dispute/dispute-page.tsx';

/** Same value as `PAGE_LIFETIME_S`, because Next requires a literal here. */
export const revalidate = 3600;

export const metadata = createPageMetadata(DISPUTE_METADATA);

export default function EmptyDisputePage() {
  const fields = readFields(new URLSearchParams());
  return <DisputePage fields={fields} prepared={null} baseUrl={getSiteOrigin(process.env)} />;
}
