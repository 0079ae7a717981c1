import type { Metadata } from 'next';
import { getConfig, getSiteOrigin } from '../../../../config/config.ts';
import { findSampleResource } from '../../../../docs/sample-resource.ts';
import { Docs } from '../../../../views/docs/docs.tsx';

export const metadata: Metadata = {
  title: 'API reference',
  description:
    'The HTTP API of Touchstone: trust reports and histories of x402 endpoints, paid by the call in USDC, with examples in curl, TypeScript and Python.',
  alternates: { canonical: '/docs' },
};

export default async function DocsPage() {
  // The examples ask about an endpoint that this service really knows, so that they run as they stand.
  const resource = await findSampleResource();
  return (
    <Docs
      baseUrl={getSiteOrigin(process.env)}
      network={getConfig().network}
      {...(resource === undefined ? {} : { resource })}
    />
  );
}
