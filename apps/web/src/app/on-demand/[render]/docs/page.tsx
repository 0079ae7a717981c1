import { getConfig, getSiteOrigin } from '../../../../platform/config/config.ts';
import { findSampleResource } from '../../../../operations/documents/sample-resource.ts';
import { createPageMetadata } from '../../../../page-parts/create-page-metadata.ts';
import { Docs } from '../../../../views/docs/docs.tsx';

export const metadata = createPageMetadata({
  title: 'API reference',
  description:
    'HTTP API of Touchstone: trust reports, histories, alternatives and search of x402 endpoints, paid per call in USDC, with examples in curl, TypeScript and Python.',
  path: '/docs',
  indexed: true,
});

export default async function DocsPage() {
  // The code examples use an endpoint of the catalog, so that readers can run the examples unchanged.
  const resource = await findSampleResource();
  const { network, payment } = getConfig();
  return (
    <Docs
      baseUrl={getSiteOrigin(process.env)}
      network={network}
      payTo={payment?.payTo ?? null}
      {...(typeof resource === 'string' ? { resource } : {})}
    />
  );
}
